// Several processes that train one network, started by mpirun as a user does.
#include "RunSpillway.hpp"
#include "data/Hdf5File.hpp"
#include "support/TemporaryFolder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

namespace spillway {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSpiking = R"([network]
layers = 24,16
[layer]
neuron = alif
recurrent = true
[loss]
rateUpper = 0.1
rateUpperTarget = 0.02
[readout]
reduction = max
[data]
set = randman
steps = 20
inputs = 20
classes = 3
samplesPerClass = 16
jitterSteps = 1
[train]
epochs = 5
batchSize = 20
microBatch = 4
weightScale = 4
snapshotEvery = 1
[optimiser]
kind = adamw
weightDecay = 0.01
clipNorm = 0.5
[machine]
threads = 1
)";

constexpr const char* kGated = R"([network]
layers = 12
[layer]
kind = egru
zoneout = 0.1
dropconnect = 0.1
[data]
set = randman
steps = 12
inputs = 20
classes = 3
samplesPerClass = 16
[train]
epochs = 5
batchSize = 20
microBatch = 5
snapshotEvery = 1
[machine]
threads = 1
)";

std::string mpirun(const std::string& ranks) {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 mpirun "
         "--oversubscribe "
         "--bind-to none " +
         ranks;
}

class Ranks : public testing::Test {
protected:
  void SetUp() override {
    if (shell("command -v mpirun").code != 0) {
      GTEST_SKIP() << "mpirun is not installed";
    }
    if (shell(mpirun("-n 2 " SPILLWAY_EXECUTABLE " train none.cfg")).output.find("no MPI") !=
        std::string::npos) {
      GTEST_SKIP() << "this build has no MPI";
    }
  }

  std::string config(const std::string& name, const std::string& text) const {
    return folder_.write(name, text).string();
  }
  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }

  Result train(unsigned numRanks, const std::string& config, const std::string& name,
               const std::string& options = "") const {
    return shell(mpirun("-n " + std::to_string(numRanks)) + " " SPILLWAY_EXECUTABLE " train " +
                 config + " --quiet --folder " + at(name) + " " + options);
  }

  std::map<std::string, std::vector<float>> weights(const std::string& name) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_.path() / name / "snapshots")) {
      files.push_back(entry.path());
    }
    const Hdf5Reader file(*std::max_element(files.begin(), files.end()));
    std::map<std::string, std::vector<float>> all;
    for (const char* tensor : {"layer0/weight", "layer0/bias", "layer1/weight", "layer1/recurrent",
                               "readout/weight", "layer0/threshold", "layer0/recurrent"}) {
      for (const std::string prefix : {"", "optimiser/slot0/", "optimiser/slot1/"}) {
        if (file.has(prefix + tensor)) {
          all[prefix + tensor] = file.read<float>(prefix + tensor).values;
        }
      }
    }
    return all;
  }
  // Of the newest snapshot, "update-000000000123.h5".
  unsigned long lastUpdate(const std::string& name) const {
    unsigned long last = 0;
    for (const auto& entry : fs::directory_iterator(folder_.path() / name / "snapshots")) {
      last = std::max(last, std::stoul(entry.path().stem().string().substr(7)));
    }
    return last;
  }
  nlohmann::json summary(const std::string& name) const {
    std::ifstream file(folder_.path() / name / "summary.json");
    return nlohmann::json::parse(file);
  }

  void expectSameOnRanks(const std::string& config) const {
    ASSERT_EQ(train(1, config, "1").code, 0);
    EXPECT_GE(weights("1").size(), 4u);
    for (const unsigned numRanks : {2u, 3u, 4u}) {
      const std::string name = std::to_string(numRanks);
      const std::string threads = numRanks == 3 ? "--set machine.threads=2" : "";
      const Result result = train(numRanks, config, name, threads);
      ASSERT_EQ(result.code, 0) << result.output;
      EXPECT_EQ(weights(name), weights("1")) << numRanks << " ranks";
      EXPECT_EQ(summary(name)["testLoss"], summary("1")["testLoss"]);
      EXPECT_EQ(summary(name)["trainLoss"], summary("1")["trainLoss"]);
      EXPECT_EQ(summary(name)["ranks"], numRanks);
    }
  }

  TemporaryFolder folder_;
};

TEST_F(Ranks, GiveSpikingNetworksTheSameWeights) {
  expectSameOnRanks(config("spiking.cfg", kSpiking)); // 5 micro-batches, 10 updates
}

TEST_F(Ranks, GiveGatedNetworksTheSameWeights) {
  expectSameOnRanks(config("gated.cfg", kGated)); // 4 micro-batches
}

// A language model, whose sequences go on from batch to batch: every micro-batch has its own state.
TEST_F(Ranks, AndReplicasGiveLanguageModelsTheSameWeights) {
  const char* const words[] = {"a", "ship", "sails", "by", "night", "and", "day", "<unk>"};
  for (const auto& [name, numLines] :
       {std::pair("train", 60), std::pair("valid", 8), std::pair("test", 8)}) {
    std::string text;
    for (int i = 0; i < 9 * numLines; ++i) {
      text += std::string(" ") + words[i * i % 31 % 8] + (i % 9 == 8 ? " \n" : "");
    }
    folder_.write(std::string("ptb.") + name + ".txt", text);
  }
  const std::string file = config("language.cfg", "[network]\nlayers = 12\n"
                                                  "[layer]\nkind = egru\ndropout = 0.1\n"
                                                  "[readout]\nkind = tied\nreduction = step\n"
                                                  "[language]\noutputDropout = 0.1\n"
                                                  "[data]\nset = text\nsteps = 6\npath = " +
                                                      folder_.path().string() +
                                                      "\n[train]\nepochs = 1\nmaxBatches = 8\n"
                                                      "batchSize = 6\nmicroBatch = 1\n"
                                                      "[machine]\nthreads = 1\n");
  ASSERT_EQ(train(1, file, "one").code, 0);
  const auto expectSame = [&](unsigned numRanks, const std::string& name, const std::string& how) {
    const Result result = train(numRanks, file, name, how);
    EXPECT_EQ(result.code, 0) << result.output;
    EXPECT_EQ(weights(name), weights("one")) << numRanks << " ranks " << how;
    EXPECT_EQ(summary(name)["testLoss"], summary("one")["testLoss"]);
  };
  expectSame(2, "2", "");
  expectSame(4, "4", "");
  expectSame(1, "1x3", "--set machine.replicas=3");
  expectSame(2, "2x2", "--set machine.replicas=2");
}

// The weights of a run without replicas, which sums on the host; 10 micro-batches.
TEST_F(Ranks, AndReplicasGiveTheSameWeights) {
  const std::string spiking = config("spiking.cfg", kSpiking), gated = config("gated.cfg", kGated);
  const auto run = [&](unsigned numRanks, const std::string& file, const std::string& name,
                       const std::string& options) {
    const Result result =
        train(numRanks, file, name, "--set train.microBatch=2 --set train.epochs=3 " + options);
    EXPECT_EQ(result.code, 0) << result.output;
    return weights(name);
  };
  const auto one = run(1, spiking, "one", "");
  EXPECT_EQ(run(1, spiking, "1x2", "--set machine.replicas=2"), one);
  EXPECT_EQ(run(1, spiking, "1x3", "--set machine.replicas=3"), one);   // 3, 3 and 4 on each
  EXPECT_EQ(run(1, spiking, "1x10", "--set machine.replicas=10"), one); // nothing to keep
  EXPECT_EQ(run(1, spiking, "1x3h", "--set machine.replicas=3 --set machine.reduce=host"), one);
  // gcl between processes, and the host's sum over several processes' replicas.
  EXPECT_EQ(run(2, spiking, "2d", "--set machine.reduce=device"), one);
  EXPECT_EQ(run(2, spiking, "2x2", "--set machine.replicas=2"), one);
  EXPECT_EQ(run(3, spiking, "3x2h", "--set machine.replicas=2 --set machine.reduce=host"), one);

  const auto gatedOne = run(1, gated, "gated", "");
  EXPECT_EQ(run(1, gated, "gated1x3", "--set machine.replicas=3"), gatedOne);
  EXPECT_EQ(run(2, gated, "gated2x2", "--set machine.replicas=2"), gatedOne);
}

TEST_F(Ranks, AndReplicasGiveTheSameWeightsOnTheModelledIpu) {
  const std::string file = config("spiking.cfg", kSpiking);
  const std::string model = "--set train.epochs=1 --set machine.device=model "
                            "--set checkpoint.strategy=double --set checkpoint.remoteChunk=8 "
                            "--set checkpoint.chunk=3 --set checkpoint.spikeBlock=8 ";
  const std::string one = "--set machine.tiles=24 --set machine.replicas=";
  ASSERT_EQ(train(1, file, "1", model + one + "1").code, 0);
  for (const auto& [name, how] :
       {std::pair<std::string, std::string>("2", one + "2"),
        {"3", one + "3"},
        {"2x2", "--set machine.tiles=12 --set machine.numIpus=2 --set machine.replicas=2"}}) {
    const Result result = train(1, file, name, model + how);
    ASSERT_EQ(result.code, 0) << result.output;
    EXPECT_EQ(weights(name), weights("1")) << how;
  }
}

TEST_F(Ranks, AndReplicasResumeInOtherNumbers) {
  const std::string spiking = config("spiking.cfg", kSpiking);
  ASSERT_EQ(train(1, spiking, "whole").code, 0);
  ASSERT_EQ(train(1, spiking, "parts", "--set train.epochs=2 --set machine.replicas=3").code, 0);
  const Result rest = train(2, spiking, "parts", "--resume --set machine.replicas=2");
  ASSERT_EQ(rest.code, 0) << rest.output;
  EXPECT_EQ(weights("parts"), weights("whole"));
  const std::string eval = " " SPILLWAY_EXECUTABLE " eval --json ";
  EXPECT_EQ(shell(eval + at("parts")).output, shell(eval + at("whole")).output);
}

TEST_F(Ranks, EvaluateAsOneDoes) {
  const std::string spiking = config("spiking.cfg", kSpiking);
  const std::string eval = " " SPILLWAY_EXECUTABLE " eval " + spiking + " --json";
  EXPECT_EQ(shell(mpirun("-n 3") + eval).output, shell(eval).output);
}

TEST_F(Ranks, ResumeWithAnotherNumber) {
  const std::string spiking = config("spiking.cfg", kSpiking);
  ASSERT_EQ(train(1, spiking, "whole").code, 0);
  ASSERT_EQ(train(4, spiking, "parts", "--set train.epochs=2").code, 0);
  const Result rest = train(3, spiking, "parts", "--resume");
  ASSERT_EQ(rest.code, 0) << rest.output;
  EXPECT_EQ(weights("parts"), weights("whole"));
}

TEST_F(Ranks, RefuseABatchThatIsTooSmall) {
  const Result result =
      train(3, config("spiking.cfg", kSpiking), "run", "--set train.microBatch=10");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.output, HasSubstr("3 ranks, but a batch of 2 micro-batches"));
  EXPECT_FALSE(fs::exists(at("run")));
  const Result replicas = train(2, config("spiking.cfg", kSpiking), "run",
                                "--set train.microBatch=10 --set machine.replicas=2");
  EXPECT_EQ(replicas.code, 2);
  EXPECT_THAT(replicas.output,
              AllOf(HasSubstr("2 ranks with 2 replicas each, but a batch of 2 micro-batches"),
                    HasSubstr("train.microBatch must divide train.batchSize = 20 and be 1 to 5")));
}

// The number of lines of ours in what mpirun passed on.
std::size_t numMessages(const std::string& output) {
  std::istringstream lines(output);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    count += line.starts_with("spillway:") ? 1 : 0;
  }
  return count;
}

double secondsOf(const std::function<void()>& action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_F(Ranks, NameTheOneWithAnotherConfiguration) {
  const std::string same = " " SPILLWAY_EXECUTABLE " train " + config("spiking.cfg", kSpiking) +
                           " --quiet --folder " + at("run");
  const Result result = shell(mpirun("-n 2") + same + " : -n 1" + same + " --set train.seed=9");
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("spillway: rank 2 of 3 on "),
                                   HasSubstr("train.seed = 9, but rank 0 has train.seed = 1")));
  EXPECT_FALSE(fs::exists(at("run")));
  // It changes no weight, but the others would wait for an evaluation that never comes.
  const Result often =
      shell(mpirun("-n 1") + same + " : -n 1" + same + " --set train.evaluateEvery=3");
  EXPECT_EQ(often.code, 2);
  EXPECT_THAT(often.output, HasSubstr("rank 1 of 2"));
}

TEST_F(Ranks, NameTheOneWithAnotherBuild) {
  fs::copy_file(SPILLWAY_EXECUTABLE, at("spillway"));
  std::ofstream(at("spillway"), std::ios::app | std::ios::binary) << "another";
  const std::string arguments =
      " train " + config("spiking.cfg", kSpiking) + " --quiet --folder " + at("run");
  const Result result = shell(mpirun("-n 1 " SPILLWAY_EXECUTABLE) + arguments + " : -n 1 " +
                              at("spillway") + arguments);
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("rank 1 of 2"), HasSubstr("executable ")));
}

TEST_F(Ranks, NameTheOneWithoutItsData) {
  const std::string start = " " SPILLWAY_EXECUTABLE " train " + config("spiking.cfg", kSpiking) +
                            " --quiet --folder " + at("run");
  const std::string missing = " --set data.set=shd --set data.path=" + at("nowhere");
  const Result result = shell(mpirun("-n 1") + start + " : -n 1" + start + missing);
  EXPECT_EQ(result.code, 3) << result.output;
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("spillway: rank 1 of 2 on "), HasSubstr("nowhere")));
}

TEST_F(Ranks, SayOnceWhatFailsOnAll) {
  const Result result = train(3, config("spiking.cfg", kSpiking), "run",
                              "--set learningRate.peak=1e38 --set optimiser.clipNorm=0");
  EXPECT_EQ(result.code, 2) << result.output;
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output, HasSubstr("lower learningRate.peak"));
}

TEST_F(Ranks, EndTogetherWhenOneIsKilled) {
  const std::string spiking = config("spiking.cfg", kSpiking);
  const std::string endless = spiking + " --set train.epochs=100000 --folder " + at("run");
  Result result{};
  double secondsToEnd = 0.0;
  std::thread job([&] {
    result = shell(mpirun("-n 3") + " " SPILLWAY_EXECUTABLE " train " + endless + " --quiet");
  });
  while (!fs::exists(at("run/metrics.csv"))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  // The last started of the three.
  shell("kill -9 $(pgrep -f '^[^ ]*spillway train " + spiking + ".*--folder " + at("run") +
        "' | tail -1)");
  secondsToEnd = secondsOf([&] { job.join(); });
  EXPECT_NE(result.code, 0);
  EXPECT_LT(secondsToEnd, 10.0);
  EXPECT_THAT(result.output, AllOf(HasSubstr("rank"), HasSubstr("signal 9"))) << result.output;

  // An epoch further than it got; there are two updates in each.
  const std::string epochs = std::to_string(lastUpdate("run") / 2 + 2);
  const Result rest = train(2, spiking, "run", "--resume --set train.epochs=" + epochs);
  ASSERT_EQ(rest.code, 0) << rest.output;
  ASSERT_EQ(train(1, spiking, "whole", "--set train.epochs=" + epochs).code, 0);
  EXPECT_EQ(weights("run"), weights("whole"));
}

TEST_F(Ranks, EndTogetherWhenOneCannotWrite) {
  const std::string spiking = config("spiking.cfg", kSpiking);
  Result result{};
  std::thread job([&] { result = train(3, spiking, "run", "--set train.epochs=100000"); });
  while (!fs::exists(at("run/snapshots"))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  fs::rename(at("run/snapshots"), at("run/kept"));
  std::ofstream(at("run/snapshots")) << "no folder";
  EXPECT_LT(secondsOf([&] { job.join(); }), 10.0);
  EXPECT_EQ(result.code, 3) << result.output;
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("spillway: rank 0 of 3 on "), HasSubstr("snapshots")));
}

TEST_F(Ranks, SaveWhenTheJobIsToldToEnd) {
  const std::string spiking = config("spiking.cfg", kSpiking);
  Result result{};
  std::thread job([&] {
    result = train(3, spiking, "run", "--set train.epochs=100000 --set train.snapshotEvery=0");
  });
  while (!fs::exists(at("run/metrics.csv"))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  shell("kill -TERM $(pgrep -f '^mpirun.*--folder " + at("run") + "')");
  job.join();
  EXPECT_NE(result.code, 0);
  EXPECT_THAT(result.output, HasSubstr("interrupted after update")) << result.output;
  EXPECT_FALSE(fs::is_empty(at("run/snapshots")));
}

} // namespace
} // namespace spillway
