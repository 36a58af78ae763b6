#include "TrainFixture.hpp"
#include "train/DurableFile.hpp"
#include "train/IoError.hpp"

#include <gmock/gmock.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>

namespace spillway {
namespace {

namespace fs = std::filesystem;

// Runs `work` in a process of its own; the exit code is its result.
pid_t inChild(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 99;
    try {
      code = work();
    } catch (...) {
    }
    ::_exit(code);
  }
  return child;
}

TEST(KilledRun, EndsWithTheWeightsOfAnUndisturbedOne) {
  TemporaryFolder folder;
  TinyRun run;
  run.settings.train.epochs = 12;
  run.settings.train.snapshotEvery = 1;
  FakeSession undisturbed(run.settings.network);
  run.train(folder.path() / "whole", undisturbed);

  const fs::path path = folder.path() / "killed";
  std::mt19937 random(1);
  int kills = 0;
  for (bool finished = false; !finished && kills < 200;) {
    const pid_t child = inChild([&] {
      FakeSession session(run.settings.network, std::chrono::microseconds(500));
      return run.train(path, session).end == TrainEnd::Finished ? 0 : 1;
    });
    ASSERT_GT(child, 0);
    // Longer each time, so that it ends on a busy machine too.
    ::usleep(static_cast<useconds_t>(random() % static_cast<unsigned>(20000 + 4000 * kills)));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (fs::exists(path / "summary.json")) {
      EXPECT_EQ(SnapshotStore(path / "snapshots", 3).newestUpdate(), 48u);
    }
    finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    kills += finished ? 0 : 1;
  }
  EXPECT_GT(kills, 0);
  std::vector<std::string> damaged;
  const auto last =
      SnapshotStore(path / "snapshots", 3).loadNewest(tinySettings().network, damaged);
  ASSERT_TRUE(last);
  ASSERT_EQ(last->update, 48u);
  EXPECT_TRUE(damaged.empty());
  expectSame(last->parameters, undisturbed.parameters());
  expectSameRecords(path, folder.path() / "whole");
  expectSameSummary(path, folder.path() / "whole");
}

TEST(FullDisk, IsAClearErrorAndLeavesTheRunReadable) {
  TemporaryFolder folder;
  TinyRun run;
  run.settings.train.epochs = 200;
  const fs::path path = folder.path() / "run";
  const fs::path message = folder.path() / "message";
  const pid_t child = inChild([&] {
    std::signal(SIGXFSZ, SIG_IGN); // a write beyond the limit then fails as on a full disk
    const rlimit limit{30000, 30000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    FakeSession session(run.settings.network);
    try {
      run.train(path, session);
    } catch (const IoError& error) {
      writeDurably(message, error.what());
      return 3;
    }
    return 0;
  });
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WEXITSTATUS(status), 3);
  EXPECT_THAT(readWhole(message),
              testing::HasSubstr("cannot write " + (path / "metrics").string()));
  std::vector<std::string> damaged;
  EXPECT_TRUE(SnapshotStore(path / "snapshots", 3).loadNewest(tinySettings().network, damaged));
  EXPECT_TRUE(damaged.empty());
}

TEST(RunFolder, SaysWhyItCannotBeMade) {
  TemporaryFolder folder;
  folder.write("file", "");
  try {
    RunFolder run(folder.path() / "file" / "run");
    FAIL() << "no error";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("cannot make the run folder"));
  }
}

TEST(RunFolder, HasOneWriterAtATime) {
  TemporaryFolder folder;
  RunFolder first(folder.path() / "run");
  EXPECT_THROW(RunFolder second(folder.path() / "run"), IoError);
}

TEST(RunFolder, NumbersFreshNames) {
  TemporaryFolder folder;
  const fs::path base = folder.path() / "run";
  EXPECT_EQ(RunFolder::fresh(base), base);
  EXPECT_EQ(RunFolder::latest(base), "");
  fs::create_directory(base);
  EXPECT_EQ(RunFolder::fresh(base), base.string() + "-2");
  EXPECT_EQ(RunFolder::latest(base), base);
}

} // namespace
} // namespace spillway
