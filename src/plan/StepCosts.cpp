#include "plan/StepCosts.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::plan {

namespace {

// What the slowest tile of one layer does in a step, in cycles.
struct LayerCycles {
  double update = 0.0;    // projection and state
  double threshold = 0.0; // spike lists
  double backward = 0.0;
  double receive = 0.0;         // ids of the layer below
  double backwardReceive = 0.0; // own gradients, ids again, and partial sums
};

} // namespace

CodeletCosts CodeletCosts::assembly() {
  CodeletCosts costs;
  costs.perSpike = 0.0;
  costs.perSpikeNeuron = 1.5;
  return costs;
}

CodeletCosts CodeletCosts::paper() {
  CodeletCosts costs;
  costs.generationCycles = 480 * 160.0 + 240 * 30.0;
  return costs;
}

Activity activityAt(const NetworkSpec& network, double fraction) {
  Activity activity;
  const auto most = [](std::uint32_t size, std::uint32_t cap) {
    return static_cast<double>(cap == 0 ? size : std::min(cap, size));
  };
  activity.inputs = fraction * most(network.numInputs, network.maxInputEvents);
  for (const LayerSpec& layer : network.layers) {
    activity.spikes.push_back(fraction * most(layer.size, layer.maxActive));
    activity.gradients.push_back(activity.spikes.back());
  }
  return activity;
}

Costs modelledCosts(const NetworkSpec& network, const TilePartition& partition, std::uint32_t batch,
                    std::uint32_t idBytes, const Activity& activity, const CodeletCosts& codelets,
                    const MachineSpeed& speed, std::uint64_t stateBytes,
                    LightExchange lightExchange) {
  const double numWorkers = speed.numWorkers;
  // A worker issues every numWorkers cycles, whether the others have work or not.
  const double perInstruction = numWorkers * std::ceil(batch / numWorkers);
  const double words = batch / speed.exchangeBytesPerCycle; // cycles per byte and sample
  LayerCycles slowest;
  double totalPartials = 0.0;
  for (std::size_t l = 0; l < partition.layers.size(); ++l) {
    const bool spikes = l < network.layers.size();
    std::uint32_t most = 0;
    for (const TileShare& share : partition.layers[l])
      most = std::max(most, share.numNeurons);
    const double n = most;
    double in = l == 0 ? activity.inputs : activity.spikes[l - 1];
    if (spikes && network.layers[l].isRecurrent())
      in += activity.spikes[l];
    const double own = spikes ? activity.gradients[l] : 0.0;
    const double row = codelets.perSpike + codelets.perSpikeNeuron * n;
    const double state = codelets.perSample + codelets.perSampleNeuron * n;
    LayerCycles cycles;
    cycles.update = perInstruction * (in * row + state);
    cycles.threshold =
        spikes ? perInstruction * (codelets.threshold + codelets.thresholdNeuron * n) : 0.0;
    // Weight gradients, and towards the layer below its partial input gradients.
    const double passes = l == 0 ? 1.0 : 2.0;
    cycles.backward = perInstruction * (passes * in * row + state + own * codelets.surrogate / n);
    cycles.receive = words * in * idBytes;
    cycles.backwardReceive = words * (own * (idBytes + 4.0) + in * idBytes);
    if (l > 0)
      totalPartials += words * in * 4.0 * static_cast<double>(partition.layers[l].size());
    slowest.update = std::max(slowest.update, cycles.update);
    slowest.threshold = std::max(slowest.threshold, cycles.threshold);
    slowest.backward = std::max(slowest.backward, cycles.backward);
    slowest.receive = std::max(slowest.receive, cycles.receive);
    slowest.backwardReceive = std::max(slowest.backwardReceive, cycles.backwardReceive);
  }
  const double control = speed.fragmentCycles * partition.numTiles;
  Costs costs;
  costs.forward = slowest.update + slowest.threshold + std::max(slowest.receive, control) +
                  codelets.generationCycles + 4.0 * speed.syncCycles;
  costs.light = slowest.update + (lightExchange == LightExchange::Fused
                                      ? slowest.receive
                                      : std::max(slowest.receive, control) + speed.syncCycles);
  costs.backward = slowest.backward + std::max(slowest.backwardReceive, control) +
                   std::max(totalPartials / partition.numTiles, control) + 5.0 * speed.syncCycles;
  costs.writePerState = costs.readPerState =
      static_cast<double>(stateBytes) / speed.streamingBytesPerSecond * speed.clockHz;
  costs.writeLatency = costs.readLatency = speed.streamingLatencyCycles;
  costs.perAction = 2.0 * speed.syncCycles; // the table's row and the branch on it
  return costs;
}

} // namespace spillway::plan
