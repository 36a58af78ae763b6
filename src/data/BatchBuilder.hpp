// From samples to the lists of ids the device takes.
#pragma once

#include "data/EventBatch.hpp"
#include "data/EventFile.hpp"
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
  std::uint32_t numTargets = 0; // of a sample, in the place of labels
  bool valued = false;          // the batch has values
  std::uint64_t maxBytes =
      0; // of rows in memory; longer batches without values go to a file. 0: never
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
  void put(std::uint32_t position, std::uint64_t step, std::span<const std::uint16_t> ids);
  void flush(std::uint32_t position);

  BatchShape shape_;
  EventBatch batch_;
  std::shared_ptr<EventFile> file_;  // as the batch's
  std::vector<std::uint16_t> chunk_; // rows of the sample in work on their way to the file
  std::uint64_t chunkBegin_ = 0;     // their first step
};

// Targets for the mean-squared error: 1 at the label, 0 elsewhere (all 0 without a label). The
// labels are taken out.
void labelsToTargets(EventBatch& batch, std::uint32_t numOutputs);

// What the loss of a batch is a mean over: labels, or targets of numOutputs.
std::uint64_t numLabels(const EventBatch& batch, std::uint32_t numOutputs);

} // namespace spillway
