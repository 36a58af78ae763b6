// A TrainingSession without a device whose weights depend on every batch, learning rate and
// optimiser state it has seen, so that any slip in a resumed run shows in the final weights.
#pragma once

#include "train/TrainingSession.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

namespace spillway {

class FakeSession : public TrainingSession {
public:
  explicit FakeSession(const NetworkSpec& network, std::chrono::microseconds delay = {})
      : network_(network), delay_(delay), parameters_(parameterShapes(network)) {
    optimiser_.slots = {parameters_};
    for (ParameterTensor& tensor : optimiser_.slots[0]) {
      tensor.values.assign(count(tensor), 0.0f);
    }
  }

  BatchResult train(const EventBatch& batch, double learningRate) override {
    differentiate(batch);
    update(learningRate);
    return result(batch);
  }
  BatchResult differentiate(const EventBatch& batch) override {
    std::this_thread::sleep_for(delay_);
    std::uint64_t hash = 1469598103934665603u + optimiser_.step;
    if (network_.isGated()) {
      const float before = batch.continues ? carried_.states.at(0) : 0.0f;
      hash += static_cast<std::uint64_t>(before);
      carried_ = {{static_cast<float>(hash % 1024)}, {static_cast<std::uint8_t>(hash)}};
    }
    for (const std::uint16_t id : batch.ids) {
      hash = (hash ^ id) * 1099511628211u;
    }
    gradients_.clear();
    for (const ParameterTensor& tensor : parameters_) {
      for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        hash = hash * 6364136223846793005u + 1442695040888963407u;
        gradients_.push_back(static_cast<float>(hash >> 40) * 0x1p-24f - 0.5f);
      }
    }
    return result(batch);
  }
  std::vector<BatchResult> differentiateShares(const Batches& batches,
                                               std::uint64_t numLabels) override {
    BatchResult share = differentiate(*batches[0]);
    share.loss *= static_cast<double>(share.numLabels) / static_cast<double>(numLabels);
    return {share};
  }
  std::size_t numGradients() const override { return gradients_.size(); }
  void readGradients(const std::vector<float*>& to) const override {
    std::copy(gradients_.begin(), gradients_.end(), to[0]);
  }
  void writeGradients(const std::vector<float>& gradients) override { gradients_ = gradients; }
  void update(double learningRate) override {
    std::size_t next = 0;
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      for (std::size_t i = 0; i < parameters_[p].values.size(); ++i) {
        float& momentum = optimiser_.slots[0][p].values[i];
        momentum = 0.9f * momentum + gradients_[next++];
        parameters_[p].values[i] -= static_cast<float>(learningRate) * momentum;
      }
    }
    if (++optimiser_.step == spoilAt_) {
      parameters_[0].values[1] = std::numeric_limits<float>::infinity();
    }
  }
  std::vector<BatchResult> evaluateEach(const Batches& batches) override {
    if (failsEvaluation_) {
      throw std::runtime_error("evaluation failed");
    }
    ++numEvaluated_;
    return {result(*batches[0])};
  }

  ParameterSet parameters() const override { return parameters_; }
  void setParameters(const ParameterSet& parameters) override { parameters_ = parameters; }
  ParameterSet gradients() const override { return parameters_; }
  OptimiserState optimiserState() const override { return optimiser_; }
  void setOptimiserState(const OptimiserState& state) override { optimiser_ = state; }
  std::vector<SequenceState> sequenceStates() const override { return {carried_}; }
  void setSequenceStates(const std::vector<SequenceState>& states) override {
    carried_ = states[0];
  }
  ScheduleCounts scheduleCounts() const override { return {}; }
  std::string deviceName() const override { return "no device"; }

  void spoilAt(std::uint64_t step) { spoilAt_ = step; } // that update makes a weight infinite
  void failAt(std::uint64_t step) { failAt_ = step; }   // that update's loss is not a number
  void failEvaluation() { failsEvaluation_ = true; }
  unsigned numEvaluated() const { return numEvaluated_; } // batches

private:
  static std::size_t count(const ParameterTensor& tensor) {
    std::size_t n = 1;
    for (const std::size_t size : tensor.shape) {
      n *= size;
    }
    return n;
  }

  BatchResult result(const EventBatch& batch) const {
    BatchResult made;
    made.loss = optimiser_.step == failAt_ ? std::numeric_limits<double>::quiet_NaN()
                                           : 1.0 / (1.0 + static_cast<double>(optimiser_.step));
    for (const std::int32_t label : batch.labels) {
      made.numLabels += label == EventBatch::kNoLabel ? 0 : 1;
    }
    made.numCorrect = made.numLabels / 2;
    made.layers.assign(network_.layers.size(),
                       {.numSpikes = 5, .numGradients = 7, .numDropped = 1});
    return made;
  }

  NetworkSpec network_;
  std::chrono::microseconds delay_;
  ParameterSet parameters_;
  OptimiserState optimiser_;
  SequenceState carried_;
  std::vector<float> gradients_; // of the last batch
  std::uint64_t failAt_ = UINT64_MAX, spoilAt_ = UINT64_MAX;
  bool failsEvaluation_ = false;
  unsigned numEvaluated_ = 0;
};

} // namespace spillway
