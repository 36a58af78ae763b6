#include "plan/MemoryModel.hpp"

#include "PaperNetwork.hpp"
#include "plan/OurLayout.hpp"
#include "plan/PaperLayout.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace spillway::plan {
namespace {

OptimiserSpec plainSgd() {
  OptimiserSpec sgd;
  sgd.kind = OptimiserKind::Sgd;
  return sgd;
}

MemoryModel paperModel(const PaperLayout& layout = {}) {
  return MemoryModel(paperBytes(paperNetwork(), plainSgd(), paperPartition(), kPaperBatch, layout));
}

MemoryModel ourModel(const NetworkSpec& network, const OptimiserSpec& optimiser,
                     std::uint32_t batch) {
  OurLayout layout;
  layout.batch = batch;
  return MemoryModel(ourBytes(network, optimiser, partitionForIpu(network, {}, 2), layout));
}

constexpr std::uint32_t kHiddenTile = 600; // of the second hidden layer, fan-in 974

TEST(MemoryModel, CountsOneStateOfThePapersNetwork) {
  const MemoryModel model = paperModel();
  EXPECT_EQ(model.machine().tiles[1].stateBytes, 960u);
  EXPECT_EQ(model.stateBytes(), 1412160u);
}

TEST(MemoryModel, CountsTheSpikesOfOneStep) {
  const auto extremes = [](const MemoryModel& model) {
    std::uint64_t most = 0, sum = 0;
    for (std::uint32_t tile = 1; tile < 1472; ++tile) {
      most = std::max(most, model.machine().tiles[tile].spikeBytesPerStep);
      sum += model.machine().tiles[tile].spikeBytesPerStep;
    }
    EXPECT_EQ(sum, model.spikeBytesPerStep());
    return std::pair(most, static_cast<double>(sum) / 1471.0);
  };
  const auto [wide, wideMean] = extremes(paperModel());
  EXPECT_EQ(wide, 88u);
  EXPECT_NEAR(wideMean, 66.0, 0.5);
  PaperLayout shortIds;
  shortIds.idBytes = 2;
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
  EXPECT_EQ(paperModel().machine().tiles[1].cacheBytesPerStep, 52u);
}

TEST(MemoryModel, ChargesStagingWhereTransfersPass) {
  MemoryDemand demand;
  demand.transferStates = 3;
  EXPECT_EQ(paperModel().onTile(1, demand).staging, 0u);
  EXPECT_EQ(ourModel(paperNetwork(), {}, kPaperBatch).onTile(1, demand).staging, 3u * 960);
  demand.overlap = true;
  EXPECT_EQ(paperModel().onTile(1, demand).staging, 6u * 960);
  MachineShape machine;
  machine.numTiles = 1600;
  machine.numIoTiles = 32;
  OurLayout layout;
  layout.batch = kPaperBatch;
  const MemoryModel model(
      ourBytes(paperNetwork(), plainSgd(), partitionForIpu(paperNetwork(), machine, 2), layout));
  EXPECT_EQ(model.onTile(1, demand).staging, 0u);
  std::uint64_t staged = 0;
  for (std::uint32_t tile = 1568; tile < 1600; ++tile) {
    const std::uint64_t here = model.onTile(tile, demand).staging;
    EXPECT_GE(here + 6 * 960, 6 * model.stateBytes() / 32);
    EXPECT_LE(here, 6 * model.stateBytes() / 32 + 6 * 960);
    staged += here;
  }
  EXPECT_EQ(staged, 6 * model.stateBytes());
}

TEST(MemoryModel, PutsTheTableOfActionsOnTheFirstTile) {
  MemoryDemand demand, longer;
  longer.numActions = 100;
  const MemoryModel model = ourModel(paperNetwork(), {}, 8);
  EXPECT_EQ(model.onTile(0, longer).total() - model.onTile(0, demand).total(), 3600u);
  EXPECT_EQ(model.onTile(1, longer).total(), model.onTile(1, demand).total());
  longer.numActions = 1000;
  MemoryDemand longest;
  longest.numActions = 1'000'000;
  EXPECT_EQ(model.onTile(0, longest).total(), model.onTile(0, longer).total()) << "a page";
}

TEST(OurLayout, CountsOptimisersRecurrenceBiasAndAdaptation) {
  NetworkSpec network = paperNetwork();
  const OptimiserSpec adam;
  const MemoryDemand demand;
  const MemoryModel plain = ourModel(network, plainSgd(), 8);
  const MemoryModel withAdam = ourModel(network, adam, 8);
  network.layers[1].recurrent = network.layers[1].bias = true;
  network.layers[1].neuron = NeuronKind::Alif;
  const MemoryModel rich = ourModel(network, adam, 8);
  EXPECT_EQ(plain.onTile(kHiddenTile, demand).weights, 4u * (974 + 1) * 2);
  EXPECT_EQ(withAdam.onTile(kHiddenTile, demand).optimiser, 2 * 4u * 974 * 2);
  EXPECT_EQ(rich.onTile(kHiddenTile, demand).weights, 4u * (974 + 974 + 1) * 2);
  EXPECT_EQ(rich.onTile(kHiddenTile, demand).optimiser,
            2 * rich.onTile(kHiddenTile, demand).weights);
  EXPECT_EQ(rich.machine().tiles[kHiddenTile].stateBytes,
            2 * plain.machine().tiles[kHiddenTile].stateBytes);
}

TEST(OurLayout, DealsTheHistoryOutEvenlyOnAnIpuAndByGroupsOnACpu) {
  const NetworkSpec network = paperNetwork();
  // 16-bit words: the input's list of 48, three of 48 and one of 2, each with a header of 2.
  const std::uint64_t perStep = 2ull * kPaperBatch * (4 * 50 + 4);
  const MemoryModel ipu = ourModel(network, {}, kPaperBatch);
  EXPECT_EQ(ipu.spikeBytesPerStep(), perStep);
  for (std::uint32_t tile = 1; tile < 1472; ++tile)
    EXPECT_NEAR(static_cast<double>(ipu.machine().tiles[tile].spikeBytesPerStep),
                static_cast<double>(perStep) / 1471.0, 4.0);
  OurLayout layout;
  layout.batch = 16;
  layout.samplesPerGroup = 4;
  layout.history = OurLayout::History::WithGroups;
  const TilePartition partition = partitionForCpu(network);
  const MemoryModel cpu(ourBytes(network, {}, partition, layout));
  EXPECT_EQ(cpu.spikeBytesPerStep(), 2ull * 16 * (4 * 50 + 4));
  EXPECT_EQ(cpu.machine().tiles[partition.layers[0][0].tile].spikeBytesPerStep, 2ull * 4 * 100);
}

TEST(OurLayout, MovesListsAsMasksWhereThoseAreFarShorter) {
  OurLayout layout;
  layout.batch = 3;
  layout.history = OurLayout::History::WithGroups;
  const auto moved = [&](std::uint32_t cap) {
    NetworkSpec network;
    network.numInputs = 64;
    network.maxInputEvents = cap;
    network.layers.resize(1);
    network.layers[0].size = 128;
    network.layers[0].maxActive = cap;
    network.layers[0].gradientTheta = 0.3;
    network.readout.numOutputs = 2;
    return MemoryModel(ourBytes(network, {}, partitionForCpu(network), layout))
        .spilledBytesPerStep();
  };
  // 16-bit words: a header of 2, then a bit for each input, and two for each neuron.
  EXPECT_EQ(moved(0), 2u * 3 * ((2 + 4) + (2 + 16)));
  // Lists of 20 with their headers: masks would be shorter, but not by much.
  EXPECT_EQ(moved(20), 2u * 3 * (22 + 22));
}

TEST(MemoryModel, FindsTheMostSlotsWithinABudget) {
  const MemoryModel model = ourModel(paperNetwork(), {}, kPaperBatch);
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
