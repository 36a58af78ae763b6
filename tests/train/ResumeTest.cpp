// Runs that stop on the way, and go on from what they saved.
#include "TrainFixture.hpp"

#include <gtest/gtest.h>

namespace spillway {
namespace {

namespace fs = std::filesystem;

class ResumedRun : public testing::Test {
protected:
  TemporaryFolder folder_;
  TinyRun run_;
  FakeSession session_{run_.settings.network};
};

// Of the newest snapshot: the epoch being run.
std::uint64_t epochOf(const fs::path& run) {
  std::vector<std::string> damaged;
  const auto newest =
      SnapshotStore(run / "snapshots", 3).loadNewest(tinySettings().network, damaged);
  return newest ? newest->epoch : 0;
}

TEST_F(ResumedRun, ContinuesAnInterruptedRunToTheSameBits) {
  const TrainOutcome whole = run_.train(folder_.path() / "whole", session_);
  for (std::uint64_t stop = 1; stop <= 19; ++stop) {
    const fs::path path = folder_.path() / ("stopped-" + std::to_string(stop));
    FakeSession first(run_.settings.network), second(run_.settings.network);
    EXPECT_EQ(run_.train(path, first, stop).end, TrainEnd::Interrupted) << stop;
    const TrainOutcome outcome = run_.train(path, second);
    EXPECT_EQ(outcome.end, TrainEnd::Finished);
    expectSame(second.parameters(), session_.parameters());
    expectSame(second.optimiserState().slots[0], session_.optimiserState().slots[0]);
    EXPECT_EQ(outcome.lastEpoch.lossSum, whole.lastEpoch.lossSum);
    expectSameRecords(path, folder_.path() / "whole"); // averages that were under way, too
    expectSameSummary(path, folder_.path() / "whole");
  }
}

TEST_F(ResumedRun, ConcludesARunThatHasAlreadyAllItsEpochs) {
  for (const std::uint32_t numValidation : {0u, 3u}) {
    for (const std::uint32_t evaluateEvery : {0u, 1u, 2u}) {
      const std::string name = std::to_string(numValidation) + "-" + std::to_string(evaluateEvery);
      run_.settings.data.numValidation = numValidation;
      run_.settings.train.evaluateEvery = evaluateEvery;
      run_.settings.train.epochs = 2;
      FakeSession whole(run_.settings.network), first(run_.settings.network),
          second(run_.settings.network);
      run_.train(folder_.path() / ("whole-" + name), whole);
      const fs::path path = folder_.path() / name;
      run_.settings.train.epochs = 5;
      run_.train(path, first, [&] { return epochOf(path) == 2; });
      ASSERT_FALSE(fs::exists(path / "summary.json"));
      run_.settings.train.epochs = 2;
      EXPECT_EQ(run_.train(path, second).end, TrainEnd::Finished);
      expectSameRecords(path, folder_.path() / ("whole-" + name));
      expectSameSummary(path, folder_.path() / ("whole-" + name));
    }
  }
}

TEST_F(ResumedRun, StopsWithinAnEvaluationAndEndsInTheSameBits) {
  run_.settings.train.batchSize = 2; // several batches an evaluation
  run_.settings.data.numValidation = 4;
  run_.train(folder_.path() / "whole", session_);
  const unsigned numBatches = session_.numEvaluated();
  ASSERT_GT(numBatches, 10u);
  for (unsigned stop = 1; stop < numBatches; ++stop) {
    const fs::path path = folder_.path() / std::to_string(stop);
    FakeSession first(run_.settings.network), second(run_.settings.network);
    const TrainOutcome stopped =
        run_.train(path, first, [&] { return first.numEvaluated() == stop; });
    EXPECT_EQ(stopped.end, TrainEnd::Interrupted);
    EXPECT_EQ(first.numEvaluated(), stop); // no batch more
    EXPECT_EQ(SnapshotStore(path / "snapshots", 3).newestUpdate(), stopped.update);
    EXPECT_EQ(run_.train(path, second).end, TrainEnd::Finished);
    expectSame(second.parameters(), session_.parameters());
    expectSameRecords(path, folder_.path() / "whole");
    expectSameSummary(path, folder_.path() / "whole");
  }
}

TEST_F(ResumedRun, WritesTheSummaryThatAKillPrevented) {
  const fs::path path = folder_.path() / "run";
  const TrainOutcome whole = run_.train(path, session_);
  fs::copy(path, folder_.path() / "whole", fs::copy_options::recursive);
  fs::remove(path / "summary.json");
  FakeSession again(run_.settings.network);
  EXPECT_EQ(run_.train(path, again).lastTest->numLabels, whole.lastTest->numLabels);
  expectSameRecords(path, folder_.path() / "whole");
  expectSameSummary(path, folder_.path() / "whole");
}

TEST_F(ResumedRun, HasNoSummaryWhileItGoesOn) {
  const fs::path path = folder_.path() / "run";
  run_.train(path, session_);
  run_.settings.train.epochs = 6;
  FakeSession again(run_.settings.network);
  EXPECT_EQ(run_.train(path, again, 2).end, TrainEnd::Interrupted);
  EXPECT_FALSE(fs::exists(path / "summary.json"));
}

TEST_F(ResumedRun, ForgetsRecordsAfterTheSnapshotItResumesFrom) {
  const fs::path path = folder_.path() / "run";
  run_.settings.train.logEvery = 1;
  run_.train(path, session_);
  const auto whole = records(path);
  // As after a kill: the newest snapshots are gone, the metrics are ahead of them.
  for (const auto& file : SnapshotStore(path / "snapshots", 3).files()) {
    if (file.filename() != "update-000000000018.h5") {
      fs::remove(file);
    }
  }
  FakeSession again(run_.settings.network);
  run_.train(path, again);
  const auto resumed = records(path);
  ASSERT_EQ(resumed.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(resumed[i]["update"], whole[i]["update"]);
    EXPECT_EQ(resumed[i]["loss"], whole[i]["loss"]) << whole[i];
  }
}

TEST_F(ResumedRun, SavesAnEpochBeforeItEvaluates) {
  run_.train(folder_.path() / "whole", session_);
  const fs::path path = folder_.path() / "run";
  FakeSession first(run_.settings.network), second(run_.settings.network);
  first.failEvaluation();
  EXPECT_THROW(run_.train(path, first), std::runtime_error);
  EXPECT_EQ(SnapshotStore(path / "snapshots", 3).newestUpdate(), 4u);
  run_.train(path, second);
  expectSame(second.parameters(), session_.parameters());
  EXPECT_EQ(records(path).size(), records(folder_.path() / "whole").size());
}

// Streams of a text: the state is part of where a run stands.
TEST(ResumedRunOnText, AnInterruptedRunGoesOnFromTheCarriedState) {
  TemporaryFolder folder;
  const fs::path text = folder.path() / "text";
  fs::create_directories(text);
  std::string words;
  for (int i = 0; i < 60; ++i) {
    words += "w" + std::to_string(i * i % 7) + (i % 5 == 4 ? "\n" : " ");
  }
  writeDurably(text / "train.txt", words);
  writeDurably(text / "test.txt", words);
  TinyRun run;
  run.settings.data.set = "text";
  run.settings.data.path = text.string();
  run.settings.data.numSteps = 3;
  run.settings.data.jitterSteps = 0.0;
  run.settings.network.layers[0].kind = LayerKind::Egru;
  run.settings.network.numInputs = run.settings.network.readout.numOutputs =
      openDataSet(run.settings.data)->info().numInputs;
  run.settings.network.readout.reduction = ReadoutReduction::PerStep;
  run.settings.train.epochs = 2;
  FakeSession straight(run.settings.network), stopped(run.settings.network),
      resumed(run.settings.network);
  run.train(folder.path() / "straight", straight);
  run.train(folder.path() / "cut", stopped, 3);
  run.train(folder.path() / "cut", resumed);
  expectSame(straight.parameters(), resumed.parameters());
}

} // namespace
} // namespace spillway
