// A network on a device, ready to be trained: what the training loop knows of graphs and devices.
#pragma once

#include "data/EventBatch.hpp"
#include "network/Parameters.hpp"
#include "plan/ScheduleCounts.hpp"
#include "train/DeviceTrace.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

struct LayerActivity {
  std::uint64_t numSpikes = 0;    // stored, over all steps and samples of the batch
  std::uint64_t numGradients = 0; // ids that receive a gradient, spikes included
  std::uint64_t numDropped = 0;   // spikes over the layer's cap
  std::uint64_t numBeyond = 0;    // gated layers: events outside the pseudo-derivative's support

  LayerActivity& operator+=(const LayerActivity& other) {
    numSpikes += other.numSpikes;
    numGradients += other.numGradients;
    numDropped += other.numDropped;
    numBeyond += other.numBeyond;
    return *this;
  }
};

struct BatchResult {
  double loss = 0.0; // mean over samples (and labelled steps)
  std::uint64_t numCorrect = 0;
  std::uint64_t numLabels = 0; // what numCorrect counts out of
  std::vector<LayerActivity> layers;
};

// What the schedule did, counted on the device while it ran one training step.
using ScheduleCounts = plan::ScheduleCounts;

struct OptimiserState {
  std::uint64_t step = 0;          // updates done
  std::vector<ParameterSet> slots; // momentum; or first and second moment
};

// What a batch that `continues` goes on from: states and events after the last step of the batch
// before it. Empty where the network carries nothing.
struct SequenceState {
  std::vector<float> states;
  std::vector<std::uint8_t> events; // lists as the device holds them
  bool empty() const { return states.empty(); }
};

struct TransferCounts {
  std::uint64_t numTransfers = 0, numStalls = 0;
  double stallSeconds = 0.0;
  std::uint64_t stalledCycles = 0, hiddenCycles = 0; // modelled, of transfers on IO tiles
};

class TrainingSession {
public:
  virtual ~TrainingSession() = default;

  // Forward, backward, update. REQUIRES: the batch has the session's steps, samples and inputs.
  virtual BatchResult train(const EventBatch& batch, double learningRate) = 0;
  // Forward and backward without update; gradients() then returns this batch's.
  virtual BatchResult differentiate(const EventBatch& batch) = 0;
  // Forward and backward of a share of an update: loss and gradients are its part of the mean over
  // the update's samples and `numLabels` labels. Its masks are those of the batch's maskKey.
  virtual BatchResult differentiateShare(const EventBatch& batch, std::uint64_t numLabels) = 0;
  // The gradients of the parameters that are updated, in an order of the session's own, and an
  // update with what the host made of them. REQUIRES: a session made for shared gradients.
  virtual std::vector<float> sharedGradients() const = 0;
  virtual void update(const std::vector<float>& gradients, double learningRate) = 0;
  // Forward alone.
  virtual BatchResult evaluate(const EventBatch& batch) = 0;

  virtual ParameterSet parameters() const = 0;
  virtual void setParameters(const ParameterSet& parameters) = 0;
  virtual ParameterSet gradients() const = 0;
  virtual OptimiserState optimiserState() const = 0;
  virtual void setOptimiserState(const OptimiserState& state) = 0;
  virtual SequenceState sequenceState() const { return {}; }
  virtual void setSequenceState(const SequenceState&) {}
  virtual ScheduleCounts scheduleCounts() const = 0; // of the last train() or differentiate()
  // Spikes and states of the last differentiate(), where the session was made to keep them and its
  // schedule keeps every state.
  virtual std::optional<DeviceTrace> trace() const { return std::nullopt; }

  // Transfers to and from remote memory since the session began: how many, how many of them the
  // program waited for, and how long; zeros where the device does not tell.
  virtual TransferCounts transfers() const { return {}; }

  virtual std::string deviceName() const = 0; // "ipu-model ipu2, 1472 tiles", for the run's record
};

} // namespace spillway
