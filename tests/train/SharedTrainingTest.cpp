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

  TrainOutcome train(const std::filesystem::path& path, unsigned numRanks,
                     std::uint64_t stopAfter = UINT64_MAX) {
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
      std::uint64_t done = 0; // only the last rank is asked to stop
      Trainer trainer(settings, session, *data, ranks, folder ? &*folder : nullptr, progress,
                      [&] { return ++done >= stopAfter && ranks.rank() + 1 == numRanks; });
      const TrainOutcome outcome = trainer.run();
      parameters[ranks.rank()] = session.parameters();
      if (ranks.isFirst()) {
        first = outcome;
      }
    });
    return first;
  }
};

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
  EXPECT_EQ(run.train(path, 3, 4).end, TrainEnd::Interrupted);
  EXPECT_EQ(run.train(path, 1, 3).update, 7u);
  run.train(path, 4);
  expectSame(run.parameters[3], expected);
  EXPECT_EQ(metricsOf(path), metricsOf(folder.path() / "whole"));
}

TEST(SharedTraining, RefusesMoreRanksThanMicroBatches) {
  Settings settings;
  settings.train.batchSize = 6;
  settings.train.microBatch = 3;
  onThreads(3, [&](Ranks& ranks) { EXPECT_THROW(requireWorkForAll(settings, ranks), UserError); });
  settings.train.microBatch = 2;
  onThreads(3, [&](Ranks& ranks) { requireWorkForAll(settings, ranks); });
}

} // namespace
} // namespace spillway
