// Small networks and random batches for tests of the device against the reference.
#pragma once

#include "network/CounterRandom.hpp"
#include "plan/PaperStrategies.hpp"
#include "reference/GradientCheck.hpp"
#include "reference/Reference.hpp"
#include "train/GraphSession.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace spillway::testing {

inline LayerSpec smallLayer(std::uint32_t size) {
  LayerSpec layer;
  layer.size = size;
  layer.alpha = 0.9;
  layer.kappa = 10.0;
  layer.surrogate.width = 0.5;
  return layer;
}

// 11 inputs, two layers of odd widths, a readout of 3: every neuron takes part in the gradient.
inline NetworkSpec smallNetwork() {
  NetworkSpec network;
  network.numInputs = 11;
  network.layers = {smallLayer(13), smallLayer(9)};
  network.readout.numOutputs = 3;
  return network;
}

// Each input active with that probability at each step; some samples and steps stay empty.
inline EventBatch randomBatch(const NetworkSpec& network, std::uint32_t numSteps,
                              std::uint32_t numSamples, double activity, unsigned seed) {
  std::mt19937 random(seed);
  std::bernoulli_distribution active(activity), quiet(0.2);
  EventBatch batch;
  batch.numSteps = numSteps;
  batch.numSamples = numSamples;
  batch.numInputs = network.numInputs;
  batch.maxEvents = network.maxInputEvents == 0 ? network.numInputs : network.maxInputEvents;
  const std::size_t rows = std::size_t{numSteps} * numSamples;
  batch.ids.resize(rows * batch.maxEvents);
  batch.counts.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const bool empty = quiet(random);
    for (std::uint32_t input = 0; input < network.numInputs && !empty; ++input) {
      if (active(random) && batch.counts[row] < batch.maxEvents) {
        batch.ids[row * batch.maxEvents + batch.counts[row]++] = static_cast<std::uint16_t>(input);
      }
    }
  }
  std::uniform_int_distribution<int> label(0, static_cast<int>(network.readout.numOutputs) - 1);
  std::normal_distribution<float> target;
  const bool perStep = network.readout.kind == ReadoutKind::LeakyIntegrator &&
                       network.readout.reduction == ReadoutReduction::PerStep;
  for (std::uint32_t b = 0; b < numSamples * (perStep ? numSteps : 1); ++b) {
    if (perStep && network.loss.kind == LossKind::CrossEntropy && quiet(random)) {
      batch.labels.push_back(EventBatch::kNoLabel);
    } else if (network.loss.kind == LossKind::CrossEntropy) {
      batch.labels.push_back(label(random));
    } else {
      for (std::uint32_t i = 0; i < network.readout.numOutputs; ++i) {
        batch.targets.push_back(target(random));
      }
    }
  }
  return batch;
}

struct Trial {
  NetworkSpec network = smallNetwork();
  std::uint32_t numSteps = 12;
  std::uint32_t numSamples = 5;
  std::uint32_t blockSteps = 1;
  std::uint32_t lightSteps = 2;
  std::uint32_t neuronsPerTile = 4;
  std::uint32_t gradientCopies = 1;
  bool keepsGates = false;
  DeviceClass device = DeviceClass::Cpu;
  std::uint32_t numTiles = 0; // of an IPU
  std::uint32_t numIpus = 1;
  std::uint32_t threads = 1;
  std::string remoteFolder; // of the remote store's file; empty: memory
  bool overlap = false;
  OptimiserSpec optimiser;
  double weightScale = 1.0;
  double activity = 0.3;
  unsigned seed = 1;

  SessionRequest request(const plan::Schedule& schedule) const {
    SessionRequest request;
    request.network = network;
    request.optimiser = optimiser;
    request.schedule = schedule;
    request.numSamples = numSamples;
    request.blockSteps = blockSteps;
    request.lightSteps = lightSteps;
    request.neuronsPerTile = neuronsPerTile;
    request.gradientCopies = gradientCopies;
    request.keepsGates = keepsGates;
    request.device.deviceClass = device;
    request.device.numTiles = numTiles;
    request.device.numIpus = numIpus;
    request.engine.threads = threads;
    request.engine.remoteFolder = remoteFolder;
    request.engine.overlapRemote = overlap;
    return request;
  }

  ParameterSet parameters() const {
    ParameterSet set = initialParameters(network, seed, weightScale);
    std::mt19937 random(seed + 1);
    std::normal_distribution<float> small(0.0f, 0.05f);
    for (ParameterTensor& tensor : set) {
      for (float& value : tensor.values) {
        value += small(random); // biases start at zero; here they should matter
      }
    }
    return set;
  }

  EventBatch batch() const {
    return randomBatch(network, numSteps, numSamples, activity, seed + 2);
  }
};

// The device's loss, accuracy and every gradient against the reference's.
inline void expectEqualsReference(const Trial& trial, const plan::Schedule& schedule,
                                  double tolerance = 2e-5) {
  const ParameterSet parameters = trial.parameters();
  const EventBatch batch = trial.batch();
  const auto reference =
      reference::differentiate(trial.network, reference::toDense(trial.network, parameters), batch);
  double margin = 1.0;
  std::size_t numSpikes = 0;
  for (const auto& sample : reference.samples) {
    margin = std::min(margin, sample.thresholdMargin);
    for (const auto& layer : sample.layers) {
      for (const auto& list : layer.active) {
        numSpikes += list.numSpikes;
      }
    }
  }
  ASSERT_GT(margin, 2e-6)
      << "a potential so near its threshold that rounding decides: choose another seed";
  ASSERT_GT(numSpikes, 0u) << "a network that does not spike tests nothing";

  const auto session = makeGraphSession(trial.request(schedule));
  session->setParameters(parameters);
  const BatchResult result = session->differentiate(batch);
  EXPECT_NEAR(result.loss, reference.loss, 1e-5 * (1.0 + reference.loss));
  EXPECT_EQ(result.numCorrect, reference.numCorrect);
  for (const auto& error : reference::compareGradients(session->gradients(), reference.gradients)) {
    EXPECT_LT(error.relativeError, tolerance)
        << error.name << ", largest " << error.largestReference;
  }
}

inline void expectEqualsReference(const Trial& trial) {
  expectEqualsReference(trial, plan::base(trial.numSteps));
}

} // namespace spillway::testing
