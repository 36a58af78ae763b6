// The loop on several ranks, which are threads here.
#include "TrainFixture.hpp"
#include "parallel/EveryRankError.hpp"
#include "support/ThreadRanks.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

namespace spillway {
namespace {

struct SharedRun {
  Settings settings = tinySettings();
  std::vector<ParameterSet> parameters; // by rank, after training

  SharedRun() {
    settings.train.batchSize = 6;
    settings.train.microBatch = 1;
    settings.train.snapshotEvery = 1;
  }

  // Only the last rank is told to stop.
  using Stop = std::function<bool(const FakeSession&)>;
  TrainOutcome train(
      const std::filesystem::path& path, unsigned numRanks,
      const Stop& stop = [](const FakeSession&) { return false; }) {
    TrainOutcome first;
    parameters.resize(numRanks);
    onThreads(numRanks, [&](Ranks& ranks) {
      const auto data = openDataSet(settings.data);
      std::ostringstream output;
      Progress progress(output, ProgressStyle::Silent);
      FakeSession session(settings.network);
      std::optional<RunFolder> folder;
      if (ranks.isFirst()) {
        folder.emplace(path);
      }
      Trainer trainer(settings, session, *data, ranks, folder ? &*folder : nullptr, progress,
                      [&] { return ranks.rank() + 1 == numRanks && stop(session); });
      const TrainOutcome outcome = trainer.run();
      parameters[ranks.rank()] = session.parameters();
      if (ranks.isFirst()) {
        first = outcome;
      }
    });
    return first;
  }
};

// Ranks agree on whether to stop before they make the update.
SharedRun::Stop afterUpdate(std::uint64_t update) {
  return
      [update](const FakeSession& session) { return session.optimiserState().step + 1 >= update; };
}

std::vector<nlohmann::json> metricsOf(const std::filesystem::path& folder) {
  std::vector<nlohmann::json> records;
  std::ifstream file(folder / "metrics.jsonl");
  for (std::string line; std::getline(file, line);) {
    records.push_back(nlohmann::json::parse(line));
    for (const char* timed : {"seconds", "samplesPerSecond", "peakMemoryBytes", "reduceShare"}) {
      records.back().erase(timed);
    }
  }
  return records;
}

TEST(SharedTraining, DoesNotDependOnTheNumberOfRanks) {
  const TemporaryFolder folder;
  SharedRun run;
  const TrainOutcome one = run.train(folder.path() / "1", 1);
  const ParameterSet expected = run.parameters[0];
  for (const unsigned numRanks : {2u, 3u, 4u, 6u}) {
    const auto path = folder.path() / std::to_string(numRanks);
    const TrainOutcome outcome = run.train(path, numRanks);
    EXPECT_EQ(outcome.lastEpoch.lossSum, one.lastEpoch.lossSum);
    EXPECT_EQ(outcome.lastTest->lossSum, one.lastTest->lossSum);
    EXPECT_EQ(outcome.lastTest->numSamples, one.lastTest->numSamples);
    EXPECT_EQ(metricsOf(path), metricsOf(folder.path() / "1"));
    for (const ParameterSet& parameters : run.parameters) {
      expectSame(parameters, expected);
    }
  }
}

TEST(SharedTraining, ResumesWithAnotherNumberOfRanks) {
  const TemporaryFolder folder;
  SharedRun run;
  run.train(folder.path() / "whole", 1);
  const ParameterSet expected = run.parameters[0];
  const auto path = folder.path() / "parts";
  EXPECT_EQ(run.train(path, 3, afterUpdate(5)).end, TrainEnd::Interrupted);
  EXPECT_EQ(run.train(path, 1, afterUpdate(8)).update, 8u);
  run.train(path, 4);
  expectSame(run.parameters[3], expected);
  EXPECT_EQ(metricsOf(path), metricsOf(folder.path() / "whole"));
}

TEST(SharedTraining, StopsWithinAnEvaluationWhicheverRankIsTold) {
  const TemporaryFolder folder;
  SharedRun run;
  run.settings.data.samplesPerClass = 24; // 72 to train on, and batches to evaluate for every rank
  run.settings.train.epochs = 2;
  run.train(folder.path() / "whole", 1);
  const ParameterSet expected = run.parameters[0];
  for (const unsigned numRanks : {2u, 4u}) {
    const auto path = folder.path() / std::to_string(numRanks);
    const TrainOutcome stopped = run.train(
        path, numRanks, [](const FakeSession& session) { return session.numEvaluated() == 1; });
    EXPECT_EQ(stopped.end, TrainEnd::Interrupted);
    EXPECT_EQ(stopped.update, 12u); // those of the first epoch
    run.train(path, 3);
    expectSame(run.parameters[0], expected);
    EXPECT_EQ(metricsOf(path), metricsOf(folder.path() / "whole"));
  }
}

TEST(SharedTraining, RefusesMoreRanksThanMicroBatches) {
  Settings settings;
  settings.train.batchSize = 6;
  settings.train.microBatch = 3;
  EXPECT_THROW(requireWorkForAll(settings, 3), UserError);
  settings.train.microBatch = 2;
  requireWorkForAll(settings, 3);
}

} // namespace
} // namespace spillway
