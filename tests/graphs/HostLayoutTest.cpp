// A machine sized for the host: the planner's bytes against the graph's tensors, and what of them
// becomes resident.
#include "GatedTrial.hpp"
#include "plan/MemoryModel.hpp"
#include "plan/OurLayout.hpp"
#include "plan/SpikeSpill.hpp"
#include "train/Codelets.hpp"
#include "train/CpuLayout.hpp"
#include "train/ProcessMemory.hpp"
#include "train/SessionLayout.hpp"

#include <poplar/Graph.hpp>

namespace spillway::testing {
namespace {

Trial stack(std::uint32_t size, std::uint32_t cap, std::uint32_t blockSteps) {
  Trial trial;
  trial.numSteps = 40;
  trial.numSamples = 11;
  trial.blockSteps = blockSteps;
  trial.neuronsPerTile = size / 2;
  for (LayerSpec& layer : trial.network.layers) {
    layer.size = size;
    layer.maxActive = cap;
    layer.gradientTheta = 0.9;
  }
  return trial;
}

std::vector<plan::MemoryParts> heldBy(const SessionRequest& request) {
  const AcquiredDevice acquired = acquireFor(request);
  poplar::Graph graph(acquired.target);
  graph.addCodelets(codeletsPath(codeletsFor(request)));
  const SnnGraph snn(graph, request.network, request.optimiser, sequenceOf(request),
                     placementOf(request, graph.getTarget().getNumTiles()));
  return snn.tensorBytes(graph);
}

plan::MemoryModel planFor(const SessionRequest& request) {
  plan::OurLayout ours;
  ours.batch = request.numSamples;
  ours.blockSteps = request.blockSteps;
  ours.lightSteps = request.lightSteps;
  ours.samplesPerGroup = cpuSamplesPerGroup(request.numSamples);
  ours.history = plan::OurLayout::History::WithGroups;
  ours.numWorkers = 1;
  ours.keepsGates = request.keepsGates;
  return plan::MemoryModel(plan::ourBytes(
      request.network, request.optimiser,
      plan::partitionForCpu(request.network, cpuShape(request.neuronsPerTile)), ours));
}

TEST(HostLayout, PlansTheBytesOfTheGraphsTensors) {
  const plan::Step T = 40;
  const std::vector<plan::Schedule> schedules{
      plan::base(T), plan::doubleCheckpointing(T, 10, 4), plan::surrogateCached(T),
      plan::withSpilledSpikes(plan::surrogateCached(T), 8, 2)};
  for (const Trial& trial : {stack(24, 6, 4), stack(26, 0, 4), stack(24, 7, 1)}) {
    for (const plan::Schedule& schedule : schedules) {
      const SessionRequest request = trial.request(schedule);
      const plan::MemoryModel planned = planFor(request);
      const std::vector<plan::MemoryParts> held = heldBy(request);
      for (std::uint32_t tile = 0; tile < held.size(); ++tile) {
        const plan::MemoryParts expected = planned.onTile(tile, plan::demandOf(schedule));
        ASSERT_EQ(held[tile].states, expected.states) << "tile " << tile;
        ASSERT_EQ(held[tile].spikes, expected.spikes) << "tile " << tile;
        ASSERT_EQ(held[tile].weights, expected.weights) << "tile " << tile;
      }
    }
  }
}

TEST(HostLayout, PlansTheBytesOfListsWithValues) {
  for (const LayerKind kind : {LayerKind::Egru, LayerKind::Gru}) {
    GatedTrial trial(kind);
    std::vector<std::uint64_t> appendedBytes;
    for (const bool keepsGates : {false, true}) {
      trial.keepsGates = keepsGates;
      const SessionRequest request = trial.request(plan::base(trial.numSteps));
      const plan::MemoryModel planned = planFor(request);
      const plan::MemoryDemand demand = plan::demandOf(request.schedule);
      const std::vector<plan::MemoryParts> held = heldBy(request);
      for (std::uint32_t tile = 0; tile < held.size(); ++tile) {
        ASSERT_EQ(held[tile].spikes, planned.onTile(tile, demand).spikes) << "tile " << tile;
      }
      appendedBytes.push_back(planned.use(demand).appendedBytes);
    }
    EXPECT_EQ(appendedBytes[0], appendedBytes[1]) << "gates are not lists that may be short";
  }
}

void expectEmptyRoomIsNotResident(const Trial& trial, const EventBatch& batch,
                                  const plan::Schedule& schedule) {
  const SessionRequest request = trial.request(schedule);
  const plan::MemoryUse planned = planFor(request).use(plan::demandOf(request.schedule));
  constexpr std::uint64_t kRoom = 80'000'000;
  ASSERT_GT(planned.appendedBytes, kRoom);
  const std::uint64_t before = residentMemoryBytes();
  const auto session = makeGraphSession(request);
  session->setParameters(trial.parameters());
  const BatchResult result = session->differentiate(batch);
  std::uint64_t numEntries = 0;
  for (const LayerActivity& layer : result.layers) {
    numEntries += layer.numGradients;
  }
  ASSERT_GT(numEntries, 0u);
  const std::uint64_t places = 2ull * trial.numSteps * trial.numSamples; // lists of both layers
  const std::uint64_t lists = numEntries * 6 + places * 64;
  ASSERT_LT(lists, planned.appendedBytes / 4);
  const std::uint64_t others = planned.totalBytes - planned.appendedBytes;
  constexpr std::uint64_t kEngine = 24'000'000; // program and graph
  EXPECT_LT(residentMemoryBytes(), before + lists + others + kEngine);
}

// Room for all 1,024 neurons of which few fire, and for values beside them.
TEST(HostLayout, RoomThatListsLeaveEmptyIsNotResident) {
  Trial trial = stack(1024, 0, 8);
  trial.numSteps = 800;
  trial.activity = 0.05;
  expectEmptyRoomIsNotResident(trial, trial.batch(), plan::surrogateCached(trial.numSteps));
}

TEST(HostLayout, RoomThatListsOfEventsLeaveEmptyIsNotResident) {
  GatedTrial trial(LayerKind::Egru);
  for (LayerSpec& layer : trial.network.layers) {
    layer.size = 512;
    layer.gated.thresholdMean = 0.3; // few fire, and few are near it
    layer.gated.pseudoWidth = 0.02;
  }
  trial.neuronsPerTile = 256;
  trial.numSteps = 400;
  trial.numSamples = 40;
  expectEmptyRoomIsNotResident(trial, trial.batch(), plan::doubleCheckpointing(400, 100, 20));
}

} // namespace
} // namespace spillway::testing
