// Ranks and replicas: the same weights in any number.
#include "RanksFixture.hpp"

namespace spillway {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Ranks : public OnMpi {
protected:
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

// Each replica's states pass through IO tiles of its own, a quarter of 64.
TEST_F(Ranks, AndReplicasGiveTheSameWeightsWhereTransfersRunBesideCompute) {
  const std::string file = config("spiking.cfg", kSpiking);
  const std::string model =
      "--set train.epochs=1 --set machine.device=model --set machine.tiles=64 "
      "--set machine.neuronsPerTile=2 ";
  ASSERT_EQ(train(1, file, "1", model + "--set checkpoint.strategy=base").code, 0);
  const std::string streamed =
      model + "--set checkpoint.strategy=streamed --set checkpoint.numLocal=4 ";
  const auto expectSame = [&](unsigned numRanks, const std::string& name, const std::string& how) {
    const Result result = train(numRanks, file, name, streamed + how);
    ASSERT_EQ(result.code, 0) << result.output;
    EXPECT_EQ(weights(name), weights("1")) << name;
  };
  expectSame(1, "1s", "");
  expectSame(1, "1x2s", "--set machine.replicas=2");
  expectSame(1, "1x3s", "--set machine.replicas=3 --set checkpoint.spikeBlock=5");
  expectSame(2, "2x2s", "--set machine.replicas=2");
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

} // namespace
} // namespace spillway
