// Sums over batches, for means over an epoch or between two records.
#pragma once

#include "train/TrainingSession.hpp"

#include <cstdint>
#include <vector>

namespace spillway {

struct RunningMean {
  double lossSum = 0.0; // weighted by lossWeight
  double lossWeight = 0.0;
  std::uint64_t numCorrect = 0, numLabels = 0;
  std::uint64_t numSamples = 0;
  std::uint64_t numDroppedInputs = 0;
  std::vector<LayerActivity> layers;

  void add(const BatchResult& result, std::uint64_t samples, std::uint64_t droppedInputs) {
    // Batches without labels (targets) count by their samples.
    const auto weight = static_cast<double>(result.numLabels > 0 ? result.numLabels : samples);
    lossSum += result.loss * weight;
    lossWeight += weight;
    numCorrect += result.numCorrect;
    numLabels += result.numLabels;
    numSamples += samples;
    numDroppedInputs += droppedInputs;
    layers.resize(result.layers.size());
    for (std::size_t l = 0; l < layers.size(); ++l) {
      layers[l] += result.layers[l];
    }
  }

  bool hasClasses() const { return numLabels > 0; } // else there is no accuracy, only a loss
  double loss() const { return lossWeight > 0.0 ? lossSum / lossWeight : 0.0; }
  double accuracy() const {
    return hasClasses() ? static_cast<double>(numCorrect) / static_cast<double>(numLabels) : 0.0;
  }
};

} // namespace spillway
