#include "TrainFixture.hpp"
#include "network/IoError.hpp"
#include "train/DurableFile.hpp"
#include "train/StartingParameters.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace spillway {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class TrainerRun : public testing::Test {
protected:
  TemporaryFolder folder_;
  TinyRun run_;
  FakeSession session_{run_.settings.network};
};

TEST_F(TrainerRun, RecordsEveryEpochAndTest) {
  const fs::path path = folder_.path() / "run";
  const TrainOutcome outcome = run_.train(path, session_);
  EXPECT_EQ(outcome.end, TrainEnd::Finished);
  EXPECT_EQ(outcome.update, 20u); // 18 samples make 4 batches of 4
  int trains = 0, epochs = 0, tests = 0;
  for (const auto& record : records(path)) {
    trains += record["kind"] == "train" ? 1 : 0;
    epochs += record["kind"] == "epoch" ? 1 : 0;
    tests += record["kind"] == "test" ? 1 : 0;
    EXPECT_EQ(record["layers"].size(), 1u);
  }
  EXPECT_EQ(trains, 6);
  EXPECT_EQ(epochs, 5);
  EXPECT_EQ(tests, 5);
  const auto summary = nlohmann::json::parse(readWhole(path / "summary.json"));
  EXPECT_EQ(summary["updates"], 20);
  const std::string csv = readWhole(path / "metrics.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 17);
}

TEST_F(TrainerRun, CountsRatesPerNeuronStep) {
  run_.train(folder_.path() / "run", session_);
  const auto record = records(folder_.path() / "run").at(0); // 3 batches of 4 samples
  EXPECT_DOUBLE_EQ(record["layers"][0]["rate"], 15.0 / (12 * 10 * 4));
  EXPECT_DOUBLE_EQ(record["layers"][0]["gradientShare"], 21.0 / (12 * 10 * 4));
  EXPECT_EQ(record["layers"][0]["dropped"], 3);
  EXPECT_DOUBLE_EQ(record["sparsity"], 1.0 - 15.0 / (12 * 10 * 4));
}

TEST_F(TrainerRun, LeavesTheTestDataForTheEndWhereSamplesAreHeldOut) {
  run_.settings.data.numValidation = 3;
  const TrainOutcome outcome = run_.train(folder_.path() / "run", session_);
  EXPECT_EQ(outcome.lastValidation->numLabels, 3u);
  int validations = 0, tests = 0;
  for (const auto& record : records(folder_.path() / "run")) {
    validations += record["kind"] == "validation" ? 1 : 0;
    tests += record["kind"] == "test" ? 1 : 0;
  }
  EXPECT_EQ(validations, 5);
  EXPECT_EQ(tests, 1);
  const auto summary = nlohmann::json::parse(readWhole(folder_.path() / "run" / "summary.json"));
  EXPECT_TRUE(summary.contains("validationAccuracy"));
}

TEST_F(TrainerRun, CountsEveryTestSampleOnce) {
  const TrainOutcome outcome = run_.train(folder_.path() / "run", session_);
  const auto data = openDataSet(run_.settings.data);
  ASSERT_NE(data->numSamples(Split::Test) % run_.settings.train.batchSize, 0u);
  EXPECT_EQ(outcome.lastTest->numLabels, data->numSamples(Split::Test));
}

TEST_F(TrainerRun, NamesTheLineOfTheMetricsThatIsNoRecord) {
  const fs::path path = folder_.path() / "run";
  run_.train(path, session_, 7);
  const std::string metrics = readWhole(path / "metrics.jsonl");
  const std::size_t second = metrics.find('\n') + 1;
  for (const char* line : {"12", "{}", "{\"update\": \"3\"}", "no JSON"}) {
    const std::string damaged =
        metrics.substr(0, second) + line + "\n" + metrics.substr(second); // not the last
    writeDurably(path / "metrics.jsonl", damaged);
    try {
      run_.train(path, session_);
      FAIL() << "no error: " << line;
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr((path / "metrics.jsonl").string() + ":2: is not a record"));
    }
    EXPECT_EQ(readWhole(path / "metrics.jsonl"), damaged);
  }
}

TEST_F(TrainerRun, TakesAFolderInPlaceOfASnapshotForADamagedOne) {
  const fs::path path = folder_.path() / "run";
  run_.train(path, session_, 7);
  const fs::path obstacle = path / "snapshots" / "update-000000000009.h5";
  fs::create_directories(obstacle);
  FakeSession again(run_.settings.network);
  run_.train(path, again, 1);
  EXPECT_THAT(run_.output.str(),
              HasSubstr("cannot read " + obstacle.string() + ": Is a directory"));
}

TEST_F(TrainerRun, UsesTheSnapshotBeforeADamagedOne) {
  run_.train(folder_.path() / "whole", session_);
  const fs::path path = folder_.path() / "run";
  FakeSession first(run_.settings.network), second(run_.settings.network);
  run_.train(path, first, 7);
  const auto files = SnapshotStore(path / "snapshots", 3).files();
  std::string content = readWhole(files.back());
  content[content.size() / 2] ^= 0x10;
  writeDurably(files.back(), content);
  run_.train(path, second);
  EXPECT_THAT(run_.output.str(), HasSubstr(files.back().string() + " is damaged"));
  EXPECT_THAT(run_.output.str(), HasSubstr("using the one before"));
  expectSame(second.parameters(), session_.parameters());
}

TEST_F(TrainerRun, KeepsWhatItJustSavedRatherThanADamagedLaterOne) {
  const fs::path path = folder_.path() / "run";
  FakeSession first(run_.settings.network), second(run_.settings.network);
  run_.settings.train.snapshotEvery = 0; // only of epochs, of four updates
  run_.train(path, first, 10);
  const fs::path later = SnapshotStore(path / "snapshots", 3).files().back();
  writeDurably(later, "");
  run_.settings.train.keepSnapshots = 1;
  const TrainOutcome outcome = run_.train(path, second, 1);
  ASSERT_LT(outcome.update, 10u);
  const auto files = SnapshotStore(path / "snapshots", 1).files();
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files.back(), outcome.snapshot);
  EXPECT_TRUE(fs::exists(later.string() + ".damaged"));
}

TEST_F(TrainerRun, DoesNotBeginAnewWhereSnapshotsCannotBeSeen) {
  const fs::path path = folder_.path() / "run";
  fs::create_directories(path);
  writeDurably(path / "snapshots", "no folder");
  EXPECT_THROW(run_.train(path, session_), IoError);
  EXPECT_FALSE(fs::exists(path / "metrics.jsonl"));
}

TEST_F(TrainerRun, StaysWholeWhenASnapshotCannotBeWritten) {
  run_.train(folder_.path() / "whole", session_);
  const fs::path path = folder_.path() / "run";
  const fs::path obstacle = path / "snapshots" / "update-000000000006.h5.partial";
  fs::create_directories(obstacle); // where the sixth update's snapshot would be written
  FakeSession first(run_.settings.network), second(run_.settings.network);
  try {
    run_.train(path, first);
    FAIL() << "no error";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("update-000000000006.h5: Is a directory"));
  }
  fs::remove(obstacle);
  run_.train(path, second);
  expectSame(second.parameters(), session_.parameters());
  EXPECT_EQ(records(path).size(), records(folder_.path() / "whole").size());
}

TEST_F(TrainerRun, IsNotFinishedWithoutItsLastSnapshot) {
  const fs::path path = folder_.path() / "run";
  fs::create_directories(path / "snapshots" / "update-000000000020.h5.partial");
  EXPECT_THROW(run_.train(path, session_), IoError);
  EXPECT_FALSE(fs::exists(path / "summary.json"));
}

TEST_F(TrainerRun, LeavesARunWithoutAnIntactSnapshotAsItIs) {
  const fs::path path = folder_.path() / "run";
  run_.train(path, session_, 7);
  for (const auto& file : SnapshotStore(path / "snapshots", 3).files()) {
    writeDurably(file, "");
  }
  const std::string metrics = readWhole(path / "metrics.jsonl");
  run_.output.str("");
  EXPECT_THROW(run_.train(path, session_), IoError);
  EXPECT_THAT(run_.output.str(), AllOf(HasSubstr("is damaged"), Not(HasSubstr("the one before"))));
  EXPECT_EQ(readWhole(path / "metrics.jsonl"), metrics);
}

TEST_F(TrainerRun, LeavesAFinishedRunAsItIs) {
  const fs::path path = folder_.path() / "run";
  run_.train(path, session_);
  const std::string summary = readWhole(path / "summary.json");
  const std::string metrics = readWhole(path / "metrics.jsonl");
  FakeSession again(run_.settings.network);
  EXPECT_EQ(run_.train(path, again).end, TrainEnd::Finished);
  EXPECT_EQ(readWhole(path / "summary.json"), summary);
  EXPECT_EQ(readWhole(path / "metrics.jsonl"), metrics);
}

TEST_F(TrainerRun, KeepsTheLastSnapshotsOnly) {
  run_.train(folder_.path() / "run", session_);
  const auto files = SnapshotStore(folder_.path() / "run" / "snapshots", 3).files();
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files.back().filename(), "update-000000000020.h5");
}

TEST_F(TrainerRun, StopsWhenTheLossIsNoNumber) {
  session_.failAt(6);
  try {
    run_.train(folder_.path() / "run", session_);
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the loss is nan at update 6"));
    EXPECT_THAT(error.what(), HasSubstr("learningRate.peak"));
  }
  std::vector<std::string> damaged;
  EXPECT_EQ(SnapshotStore(folder_.path() / "run" / "snapshots", 3)
                .loadNewest(tinySettings().network, damaged)
                ->update,
            4u);
}

TEST_F(TrainerRun, StopsBeforeItSavesWeightsThatAreNotFinite) {
  session_.spoilAt(20); // the last update: no later loss would show it
  try {
    run_.train(folder_.path() / "run", session_);
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("after update 20 layer0/weight [0, 1] is inf"));
  }
  EXPECT_FALSE(fs::exists(folder_.path() / "run" / "summary.json"));
  std::vector<std::string> damaged;
  EXPECT_EQ(SnapshotStore(folder_.path() / "run" / "snapshots", 3)
                .loadNewest(tinySettings().network, damaged)
                ->update,
            18u);
}

TEST_F(TrainerRun, BeginsWithTheWeightsOfAFile) {
  run_.train(folder_.path() / "first", session_);
  const fs::path snapshot = SnapshotStore(folder_.path() / "first" / "snapshots", 3).files().back();
  run_.settings.train.weights = snapshot.string();
  expectSame(startingParameters(run_.settings), session_.parameters());
  run_.settings.train.weights.clear();
  expectSame(startingParameters(run_.settings),
             initialParameters(run_.settings.network, run_.settings.train.seed,
                               run_.settings.train.weightScale));
}

TEST_F(TrainerRun, RefusesABatchLargerThanTheData) {
  run_.settings.train.batchSize = 19;
  try {
    run_.train(folder_.path() / "run", session_);
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("it must be 1 to 18"));
  }
}

} // namespace
} // namespace spillway
