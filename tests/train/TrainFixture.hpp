// A tiny run: 8 inputs, one layer of 4, 3 classes, T = 10, 18 training samples, batches of 4.
#pragma once

#include "FakeSession.hpp"
#include "data/OpenDataSet.hpp"
#include "parallel/OneRank.hpp"
#include "support/TemporaryFolder.hpp"
#include "train/Trainer.hpp"

#include <gtest/gtest.h>

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

  // Trains in `folder`, continuing what is there; stops as asked after `stopAfter` updates.
  TrainOutcome train(const std::filesystem::path& folder, FakeSession& session,
                     std::uint64_t stopAfter = UINT64_MAX) {
    const auto data = openDataSet(settings.data);
    RunFolder run(folder);
    Progress progress(output, ProgressStyle::Plain);
    std::uint64_t done = 0;
    OneRank ranks;
    Trainer trainer(settings, session, *data, ranks, &run, progress,
                    [&] { return ++done >= stopAfter; });
    return trainer.run();
  }
};

inline void expectSame(const ParameterSet& a, const ParameterSet& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].values, b[i].values) << a[i].name;
  }
}

} // namespace spillway
