// Small networks, weights and batches drawn from a seed, shared by tests that compare
// implementations.
#pragma once

#include "data/EventBatch.hpp"
#include "network/CounterRandom.hpp"
#include "network/NetworkSpec.hpp"
#include "network/Parameters.hpp"

#include <cstdint>

namespace spillway::test {

// Two layers with odd widths, a leaky-integrator readout; enough drive that neurons spike.
inline NetworkSpec smallNetwork() {
  NetworkSpec network;
  network.numInputs = 6;
  network.layers.resize(2);
  network.layers[0].size = 7;
  network.layers[1].size = 5;
  for (LayerSpec& layer : network.layers) {
    layer.alpha = 0.8;
    layer.kappa = 3.0;
    layer.surrogate.width = 0.5;
    layer.rho = 0.7;
    layer.beta = 0.4;
  }
  network.layers[1].alpha = 0.6;
  network.readout.numOutputs = 3;
  network.readout.alpha = 0.75;
  network.readout.kappa = 2.0;
  return network;
}

// Initial weights of scale 1.5 with a positive mean, and small random biases.
inline ParameterSet randomParameters(const NetworkSpec& network, std::uint64_t seed) {
  ParameterSet set = initialParameters(network, seed, 1.5);
  for (ParameterTensor& tensor : set) {
    const CounterRandom random(seed, {tensor.name.size(), tensor.values.size()});
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      tensor.values[i] += static_cast<float>(0.2 * random.uniform(i));
    }
  }
  return set;
}

// Each input active with probability `activity` at each step; labels or targets as the network's
// loss and reduction need them, about one step in four without a label.
inline EventBatch randomBatch(const NetworkSpec& network, std::uint32_t numSteps,
                              std::uint32_t numSamples, double activity, std::uint64_t seed) {
  EventBatch batch;
  batch.numSteps = numSteps;
  batch.numSamples = numSamples;
  batch.numInputs = batch.maxEvents = network.numInputs;
  const CounterRandom random(seed, {1}), answers(seed, {2});
  std::uint64_t drawn = 0;
  for (std::uint32_t row = 0; row < numSteps * numSamples; ++row) {
    std::vector<std::uint16_t> ids;
    for (std::uint32_t j = 0; j < network.numInputs; ++j) {
      if (random.uniform(drawn++) < activity) {
        ids.push_back(static_cast<std::uint16_t>(j));
      }
    }
    batch.counts.push_back(static_cast<std::uint16_t>(ids.size()));
    ids.resize(batch.maxEvents);
    batch.ids.insert(batch.ids.end(), ids.begin(), ids.end());
  }
  const bool perStep = network.readout.reduction == ReadoutReduction::PerStep;
  const std::uint32_t numRows = numSamples * (perStep ? numSteps : 1);
  for (std::uint32_t row = 0; row < numRows; ++row) {
    if (network.loss.kind == LossKind::MeanSquared) {
      for (std::uint32_t k = 0; k < network.readout.numOutputs; ++k) {
        batch.targets.push_back(
            static_cast<float>(answers.uniform(row * network.readout.numOutputs + k)));
      }
    } else {
      const bool labelled = !perStep || answers.uniform(2 * row) < 0.75;
      batch.labels.push_back(labelled ? static_cast<std::int32_t>(
                                            answers.below(2 * row + 1, network.readout.numOutputs))
                                      : EventBatch::kNoLabel);
    }
  }
  return batch;
}

} // namespace spillway::test
