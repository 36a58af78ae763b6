#include "reference/Reference.hpp"

#include "network/UserError.hpp"
#include "network/Validate.hpp"
#include "reference/Bptt.hpp"
#include "reference/Forward.hpp"
#include "reference/Gated.hpp"
#include "reference/Loss.hpp"

#include <algorithm>
#include <utility>

namespace spillway::reference {

namespace {

void requireSize(const std::string& what, std::size_t size, std::size_t expected) {
  if (size != expected) {
    throw UserError("the batch has " + std::to_string(size) + " " + what + "; it must have " +
                    std::to_string(expected));
  }
}

void checkEvents(const EventBatch& batch) {
  const std::size_t numRows = std::size_t{batch.numSteps} * batch.numSamples;
  requireSize("counts", batch.counts.size(), numRows);
  requireSize("ids", batch.ids.size(), numRows * batch.maxEvents);
  if (!batch.values.empty()) {
    requireSize("values", batch.values.size(), batch.ids.size());
  }
  for (std::size_t row = 0; row < numRows; ++row) {
    const std::string where = "row (step " + std::to_string(row / batch.numSamples) + ", sample " +
                              std::to_string(row % batch.numSamples) + ")";
    if (batch.counts[row] > batch.maxEvents) {
      throw UserError(where + " counts " + std::to_string(batch.counts[row]) +
                      " events; the capacity is " + std::to_string(batch.maxEvents));
    }
    for (std::size_t k = 0; k < batch.counts[row]; ++k) {
      const std::size_t at = row * batch.maxEvents + k;
      if (batch.ids[at] >= batch.numInputs || (k > 0 && batch.ids[at] <= batch.ids[at - 1])) {
        throw UserError(where + " has id " + std::to_string(batch.ids[at]) + " at place " +
                        std::to_string(k) + "; ids must ascend and be below " +
                        std::to_string(batch.numInputs));
      }
    }
  }
}

enum class Gradients { No, Yes };

// The sample's rows of the states that the batch brings.
CarriedState carriedOf(BatchSample sample) {
  CarriedState own;
  const auto rowOf = [&](const std::vector<float>& all) {
    const auto size = static_cast<std::ptrdiff_t>(all.size() / sample.batch.numSamples);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(sample.index) * size;
    return std::vector<double>(begin, begin + size);
  };
  for (const std::vector<float>& layer : sample.batch.carried.layers) {
    own.layers.push_back(rowOf(layer));
  }
  own.readout = rowOf(sample.batch.carried.readout);
  return own;
}

SampleTrace trace(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample,
                  Gradients gradients) {
  if (network.isGated()) {
    return gatedForward(network, parameters, sample,
                        gradients == Gradients::Yes ? Phase::Training : Phase::Evaluation,
                        carriedOf(sample));
  }
  return forward(network, parameters, sample);
}

ReferenceResult run(const NetworkSpec& network, const DenseSet& parameters, const EventBatch& batch,
                    Gradients gradients) {
  validate(network);
  checkBatch(network, batch);
  ReferenceResult result;
  if (gradients == Gradients::Yes) {
    result.gradients = zeros(network);
  }
  for (std::size_t b = 0; b < batch.numSamples; ++b) {
    const BatchSample sample{batch, b};
    SampleTrace made = trace(network, parameters, sample, gradients);
    LossShare task = taskLoss(network, batch, b, made.logits);
    RateShare rate = rateLoss(network, batch, made);
    result.taskLoss += task.loss;
    result.rateLoss += rate.loss;
    result.numCorrect += task.numCorrect;
    result.numLabels += task.numLabels;
    if (gradients == Gradients::Yes) {
      if (network.isGated()) {
        result.rateLoss += eventLoss(network, batch, made);
      }
      if (network.readsWords()) {
        result.rateLoss += languagePenalty(network, parameters, sample, made);
      }
      const LossGradient loss{std::move(task.gradient), std::move(rate.gradient)};
      network.isGated() ? gatedBackward(network, parameters, sample, made, loss, result.gradients)
                        : backward(network, parameters, sample, made, loss, result.gradients);
    }
    result.samples.push_back(std::move(made));
  }
  result.loss = result.taskLoss + result.rateLoss;
  return result;
}

} // namespace

void checkBatch(const NetworkSpec& network, const EventBatch& batch) {
  requireSize("inputs", batch.numInputs, network.numEventIds());
  if (batch.numSteps == 0 || batch.numSamples == 0) {
    throw UserError("the batch has " + std::to_string(batch.numSteps) + " steps and " +
                    std::to_string(batch.numSamples) + " samples; both must be at least 1");
  }
  checkEvents(batch);
  const bool perStep = network.readout.reduction == ReadoutReduction::PerStep;
  const std::size_t numRows = std::size_t{batch.numSamples} * (perStep ? batch.numSteps : 1);
  if (network.loss.kind == LossKind::MeanSquared) {
    requireSize("target values", batch.targets.size(), numRows * network.readout.numOutputs);
    return;
  }
  requireSize("labels", batch.labels.size(), numRows);
  const auto numOutputs = static_cast<std::int64_t>(network.readout.numOutputs);
  for (std::int32_t label : batch.labels) {
    if (label != EventBatch::kNoLabel && (label < 0 || label >= numOutputs)) {
      throw UserError("the batch has label " + std::to_string(label) + "; it must be 0 to " +
                      std::to_string(numOutputs - 1) + ", or -1 for none");
    }
  }
}

ReferenceResult evaluate(const NetworkSpec& network, const DenseSet& parameters,
                         const EventBatch& batch) {
  return run(network, parameters, batch, Gradients::No);
}

ReferenceResult differentiate(const NetworkSpec& network, const DenseSet& parameters,
                              const EventBatch& batch) {
  return run(network, parameters, batch, Gradients::Yes);
}

} // namespace spillway::reference
