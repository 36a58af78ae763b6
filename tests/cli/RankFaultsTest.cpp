// Ranks of which one is wrong, fails or is killed: the job ends soon, with one message that names
// rank and cause, and can be resumed.
#include "RanksFixture.hpp"
#include "TinyRecordings.hpp"

#include <chrono>
#include <functional>
#include <sstream>
#include <thread>

namespace spillway {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The number of lines of ours in what mpirun passed on.
std::size_t numMessages(const std::string& output) {
  std::istringstream lines(output);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    count += line.starts_with("spillway:") ? 1 : 0;
  }
  return count;
}

class RankFaults : public OnMpi {
protected:
  // Runs a job without an end, does `harm` once the run has come as far as its first metrics or, if
  // it makes any, snapshot, and expects the end soon.
  enum class Saves { Often, AtTheEnd };
  Result harmed(const std::string& job, const std::function<void()>& harm,
                Saves saves = Saves::Often) const {
    Result result{};
    std::thread thread([&] { result = shell(job); });
    const auto isUnderWay = [&] {
      return saves == Saves::Often
                 ? fs::exists(at("run/snapshots")) && !fs::is_empty(at("run/snapshots"))
                 : fs::exists(at("run/metrics.csv"));
    };
    for (int i = 0; i < 1000 && !isUnderWay(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_TRUE(isUnderWay());
    harm();
    const auto begin = std::chrono::steady_clock::now();
    thread.join();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    return result;
  }
  std::string endless(unsigned numRanks, const std::string& config) const {
    return mpirun("-n " + std::to_string(numRanks)) + " " SPILLWAY_EXECUTABLE " train " + config +
           " --quiet --set train.epochs=100000 --folder " + at("run");
  }
  void signalRank(unsigned rank, const std::string& signal) const {
    const Result sent =
        shell("for pid in $(pgrep -f '^[^ ]*spillway train .*--folder " + at("run") +
              "'); do grep -qz '^OMPI_COMM_WORLD_RANK=" + std::to_string(rank) +
              "$' /proc/$pid/environ && kill -" + signal + " $pid && exit 0; done; exit 1");
    EXPECT_EQ(sent.code, 0) << "rank " << rank << " was not found";
  }
  // An epoch further than the run got, of two updates each, on two ranks: as if nothing had been.
  void expectResumes(const std::string& config) const {
    const std::string epochs = std::to_string(lastUpdate("run") / 2 + 2);
    const Result rest = train(2, config, "run", "--resume --set train.epochs=" + epochs);
    ASSERT_EQ(rest.code, 0) << rest.output;
    ASSERT_EQ(train(1, config, "whole", "--set train.epochs=" + epochs).code, 0);
    EXPECT_EQ(weights("run"), weights("whole"));
  }
};

TEST_F(RankFaults, NameTheOneWithAnotherConfiguration) {
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
  // Whether transfers overlap decides which schedules there are.
  const Result overlap =
      shell(mpirun("-n 1") + same + " : -n 1" + same + " --set checkpoint.overlap=false");
  EXPECT_EQ(overlap.code, 2);
  EXPECT_EQ(numMessages(overlap.output), 1u) << overlap.output;
  EXPECT_THAT(overlap.output, HasSubstr("rank 1 of 2"));
  EXPECT_THAT(overlap.output, HasSubstr("checkpoint.overlap = false, but rank 0 has"));
}

TEST_F(RankFaults, SayThatAnotherMpisLauncherIsOfNoUse) {
  const Result result = shell("PMI_SIZE=2 PMI_RANK=0 " SPILLWAY_EXECUTABLE " train " +
                              config("spiking.cfg", kSpiking) + " --quiet --folder " + at("run"));
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.output, HasSubstr("started 2 ranks, but MPI knows of 1"));
  EXPECT_FALSE(fs::exists(at("run")));
}

TEST_F(RankFaults, SayThatSrunWithoutPmixIsOfNoUse) {
  const std::string start =
      SPILLWAY_EXECUTABLE " train " + config("spiking.cfg", kSpiking) + " --quiet --folder ";
  const Result first = shell("SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0 " + start + at("run"));
  EXPECT_EQ(first.code, 2);
  EXPECT_THAT(first.output, AllOf(HasSubstr("srun started 2 tasks that cannot find each other"),
                                  HasSubstr("srun --mpi=pmix")));
  const Result other = shell("SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1 " + start + at("run"));
  EXPECT_EQ(other.code, 2);
  EXPECT_EQ(other.output, ""); // the first has said it
  EXPECT_FALSE(fs::exists(at("run")));
  const Result apart = shell("SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1 env -u SLURM_STEP_NUM_TASKS " +
                             start + at("apart"));
  EXPECT_EQ(apart.code, 0) << apart.output;
}

TEST_F(RankFaults, SayOnceWhatIsWrongWithTheirWords) {
  const std::string spiking = config("spiking.cfg", kSpiking);
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"trian", "there is no command trian; did you mean train?"},
      {"train", "an argument is missing"},
      {"train " + spiking + " --nonsense", "unrecognised option '--nonsense'"},
      {"train " + spiking + " --set train.epochz=3", "unknown key train.epochz"},
      {"eval " + spiking + " --split none", "--split none: must be test, train or validation"},
      {"plan " + spiking + " --set train.epochz=3", "unknown key train.epochz"}};
  for (const auto& [words, expected] : mistakes) {
    const Result result = shell(mpirun("-n 3") + " " SPILLWAY_EXECUTABLE " " + words);
    EXPECT_EQ(result.code, 2) << words;
    EXPECT_EQ(numMessages(result.output), 1u) << result.output;
    EXPECT_THAT(result.output, HasSubstr(expected));
  }
  const Result help = shell(mpirun("-n 3") + " " SPILLWAY_EXECUTABLE " train --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.output, spillway("train --help").output);
}

TEST_F(RankFaults, NameOneThatRunsAnotherCommand) {
  const std::string spiking = config("spiking.cfg", kSpiking);
  const Result result =
      shell(mpirun("-n 1") + " " SPILLWAY_EXECUTABLE " train " + spiking + " --folder " +
            at("run") + " : -n 1 " SPILLWAY_EXECUTABLE " eval " + spiking);
  EXPECT_EQ(result.code, 2) << result.output;
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output, HasSubstr("rank 1 of 2"));
  EXPECT_THAT(result.output, HasSubstr("command = eval"));
}

// The application as SPILLWAY_MPI=off builds it.
TEST_F(RankFaults, SayOnceThatABuildHasNoMpi) {
  const std::string spiking = config("spiking.cfg", kSpiking);
  const std::string start =
      " " SPILLWAY_WITHOUT_MPI " train " + spiking + " --quiet --folder " + at("run");
  const Result result = shell(mpirun("-n 3") + start);
  EXPECT_EQ(result.code, 2) << result.output;
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("one of 3 ranks, but this build has no MPI"),
                                   HasSubstr("-DSPILLWAY_MPI=on")));
  EXPECT_FALSE(fs::exists(at("run")));
  const Result alone = shell(start);
  ASSERT_EQ(alone.code, 0) << alone.output;
  ASSERT_EQ(train(1, spiking, "whole").code, 0);
  EXPECT_EQ(weights("run"), weights("whole"));
}

TEST_F(RankFaults, NameTheOneWithAnotherBuild) {
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

TEST_F(RankFaults, NameTheOneWithoutItsData) {
  const std::string start = " " SPILLWAY_EXECUTABLE " train " + config("spiking.cfg", kSpiking) +
                            " --quiet --folder " + at("run");
  const std::string missing = " --set data.set=shd --set data.path=" + at("nowhere");
  const Result result = shell(mpirun("-n 1") + start + " : -n 1" + start + missing);
  EXPECT_EQ(result.code, 3) << result.output;
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("spillway: rank 1 of 2 on "), HasSubstr("nowhere")));
}

TEST_F(RankFaults, NameTheOneWithOtherDataOfTheSameSize) {
  writeRecordings(folder_, "a", 7);
  writeRecordings(folder_, "b", 6);
  const std::string start = " " SPILLWAY_EXECUTABLE " train " +
                            config("recordings.cfg", kRecordings) + " --quiet --folder " +
                            at("run");
  const Result result =
      shell(mpirun("-n 1 -wdir " + at("a") + start) + " : -n 1 -wdir " + at("b") + start);
  EXPECT_EQ(result.code, 2) << result.output;
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("rank 1 of 2 on "), HasSubstr("has data = nmnist: 10 training")));
}

TEST_F(RankFaults, SayOnceWhatFailsOnAll) {
  const Result result = train(3, config("spiking.cfg", kSpiking), "run",
                              "--set learningRate.peak=1e38 --set optimiser.clipNorm=0");
  EXPECT_EQ(result.code, 2) << result.output;
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output, HasSubstr("lower learningRate.peak"));
}

TEST_F(RankFaults, EndTogetherWhenOneIsKilled) {
  const std::string spiking = config("spiking.cfg", kSpiking);
  const Result result = harmed(endless(3, spiking), [&] { signalRank(2, "KILL"); });
  EXPECT_NE(result.code, 0);
  EXPECT_THAT(result.output, AllOf(HasSubstr("rank 2"), HasSubstr("signal 9")));
  expectResumes(spiking);
}

// mpirun does not notice: the rank is still there.
TEST_F(RankFaults, EndTogetherWhenOneIsStopped) {
  const std::string spiking = config("spiking.cfg", kSpiking);
  const Result result = harmed(endless(3, spiking), [&] { signalRank(1, "STOP"); });
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("spillway: rank 1 of 3 on "),
                                   HasSubstr("has not answered for 10 s")));
  expectResumes(spiking);
}

TEST_F(RankFaults, EndTogetherWhenOneCannotWrite) {
  const Result result = harmed(endless(3, config("spiking.cfg", kSpiking)), [&] {
    fs::rename(at("run/snapshots"), at("run/kept"));
    std::ofstream(at("run/snapshots")) << "no folder";
  });
  EXPECT_EQ(result.code, 3) << result.output;
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("spillway: rank 0 of 3 on "), HasSubstr("snapshots")));
}

// The disk is one of four megabytes, which something else fills.
TEST_F(RankFaults, EndTogetherWhenTheDiskIsFull) {
  fs::create_directory(at("disk"));
  const std::string own = "mount -t tmpfs -o size=4m none " + at("disk");
  if (shell("unshare -rm sh -c '" + own + "'").code != 0) {
    GTEST_SKIP() << "needs a file system of its own (unshare, mount)";
  }
  const std::string spiking = config("spiking.cfg", kSpiking);
  const std::string start = mpirun("-n 2") + " " SPILLWAY_EXECUTABLE " train " + spiking +
                            " --quiet --set train.epochs=100000 --folder " + at("disk/run");
  folder_.write("full.sh", own + "\n" + start + " &\njob=$!\ncd " + at("disk") + R"(
until ls run/snapshots/*.h5 > /dev/null 2>&1; do sleep 0.05; done
cat /dev/zero > fill 2> /dev/null
SECONDS=0
wait $job
echo "code $?"
((SECONDS < 20)) && echo soon
cp -r run ../run
)");
  const Result result = shell("unshare -rm bash " + at("full.sh"));
  EXPECT_THAT(result.output, AllOf(HasSubstr("spillway: rank 0 of 2 on "),
                                   HasSubstr("No space left"), HasSubstr("code 3\nsoon\n")));
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  expectResumes(spiking);
}

// Every rank reads a file when a batch needs it; they have a copy each, of which one breaks.
TEST_F(RankFaults, EndTogetherWhenOneCannotReadOnFromItsData) {
  writeRecordings(folder_, "a", 7);
  writeRecordings(folder_, "b", 7);
  const std::string file = config("recordings.cfg", kRecordings);
  const auto job = [&](const std::string& options) {
    const std::string start =
        " " SPILLWAY_EXECUTABLE " train " + file + " --quiet --folder " + at("run") + options;
    return mpirun("-n 1 -wdir " + at("a") + start) + " : -n 1 -wdir " + at("b") + start;
  };
  const Result result = harmed(job(" --set train.epochs=100000"),
                               [&] { shell("truncate -s 3 " + at("b/data/Train/") + "*/1.bin"); });
  EXPECT_EQ(result.code, 2) << result.output;
  EXPECT_EQ(numMessages(result.output), 1u) << result.output;
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("spillway: rank 1 of 2 on "), HasSubstr("data/Train/")));

  shell("cp -r " + at("a/data") + " " + at("b"));
  const std::string epochs = " --set train.epochs=" + std::to_string(lastUpdate("run") / 2 + 2);
  const Result rest = shell(job(" --resume" + epochs)); // two updates of four samples an epoch
  ASSERT_EQ(rest.code, 0) << rest.output;
  const Result whole = shell("cd " + at("a") + " && " SPILLWAY_EXECUTABLE " train " + file +
                             " --quiet --folder " + at("whole") + epochs);
  ASSERT_EQ(whole.code, 0) << whole.output;
  EXPECT_EQ(weights("run"), weights("whole"));
}

TEST_F(RankFaults, SaveWhenTheJobIsToldToEnd) {
  const Result result = harmed(
      endless(3, config("spiking.cfg", kSpiking)) + " --set train.snapshotEvery=0",
      [&] { shell("kill -TERM $(pgrep -f '^mpirun.*--folder " + at("run") + "')"); },
      Saves::AtTheEnd);
  EXPECT_NE(result.code, 0);
  EXPECT_THAT(result.output, HasSubstr("interrupted after update")) << result.output;
  EXPECT_FALSE(fs::is_empty(at("run/snapshots")));
}

} // namespace
} // namespace spillway
