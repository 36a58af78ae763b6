#include "data/BatchBuilder.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace spillway {
namespace {

constexpr std::size_t kChunkSteps = 1024; // long enough that a write is worth its call

} // namespace

void sortEvents(std::vector<Event>& events) {
  std::sort(events.begin(), events.end());
  events.erase(std::unique(events.begin(), events.end()), events.end());
}

BatchBuilder::BatchBuilder(const BatchShape& shape, std::uint32_t numSamples) : shape_(shape) {
  batch_.numSteps = shape.numSteps;
  batch_.numSamples = numSamples;
  batch_.numInputs = shape.numInputs;
  batch_.maxEvents = shape.maxEvents == 0 ? shape.numInputs : shape.maxEvents;
  const std::size_t numRows = std::size_t{shape.numSteps} * numSamples;
  const std::uint64_t bytes = numRows * (batch_.maxEvents + 1ull) * sizeof(std::uint16_t);
  if (shape.maxBytes != 0 && bytes > shape.maxBytes && !shape.valued) {
    file_ = std::make_shared<EventFile>(shape.numSteps, numSamples, batch_.maxEvents);
    batch_.file = file_;
    chunk_.resize(std::min<std::size_t>(kChunkSteps, shape.numSteps) * file_->rowWords());
  } else {
    batch_.ids.resize(numRows * batch_.maxEvents);
    batch_.counts.resize(numRows);
    batch_.values.resize(shape.valued ? batch_.ids.size() : 0);
  }
  if (shape.numTargets != 0) {
    batch_.targets.resize(std::size_t{numSamples} * shape.numTargets);
  } else {
    batch_.labels.resize(shape.labels == LabelKind::PerStep ? numRows : numSamples,
                         EventBatch::kNoLabel);
  }
}

void BatchBuilder::set(std::uint32_t position, const Sample& sample, const CounterRandom& random) {
  for (auto begin = sample.events.begin(); begin != sample.events.end();) {
    const auto end = std::find_if(begin, sample.events.end(),
                                  [&](const Event& event) { return event.step != begin->step; });
    setRow(position, {begin, end}, random);
    begin = end;
  }
  if (file_) {
    flush(position);
    chunkBegin_ = 0;
  }
  if (shape_.numTargets != 0) {
    std::copy(sample.target.begin(), sample.target.end(),
              batch_.targets.begin() + std::ptrdiff_t{position} * shape_.numTargets);
  } else if (shape_.labels == LabelKind::PerSample) {
    batch_.labels[position] = sample.label;
  } else if (!sample.stepLabels.empty()) {
    for (std::size_t t = 0; t < shape_.numSteps; ++t) {
      batch_.labels[t * batch_.numSamples + position] = sample.stepLabels.at(t);
    }
  }
}

void BatchBuilder::setRow(std::uint32_t position, std::span<const Event> row,
                          const CounterRandom& random) {
  const std::uint64_t step = row.front().step;
  if (step >= shape_.numSteps || row.back().id >= shape_.numInputs) {
    throw std::logic_error("event (step " + std::to_string(step) + ", id " +
                           std::to_string(row.back().id) + ") outside " +
                           std::to_string(shape_.numSteps) + " steps, " +
                           std::to_string(shape_.numInputs) + " inputs");
  }
  std::vector<std::uint16_t> ids;
  std::unordered_map<std::uint16_t, float> values;
  for (const Event& event : row) {
    ids.push_back(event.id);
    if (shape_.valued) {
      values[event.id] = event.value;
    }
  }
  if (ids.size() > batch_.maxEvents) {
    batch_.numDroppedEvents += ids.size() - batch_.maxEvents;
    const auto key = [&](std::uint16_t id) { return random.bits(step * shape_.numInputs + id); };
    std::nth_element(ids.begin(), ids.begin() + batch_.maxEvents, ids.end(),
                     [&](std::uint16_t a, std::uint16_t b) { return key(a) < key(b); });
    ids.resize(batch_.maxEvents);
    std::sort(ids.begin(), ids.end());
  }
  put(position, step, ids);
  for (std::size_t k = 0; shape_.valued && k < ids.size(); ++k) {
    batch_.values[(step * batch_.numSamples + position) * batch_.maxEvents + k] = values[ids[k]];
  }
}

void BatchBuilder::put(std::uint32_t position, std::uint64_t step,
                       std::span<const std::uint16_t> ids) {
  if (!file_) {
    const std::size_t at = step * batch_.numSamples + position;
    batch_.counts[at] = static_cast<std::uint16_t>(ids.size());
    std::copy(ids.begin(), ids.end(),
              batch_.ids.begin() + static_cast<std::ptrdiff_t>(at * batch_.maxEvents));
    return;
  }
  if (step >= chunkBegin_ + chunk_.size() / file_->rowWords()) {
    flush(position);
    chunkBegin_ = step;
  }
  std::uint16_t* const row = &chunk_[(step - chunkBegin_) * file_->rowWords()];
  row[0] = static_cast<std::uint16_t>(ids.size());
  std::copy(ids.begin(), ids.end(), row + 1);
}

// Steps come in ascending order, so what lies before the chunk is written and what follows is not.
void BatchBuilder::flush(std::uint32_t position) {
  const std::size_t rows =
      std::min<std::size_t>(chunk_.size() / file_->rowWords(), shape_.numSteps - chunkBegin_);
  file_->write(position, chunkBegin_, std::span(chunk_).first(rows * file_->rowWords()));
  std::fill(chunk_.begin(), chunk_.end(), std::uint16_t{0});
}

void labelsToTargets(EventBatch& batch, std::uint32_t numOutputs) {
  batch.targets.assign(batch.labels.size() * numOutputs, 0.0f);
  for (std::size_t row = 0; row < batch.labels.size(); ++row) {
    if (batch.labels[row] != EventBatch::kNoLabel) {
      batch.targets.at(row * numOutputs + static_cast<std::size_t>(batch.labels[row])) = 1.0f;
    }
  }
  batch.labels.clear();
}

std::uint64_t numLabels(const EventBatch& batch, std::uint32_t numOutputs) {
  if (batch.labels.empty()) {
    const std::uint64_t rows = batch.targets.size() / numOutputs;
    return rows / batch.numSamples * (batch.numSamples - batch.numFillers);
  }
  return batch.labels.size() - static_cast<std::uint64_t>(std::count(
                                   batch.labels.begin(), batch.labels.end(), EventBatch::kNoLabel));
}

} // namespace spillway
