// A tiny run: 8 inputs, one layer of 4, 3 classes, T = 10, 18 training samples, batches of 4.
#pragma once

#include "FakeSession.hpp"
#include "data/OpenDataSet.hpp"
#include "parallel/OneRank.hpp"
#include "support/TemporaryFolder.hpp"
#include "train/DurableFile.hpp"
#include "train/MetricsFile.hpp"
#include "train/Trainer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <functional>
#include <sstream>

namespace spillway {

inline Settings tinySettings() {
  Settings settings;
  settings.network.layers.resize(1);
  settings.network.layers[0].size = 4;
  settings.network.numInputs = 8;
  settings.network.readout.numOutputs = 3;
  settings.data.numInputs = 8;
  settings.data.numClasses = 3;
  settings.data.numSteps = 10;
  settings.data.samplesPerClass = 6;
  settings.data.jitterSteps = 1.0;
  settings.train.batchSize = 4;
  settings.train.epochs = 5;
  settings.train.logEvery = 3;
  settings.train.snapshotEvery = 2;
  return settings;
}

struct TinyRun {
  Settings settings = tinySettings();
  std::ostringstream output;

  // Trains in `folder`, continuing what is there; stops when it is told so for the first time.
  TrainOutcome train(const std::filesystem::path& folder, FakeSession& session,
                     const std::function<bool()>& stopRequested) {
    const auto data = openDataSet(settings.data);
    RunFolder run(folder);
    Progress progress(output, ProgressStyle::Plain);
    OneRank ranks;
    return Trainer(settings, session, *data, ranks, &run, progress, stopRequested).run();
  }
  // The same, told so when it asks for the `stopAt`-th time.
  TrainOutcome train(const std::filesystem::path& folder, FakeSession& session,
                     std::uint64_t stopAt = UINT64_MAX) {
    return train(folder, session,
                 [&, asked = std::uint64_t{0}]() mutable { return ++asked >= stopAt; });
  }
};

inline std::vector<nlohmann::json> records(const std::filesystem::path& run) {
  const auto read = readMetrics(run / "metrics.jsonl");
  return {read.begin(), read.end()};
}

// The same records but for what a clock and the system's memory say.
inline void expectSameRecords(const std::filesystem::path& run, const std::filesystem::path& like) {
  const auto expected = records(like), found = records(run);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (const char* field :
         {"kind", "update", "epoch", "loss", "accuracy", "learningRate", "sparsity", "layers"}) {
      EXPECT_EQ(found[i][field], expected[i][field]) << run << " record " << i << " " << field;
    }
  }
}

inline void expectSameSummary(const std::filesystem::path& run, const std::filesystem::path& like) {
  nlohmann::json both[2];
  for (std::size_t i = 0; i < 2; ++i) {
    both[i] = nlohmann::json::parse(readWhole((i == 0 ? run : like) / "summary.json"));
    for (const char* field : {"seconds", "secondsPerUpdate", "peakMemoryBytes", "reduceSeconds"}) {
      both[i].erase(field);
    }
  }
  EXPECT_EQ(both[0], both[1]);
}

inline void expectSame(const ParameterSet& a, const ParameterSet& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].values, b[i].values) << a[i].name;
  }
}

} // namespace spillway
