// Small language models of gated units, and texts for them.
#pragma once

#include "support/GatedNetworks.hpp"

namespace spillway::test {

// 23 words, embeddings of 6, layers of 7, 9 and 6.
inline NetworkSpec languageModel(LayerKind kind) {
  NetworkSpec network;
  network.numInputs = 6;
  network.layers = {gatedLayer(kind, 7), gatedLayer(kind, 9), gatedLayer(kind, 6)};
  network.readout.kind = ReadoutKind::TiedSoftmax;
  network.readout.reduction = ReadoutReduction::PerStep;
  network.readout.numOutputs = 23;
  return network;
}

// Every random mask and every penalty at once.
inline NetworkSpec regularised(NetworkSpec network) {
  for (LayerSpec& layer : network.layers) {
    layer.gated.dropout = 0.3;
    layer.gated.dropconnect = 0.4;
    layer.gated.eventPenalty = layer.kind == LayerKind::Egru ? 3.0 : 0.0;
  }
  network.language = {
      .wordDropout = 0.2, .outputDropout = 0.25, .activityPenalty = 2.0, .slownessPenalty = 1.0};
  return network;
}

// Random words; some steps have none, some no label.
inline EventBatch wordBatch(const NetworkSpec& network, std::uint32_t numSteps,
                            std::uint32_t numSamples, std::uint64_t seed) {
  EventBatch batch;
  batch.numSteps = numSteps;
  batch.numSamples = numSamples;
  batch.numInputs = network.readout.numOutputs;
  batch.maxEvents = 1;
  batch.maskKey = static_cast<std::uint32_t>(seed);
  const CounterRandom random(seed, {78});
  for (std::uint64_t row = 0; row < std::uint64_t{numSteps} * numSamples; ++row) {
    const bool none = random.uniform(4 * row) < 0.1, unlabelled = random.uniform(4 * row + 1) < 0.1;
    batch.counts.push_back(none ? 0 : 1);
    batch.ids.push_back(static_cast<std::uint16_t>(random.below(4 * row + 2, batch.numInputs)));
    const auto label = static_cast<std::int32_t>(random.below(4 * row + 3, batch.numInputs));
    batch.labels.push_back(unlabelled ? EventBatch::kNoLabel : label);
  }
  return batch;
}

} // namespace spillway::test
