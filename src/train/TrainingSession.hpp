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

// How a replica takes the gradients of the share it ran into its stack of sums (plan::SumStack).
struct KeptShare {
  bool active = false; // it ran one
  std::uint32_t slot = 0, numMerges = 0;
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
  // Forward and backward without update; gradients() then returns this batch's, where the session
  // was not made for GradientUse::Unread.
  virtual BatchResult differentiate(const EventBatch& batch) = 0;
  // Forward alone.
  BatchResult evaluate(const EventBatch& batch) { return evaluateEach(only(batch)).front(); }

  // Batches run at once, one on each replica. A list of batches below may be shorter, and null
  // stands for none; a replica without a batch has an empty result.
  virtual std::uint32_t numReplicas() const { return 1; }
  using Batches = std::vector<const EventBatch*>;
  virtual std::vector<BatchResult> evaluateEach(const Batches& batches) = 0;
  // Forward and backward of shares of an update: loss and gradients are their part of the mean over
  // the update's samples and `numLabels` labels. Their masks are those of the batches' maskKey.
  virtual std::vector<BatchResult> differentiateShares(const Batches& batches,
                                                       std::uint64_t numLabels) = 0;
  BatchResult differentiateShare(const EventBatch& batch, std::uint64_t numLabels) {
    return differentiateShares(only(batch), numLabels).front();
  }

  // What becomes of the shares' gradients. Either the host sums them (a session made for
  // GradientUse::OnHost): those of the parameters that are updated, in an order of the session's
  // own; to: a buffer of numGradients() for each replica, or null.
  virtual std::size_t numGradients() const = 0;
  virtual void readGradients(const std::vector<float*>& to) const = 0;
  virtual void writeGradients(const std::vector<float>& gradients) = 0; // to all replicas
  // Or the device does (GradientUse::OnDevice): it keeps them after each share, and sums what all
  // replicas, of all processes, kept.
  virtual bool sumsOnDevice() const { return false; }
  virtual void keepGradients(const std::vector<KeptShare>&) {} // by replica
  virtual void sumGradients() {}
  // With the gradients that the device has.
  virtual void update(double learningRate) = 0;

  virtual ParameterSet parameters() const = 0;
  virtual void setParameters(const ParameterSet& parameters) = 0;
  virtual ParameterSet gradients() const = 0;
  virtual OptimiserState optimiserState() const = 0;
  virtual void setOptimiserState(const OptimiserState& state) = 0;
  virtual std::vector<SequenceState> sequenceStates() const { return {{}}; } // by replica
  virtual void setSequenceStates(const std::vector<SequenceState>&) {}
  SequenceState sequenceState() const { return sequenceStates().front(); }
  void setSequenceState(const SequenceState& state) { setSequenceStates({state}); }
  virtual ScheduleCounts scheduleCounts() const = 0; // of the last train() or differentiate()
  // Spikes and states of the last differentiate(), where the session was made to keep them and its
  // schedule keeps every state.
  virtual std::optional<DeviceTrace> trace() const { return std::nullopt; }

  // Transfers to and from remote memory since the session began: how many, how many of them the
  // program waited for, and how long; zeros where the device does not tell.
  virtual TransferCounts transfers() const { return {}; }

  virtual std::string deviceName() const = 0; // "ipu-model ipu2, 1472 tiles", for the run's record

private:
  Batches only(const EventBatch& batch) { return {&batch}; }
};

} // namespace spillway
