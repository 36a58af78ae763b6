// Transfers of states beside compute, on the IO tiles of the IPU Model.
#include "SameBits.hpp"
#include "SessionFixture.hpp"
#include "network/UserError.hpp"
#include "plan/MemoryModel.hpp"
#include "plan/OurCosts.hpp"
#include "plan/SpikeSpill.hpp"
#include "plan/Streamed.hpp"
#include "plan/TimeModel.hpp"

namespace spillway::testing {
namespace {

// Weights large enough for lists to be full, so that the plan's activity is the run's.
Trial onIpu() {
  Trial trial;
  trial.network.numInputs = 40;
  trial.network.maxInputEvents = 8;
  trial.network.layers = {smallLayer(48), smallLayer(48)};
  for (LayerSpec& layer : trial.network.layers) {
    layer.maxActive = 6;
    layer.gradientTheta = 0.3;
  }
  trial.numSteps = 60;
  trial.numSamples = 12;
  trial.lightSteps = 4;
  trial.neuronsPerTile = 2;
  trial.device = DeviceClass::IpuModel;
  trial.numTiles = 100;
  trial.activity = 0.9;
  trial.weightScale = 6.0;
  trial.overlap = true;
  return trial;
}

struct Planned {
  plan::TilePartition partition;
  plan::MemoryModel memory;
  plan::Costs costs;
};

Planned planFor(const Trial& trial) {
  plan::OurLayout layout;
  layout.batch = trial.numSamples;
  layout.lightSteps = trial.lightSteps;
  const plan::TilePartition partition = plan::partitionForIpu(
      trial.network, {trial.numTiles, plan::ioTilesOf(trial.numTiles, 1)}, trial.neuronsPerTile);
  plan::MemoryModel memory(plan::ourBytes(trial.network, trial.optimiser, partition, layout));
  const plan::Activity activity = plan::activityAt(trial.network, 1.0);
  const plan::MachineSpeed speed;
  const plan::Costs costs = plan::besideCosts(
      plan::ourCosts(trial.network, partition, layout, activity, speed, memory.stateBytes()),
      partition, speed, memory.stateBytes());
  return {partition, std::move(memory), costs};
}

// For transfers that take as long as so many steps.
plan::Schedule streamedFor(const Trial& trial, double transferSteps) {
  plan::Costs costs;
  costs.light = 0.5;
  costs.writePerState = costs.readPerState = transferSteps;
  return plan::streamed(trial.numSteps, 6, costs).schedule;
}

TEST(Overlap, OnIoTilesLeavesEveryBitAsItWas) {
  Trial trial = onIpu();
  for (const plan::Schedule& schedule : {streamedFor(trial, 3.0), streamedFor(trial, 5.0),
                                         plan::withSpilledSpikes(streamedFor(trial, 3.0), 8, 2)}) {
    ASSERT_GT(schedule.numStaging, 0u);
    std::vector<std::vector<double>> losses;
    std::vector<ParameterSet> ended;
    for (const bool overlap : {false, true}) {
      trial.overlap = overlap;
      const auto session = makeGraphSession(trial.request(schedule));
      session->setParameters(trial.parameters());
      losses.emplace_back();
      for (int i = 0; i < 3; ++i) {
        losses.back().push_back(session->train(trial.batch(), 0.01).loss);
      }
      ended.push_back(session->parameters());
    }
    EXPECT_EQ(losses[0], losses[1]);
    expectSameBits(ended[0], ended[1]);
  }
}

TEST(Overlap, HidesAndExposesTheTransferTimeThatThePlanPredicts) {
  const Trial trial = onIpu();
  const Planned planned = planFor(trial);
  SessionRequest request = trial.request(streamedFor(trial, 4.0));
  request.engine.account = true;
  const double fast = 20e9;
  for (const double slower : {1.0, 10.0, 100.0}) { // hidden whole, in part, hardly
    request.engine.streamingBytesPerSecond = fast / slower;
    plan::Costs costs = planned.costs;
    costs.writePerState *= slower;
    costs.readPerState *= slower;
    const plan::TimeSplit time = plan::timeOf(request.schedule, costs);
    const auto session = makeGraphSession(request);
    session->setParameters(trial.parameters());
    session->differentiate(trial.batch());
    const TransferCounts run = session->transfers();
    const double moved = time.hidden + time.stall;
    ASSERT_GT(moved, 0.0);
    EXPECT_NEAR(static_cast<double>(run.hiddenCycles + run.stalledCycles), moved, 0.02 * moved);
    EXPECT_NEAR(static_cast<double>(run.hiddenCycles), time.hidden, 0.1 * moved) << slower;
    EXPECT_NEAR(static_cast<double>(run.stalledCycles), time.stall, 0.1 * moved) << slower;
  }
}

TEST(Overlap, IsChargedOnTheIoTilesByPlanAndLedgerAlike) {
  const Trial trial = onIpu();
  const Planned planned = planFor(trial);
  const plan::Schedule schedule = streamedFor(trial, 4.0);
  const plan::MemoryDemand demand = plan::demandOf(schedule);
  const std::vector<plan::MemoryParts> ledger = ledgerOf(trial.request(schedule)).tiles;
  const std::size_t firstIo = ledger.size() - planned.partition.numIoTiles;
  double found = 0.0, expected = 0.0;
  for (std::size_t tile = 0; tile < ledger.size(); ++tile) {
    const plan::MemoryParts parts = planned.memory.onTile(static_cast<std::uint32_t>(tile), demand);
    if (tile >= firstIo) {
      EXPECT_EQ(ledger[tile].temporaries, parts.staging) << "tile " << tile;
      EXPECT_EQ(ledger[tile].states + ledger[tile].weights + ledger[tile].spikes, 0u);
    }
    EXPECT_EQ(ledger[tile].states, parts.states);
    found += static_cast<double>(ledger[tile].total());
    expected += static_cast<double>(parts.total());
  }
  EXPECT_NEAR(expected / found, 1.0, 0.05);
}

TEST(Overlap, WithoutTilesToSpareIsRefused) {
  Trial trial = onIpu();
  trial.numTiles = 52; // 49 for neurons, one for control
  trial.network.layers.pop_back();
  const plan::Schedule schedule = streamedFor(onIpu(), 4.0);
  trial.neuronsPerTile = 1;
  EXPECT_THROW(makeGraphSession(trial.request(schedule)), UserError);
  trial.overlap = false;
  EXPECT_NO_THROW(makeGraphSession(trial.request(schedule)));
}

} // namespace
} // namespace spillway::testing
