// Small networks of gated units, with weights that make them fire, and batches of real values.
#pragma once

#include "support/RandomNetworks.hpp"

namespace spillway::test {

inline LayerSpec gatedLayer(LayerKind kind, std::uint32_t size) {
  LayerSpec layer;
  layer.kind = kind;
  layer.size = size;
  layer.bias = true;
  layer.gated.thresholdMean = 0.15;
  layer.gated.pseudoWidth = 0.3;
  return layer;
}

// Two stacked layers of odd widths, 5 inputs, 3 outputs with a loss at every step.
inline NetworkSpec gatedNetwork(LayerKind kind) {
  NetworkSpec network;
  network.numInputs = 5;
  network.layers = {gatedLayer(kind, 7), gatedLayer(kind, 6)};
  network.readout.numOutputs = 3;
  network.readout.alpha = 0.4;
  network.readout.reduction = ReadoutReduction::PerStep;
  network.loss.kind = LossKind::MeanSquared;
  return network;
}

// As randomBatch(), each event with a value in [-1, 1).
inline EventBatch valuedBatch(const NetworkSpec& network, std::uint32_t numSteps,
                              std::uint32_t numSamples, double activity, std::uint64_t seed) {
  EventBatch batch = randomBatch(network, numSteps, numSamples, activity, seed);
  const CounterRandom random(seed, {77});
  for (std::size_t i = 0; i < batch.ids.size(); ++i) {
    batch.values.push_back(static_cast<float>(2.0 * random.uniform(i) - 1.0));
  }
  return batch;
}

} // namespace spillway::test
