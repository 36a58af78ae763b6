#include "plan/MemoryModel.hpp"

#include "PaperNetwork.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace spillway::plan {
namespace {

OptimiserSpec plainSgd() {
  OptimiserSpec sgd;
  sgd.kind = OptimiserKind::Sgd;
  return sgd;
}

MemoryModel paperModel(const MemoryLayout& layout = MemoryLayout::paper()) {
  return MemoryModel(paperNetwork(), plainSgd(), paperPartition(), kPaperBatch, layout);
}

constexpr std::uint32_t kHiddenTile = 600; // of the second hidden layer, fan-in 974

TEST(MemoryModel, CountsOneStateOfThePapersNetwork) {
  const MemoryModel model = paperModel();
  EXPECT_EQ(model.stateBytesOnTile(1), 960u);
  EXPECT_EQ(model.stateBytes(), 1412160u);
}

TEST(MemoryModel, CountsTheSpikesOfOneStep) {
  const auto extremes = [](const MemoryModel& model) {
    std::uint64_t most = 0, sum = 0;
    for (std::uint32_t tile = 1; tile < 1472; ++tile) {
      most = std::max(most, model.spikeBytesPerStepOnTile(tile));
      sum += model.spikeBytesPerStepOnTile(tile);
    }
    EXPECT_EQ(sum, model.spikeBytesPerStep());
    return std::pair(most, static_cast<double>(sum) / 1471.0);
  };
  const auto [wide, wideMean] = extremes(paperModel());
  EXPECT_EQ(wide, 88u);
  EXPECT_NEAR(wideMean, 66.0, 0.5);
  MemoryLayout shortIds = MemoryLayout::paper();
  shortIds.maxIdBytes = 2;
  const auto [narrow, narrowMean] = extremes(paperModel(shortIds));
  EXPECT_EQ(narrow, 54u);
  EXPECT_NEAR(narrowMean, 35.0, 0.5);
}

TEST(MemoryModel, ReproducesThePapersTileByPart) {
  MemoryDemand none;
  none.numSlots = 0;
  none.numSpikeSteps = 0;
  const MemoryParts parts = paperModel().onTile(kHiddenTile, none);
  EXPECT_EQ(parts.weights, 7792u);
  EXPECT_EQ(parts.gradients, 7 * 7792u);
  EXPECT_EQ(parts.optimiser, 0u);
  EXPECT_EQ(parts.states + parts.adjoint, 4800u + 1920u);
  EXPECT_NEAR(static_cast<double>(parts.temporaries), 62600.0, 200.0);
  EXPECT_NEAR(static_cast<double>(parts.total() - 45000), 155000.0, 500.0);
}

// Longest T on the 624 KiB tile with 45 kB of code. Published sensitivities of the same formulas
// add up the largest of each part; tile by tile a little more fits.
TEST(MemoryModel, PutsTheLimitsOfThePaperWhereItsFormulasDo) {
  const MemoryModel model = paperModel();
  const auto longest = [&](auto slotsOf) {
    std::uint64_t low = 1, high = 10000; // low fits, high does not
    while (high - low > 1) {
      const std::uint64_t T = (low + high) / 2;
      MemoryDemand demand;
      demand.numSlots = slotsOf(T);
      demand.numSpikeSteps = T;
      (model.fits(demand, kTileBytes, MemoryModel::Limit::PerTile) ? low : high) = T;
    }
    return static_cast<double>(low);
  };
  EXPECT_NEAR(longest([](std::uint64_t T) { return T; }), 418.0, 0.04 * 418.0);
  const double standard = longest([](std::uint64_t T) { return 60 + (T + 59) / 60; });
  EXPECT_GT(standard, 3600.0);
  EXPECT_LT(standard, 4600.0);
  const double remote = longest([](std::uint64_t) { return std::uint64_t{11}; });
  EXPECT_GT(remote, 4800.0);
  EXPECT_LT(remote, 6000.0);
}

TEST(MemoryModel, AddsTheSurrogateCacheToTheSpikes) {
  const MemoryModel model = paperModel();
  EXPECT_EQ(model.spikeBytesPerStepOnTile(1, true) - model.spikeBytesPerStepOnTile(1, false), 52u);
}

TEST(MemoryModel, ChargesStagingToIoTilesWhereThereAreAny) {
  MemoryDemand demand;
  demand.numStaging = 1;
  EXPECT_EQ(paperModel().onTile(1, demand).staging, 2u * 960);
  NetworkSpec network = paperNetwork();
  network.layers.pop_back();
  MachineShape machine;
  machine.numTiles = 1600;
  machine.numIoTiles = 32;
  const MemoryModel model(network, plainSgd(), partitionForIpu(network, machine, 2), kPaperBatch,
                          MemoryLayout::ours());
  EXPECT_EQ(model.onTile(1, demand).staging, 0u);
  EXPECT_EQ(model.onTile(1599, demand).staging, 2 * ((model.stateBytes() + 31) / 32));
}

TEST(MemoryModel, CountsOptimisersRecurrenceBiasAndAdaptation) {
  NetworkSpec network = paperNetwork();
  const OptimiserSpec adam;
  const MemoryModel plain(network, plainSgd(), paperPartition(), 8, MemoryLayout::ours());
  const MemoryModel withAdam(network, adam, paperPartition(), 8, MemoryLayout::ours());
  network.layers[1].recurrent = network.layers[1].bias = true;
  network.layers[1].neuron = NeuronKind::Alif;
  const MemoryModel rich(network, adam, paperPartition(), 8, MemoryLayout::ours());
  const MemoryDemand demand;
  EXPECT_EQ(withAdam.onTile(kHiddenTile, demand).optimiser,
            2 * plain.onTile(kHiddenTile, demand).weights);
  EXPECT_EQ(rich.onTile(kHiddenTile, demand).weights, 4u * (974 + 974 + 1) * 2);
  EXPECT_EQ(rich.stateBytesOnTile(kHiddenTile), 2 * plain.stateBytesOnTile(kHiddenTile));
}

TEST(MemoryModel, FindsTheMostSlotsWithinABudget) {
  const MemoryModel model = paperModel(MemoryLayout::ours());
  for (const auto limit : {MemoryModel::Limit::PerTile, MemoryModel::Limit::Total})
    for (std::uint64_t perTile = 0; perTile < kTileBytes; perTile += 37 * 1024) {
      const std::uint64_t budget = limit == MemoryModel::Limit::PerTile ? perTile : perTile * 1472;
      MemoryDemand demand;
      demand.numSpikeSteps = 300;
      const std::uint64_t slots = model.mostSlots(demand, budget, limit);
      demand.numSlots = slots;
      EXPECT_TRUE(slots == 0 || model.fits(demand, budget, limit));
      demand.numSlots = slots + 1;
      EXPECT_FALSE(model.fits(demand, budget, limit));
    }
}

} // namespace
} // namespace spillway::plan
