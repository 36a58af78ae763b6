// The planner's bytes against the ledger of the IPU Model, tile by tile.
#include "plan/MemoryModel.hpp"
#include "plan/OurLayout.hpp"
#include "plan/PaperStrategies.hpp"
#include "plan/Planner.hpp"
#include "plan/SpikeSpill.hpp"
#include "plan/Streamed.hpp"
#include "train/GraphSession.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace spillway {
namespace {

constexpr std::uint32_t kLightSteps = 4;

struct Layout {
  const char* name;
  NetworkSpec network;
  std::uint32_t numTiles, neuronsPerTile, batch, blockSteps;
  OptimiserSpec optimiser;
  std::uint32_t gradientCopies = 1;
  std::uint32_t numIpus = 1; // of numTiles each
  std::uint32_t numReplicas = 1, numMicroBatches = 1;
};

NetworkSpec stack(std::uint32_t inputs, std::vector<std::uint32_t> sizes, std::uint32_t cap) {
  NetworkSpec network;
  network.numInputs = inputs;
  network.maxInputEvents = cap;
  for (const std::uint32_t size : sizes) {
    LayerSpec layer;
    layer.size = size;
    layer.maxActive = cap;
    layer.gradientTheta = 0.9;
    network.layers.push_back(layer);
  }
  network.readout.numOutputs = 10;
  return network;
}

OptimiserSpec sgd() {
  OptimiserSpec optimiser;
  optimiser.kind = OptimiserKind::Sgd;
  return optimiser;
}

std::vector<Layout> layouts() {
  std::vector<Layout> result;
  result.push_back(
      {"the paper's, a tenth wide", stack(70, {97, 97, 97}, 12), 160, 2, 24, 1, sgd()});
  result.push_back(
      {"the same, six copies of gradients", stack(70, {97, 97, 97}, 12), 160, 2, 24, 1, sgd(), 6});
  result.push_back({"large batch", stack(100, {120, 120}, 16), 100, 4, 60, 1, sgd()});
  result.push_back({"many neurons a tile, adam", stack(64, {256, 128}, 20), 40, 16, 16, 1, {}});
  result.push_back({"blocks of four steps", stack(64, {128, 128}, 16), 80, 4, 16, 4, {}});
  result.push_back({"over two IPUs", stack(64, {128, 128}, 16), 40, 4, 16, 4, {}, 1, 2});
  result.push_back({"over four IPUs", stack(70, {97, 97, 97}, 12), 40, 2, 24, 1, sgd(), 1, 4});
  const NetworkSpec wide = stack(64, {256, 128}, 20);
  result.push_back({"two replicas", wide, 40, 16, 16, 1, {}, 1, 1, 2, 2});
  result.push_back(
      {"two replicas of three micro-batches each", wide, 40, 16, 16, 1, {}, 1, 1, 2, 6});
  result.push_back({"four replicas of one or two micro-batches, the paper's, a tenth wide",
                    stack(70, {97, 97, 97}, 12), 160, 2, 24, 1, sgd(), 1, 1, 4, 7});
  result.push_back({"three replicas over two IPUs each, of two to three micro-batches",
                    stack(64, {128, 128}, 16),
                    40,
                    4,
                    16,
                    4,
                    {},
                    1,
                    2,
                    3,
                    8});
  NetworkSpec recurrent = stack(64, {96, 96}, 16);
  for (LayerSpec& layer : recurrent.layers) {
    layer.recurrent = layer.bias = true;
    layer.neuron = NeuronKind::Alif;
  }
  recurrent.readout.bias = true;
  result.push_back({"recurrent, adaptive, biased", recurrent, 64, 4, 24, 1, {}});
  result.push_back({"the same on two replicas", recurrent, 64, 4, 24, 1, {}, 1, 1, 2, 8});
  NetworkSpec dense = stack(64, {96, 96}, 0);
  for (LayerSpec& layer : dense.layers) {
    layer.gradientTheta = -std::numeric_limits<double>::infinity();
  }
  result.push_back({"every neuron learns", dense, 64, 4, 24, 1, {}});
  dense.layers[1].recurrent = true;
  result.push_back({"every neuron learns, recurrent", dense, 64, 4, 24, 1, {}});
  NetworkSpec perStep = stack(64, {96, 96}, 16);
  perStep.readout.reduction = ReadoutReduction::PerStep;
  result.push_back({"a label at every step", perStep, 64, 4, 24, 1, sgd()});
  NetworkSpec counts = stack(64, {96, 10}, 16);
  counts.layers[1].maxActive = 4;
  counts.readout.kind = ReadoutKind::SpikeCount;
  counts.loss.rate.upper = 1.0;
  result.push_back({"spike counts, rates regularised", counts, 64, 4, 24, 1, sgd()});
  const auto gated = [&](LayerKind kind, GatedConvention convention, double masks,
                         std::uint32_t size = 96) {
    NetworkSpec network = stack(64, {size, size}, 0);
    for (LayerSpec& layer : network.layers) {
      layer = LayerSpec();
      layer.kind = kind;
      layer.size = size;
      layer.bias = true;
      layer.gated.convention = convention;
      layer.gated.dropout = layer.gated.dropconnect = masks;
    }
    return network;
  };
  result.push_back({"egru", gated(LayerKind::Egru, GatedConvention::Code, 0.0), 64, 4, 24, 1, {}});
  result.push_back({"egru on three replicas",
                    gated(LayerKind::Egru, GatedConvention::Code, 0.0),
                    64,
                    4,
                    24,
                    1,
                    {},
                    1,
                    1,
                    3,
                    6});
  result.push_back({"egru with masks, many neurons a tile",
                    gated(LayerKind::Egru, GatedConvention::Code, 0.2), 24, 16, 16, 1, sgd()});
  result.push_back({"gru", gated(LayerKind::Gru, GatedConvention::Code, 0.0), 64, 4, 24, 1, {}});
  result.push_back(
      {"egru as published", gated(LayerKind::Egru, GatedConvention::Paper, 0.0), 64, 4, 24, 1, {}});
  // Tiny ones, of which most tiles see only the control program.
  result.push_back({"tiny", stack(11, {13, 9}, 6), 64, 4, 5, 1, {}});
  result.push_back({"tiny on an IPU", stack(11, {13, 9}, 6), 1472, 4, 5, 1, sgd()});
  result.push_back({"tiny in blocks", stack(20, {24, 16, 8}, 8), 64, 8, 3, 3, {}});
  NetworkSpec tinyRecurrent = stack(12, {16, 16}, 8);
  for (LayerSpec& layer : tinyRecurrent.layers) {
    layer.recurrent = true;
    layer.neuron = NeuronKind::Alif;
  }
  result.push_back({"tiny, recurrent, adaptive", tinyRecurrent, 64, 2, 4, 1, {}});
  result.push_back(
      {"tiny egru", gated(LayerKind::Egru, GatedConvention::Code, 0.0, 12), 64, 4, 4, 1, {}});
  result.push_back(
      {"tiny gru", gated(LayerKind::Gru, GatedConvention::Code, 0.0, 12), 64, 4, 4, 1, sgd()});
  result.push_back({"tiny egru as published",
                    gated(LayerKind::Egru, GatedConvention::Paper, 0.0, 12),
                    64,
                    4,
                    4,
                    1,
                    {}});
  return result;
}

std::vector<plan::Schedule> schedules(const NetworkSpec& network) {
  const plan::Step T = 40;
  plan::Costs costs;
  costs.writePerState = costs.readPerState = 3.0;
  std::vector<plan::Schedule> all{
      plan::base(T),
      plan::doubleCheckpointing(T, 10, 4),
      plan::hierarchical(T, 5, 3),
      plan::streamed(T, 4, costs).schedule,
      plan::remote(400, 2), // a table of several pages
      plan::withSpilledSpikes(plan::doubleCheckpointing(T, 10, 4), 8, 2)};
  if (plan::surrogateCacheIsExact(network)) {
    all.push_back(plan::surrogateCached(T));
    all.push_back(plan::withSpilledSpikes(plan::surrogateCached(T), 8, 2));
  }
  return all;
}

class Ledger : public testing::TestWithParam<std::size_t> {
protected:
  const Layout layout_ = layouts()[GetParam()];

  SessionLedger ledger(const plan::Schedule& schedule) const {
    SessionRequest request;
    request.network = layout_.network;
    request.optimiser = layout_.optimiser;
    request.schedule = schedule;
    request.numSamples = layout_.batch;
    request.blockSteps = layout_.blockSteps;
    request.lightSteps = kLightSteps;
    request.gradientCopies = layout_.gradientCopies;
    request.neuronsPerTile = layout_.neuronsPerTile;
    request.device.deviceClass = DeviceClass::IpuModel;
    request.device.numTiles = layout_.numTiles;
    request.device.numIpus = layout_.numIpus;
    request.device.numReplicas = layout_.numReplicas;
    if (layout_.numMicroBatches > 1) {
      request.sharing = {GradientUse::OnDevice, layout_.numMicroBatches};
      request.updateSamples = layout_.batch * layout_.numMicroBatches;
    }
    request.engine.threads = 1;
    return ledgerOf(request);
  }

  plan::MemoryModel model() const {
    plan::OurLayout ours;
    ours.batch = layout_.batch;
    ours.blockSteps = layout_.blockSteps;
    ours.lightSteps = kLightSteps;
    ours.gradientCopies = layout_.gradientCopies;
    if (layout_.numMicroBatches > 1) {
      ours.sums = plan::replicaSumsOf(layout_.numReplicas, layout_.numMicroBatches);
    }
    const plan::TilePartition partition = plan::partitionForIpu(
        layout_.network, {layout_.numTiles * layout_.numIpus, 0, layout_.numIpus},
        layout_.neuronsPerTile);
    return plan::MemoryModel(plan::ourBytes(layout_.network, layout_.optimiser, partition, ours));
  }
};

TEST_P(Ledger, EqualsThePlanTensorByTensorAndOffChipAndWithinFivePercentInTotal) {
  const plan::MemoryModel planned = model();
  for (const plan::Schedule& schedule : schedules(layout_.network)) {
    const plan::MemoryDemand demand = plan::demandOf(schedule);
    const SessionLedger held = ledger(schedule);
    const std::vector<plan::MemoryParts>& found = held.tiles;
    SCOPED_TRACE(std::string(layout_.name) + ", " + std::to_string(schedule.numSlots) + " slots, " +
                 std::to_string(schedule.numRows) + " rows, spike block " +
                 std::to_string(schedule.spikeBlock) +
                 (schedule.cachesSurrogate ? ", cached" : ""));
    double largest = 0.0, plannedLargest = 0.0, sum = 0.0, plannedSum = 0.0;
    for (std::uint32_t tile = 0; tile < found.size(); ++tile) {
      const plan::MemoryParts& is = found[tile];
      const plan::MemoryParts expected = planned.onTile(tile, demand);
      ASSERT_EQ(is.states, expected.states) << "tile " << tile;
      ASSERT_EQ(is.spikes, expected.spikes) << "tile " << tile;
      ASSERT_EQ(is.weights, expected.weights) << "tile " << tile;
      ASSERT_EQ(is.gradients, expected.gradients) << "tile " << tile;
      ASSERT_EQ(is.optimiser, expected.optimiser) << "tile " << tile;
      ASSERT_EQ(is.adjoint, expected.adjoint) << "tile " << tile;
      largest = std::max(largest, static_cast<double>(is.total()));
      plannedLargest = std::max(plannedLargest, static_cast<double>(expected.total()));
      sum += static_cast<double>(is.total());
      plannedSum += static_cast<double>(expected.total());
    }
    EXPECT_NEAR(plannedLargest / largest, 1.0, 0.05);
    EXPECT_NEAR(plannedSum / sum, 1.0, 0.05);
    const plan::RemoteUse remote = planned.remote(demand);
    EXPECT_EQ(remote.states, held.remote.states);
    EXPECT_EQ(remote.spikes, held.remote.spikes);
    EXPECT_EQ(remote.values, held.remote.values);
    EXPECT_EQ(remote.table, held.remote.table);
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, Ledger, testing::Range<std::size_t>(0, layouts().size()));

} // namespace
} // namespace spillway
