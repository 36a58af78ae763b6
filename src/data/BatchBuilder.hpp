// From samples to the lists of ids the device takes.
#pragma once

#include "data/EventBatch.hpp"
#include "data/Sample.hpp"
#include "network/CounterRandom.hpp"

#include <span>

namespace spillway {

enum class LabelKind { PerSample, PerStep };

struct BatchShape {
  std::uint32_t numSteps = 0;
  std::uint32_t numInputs = 0;
  std::uint32_t maxEvents = 0; // per sample and step; 0: numInputs
  LabelKind labels = LabelKind::PerSample;
  bool valued = false; // the batch has values
};

// Ascending by (step, id), each once.
void sortEvents(std::vector<Event>& events);

class BatchBuilder {
public:
  BatchBuilder(const BatchShape& shape, std::uint32_t numSamples);

  // Writes one sample. Where a step has more ids than fit, those with the smallest numbers of
  // `random` at (step, id) stay; the others are counted. REQUIRES: sorted events within the shape,
  // and per-step labels where the shape has them.
  void set(std::uint32_t position, const Sample& sample, const CounterRandom& random);

  EventBatch take() { return std::move(batch_); }

private:
  void setRow(std::uint32_t position, std::span<const Event> row, const CounterRandom& random);

  BatchShape shape_;
  EventBatch batch_;
};

// Targets for the mean-squared error: 1 at the label, 0 elsewhere (all 0 without a label). The
// labels are taken out.
void labelsToTargets(EventBatch& batch, std::uint32_t numOutputs);

} // namespace spillway
