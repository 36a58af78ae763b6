#include "data/SourceDataSet.hpp"

#include "data/BatchBuilder.hpp"
#include "data/Shuffle.hpp"
#include "network/SettingError.hpp"
#include "network/UserError.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace spillway {

namespace {

// What the random numbers are for, so that no two uses share a stream.
enum Purpose : std::uint64_t { kAugment = 1, kCap = 2 };

// 0 .. size-1, of which at most `count` (0: all).
std::vector<std::uint32_t> first(std::uint32_t size, std::uint32_t count) {
  std::vector<std::uint32_t> order(count == 0 ? size : std::min(size, count));
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

// `count` samples (0: all) after the first `skip` of an order drawn by the seed; all of them keep
// the source's order.
std::vector<std::uint32_t> draw(std::uint32_t size, std::uint32_t skip, std::uint32_t count,
                                std::uint64_t seed) {
  if (skip == 0 && (count == 0 || count >= size)) {
    return first(size, 0);
  }
  std::vector<std::uint32_t> order = shuffledOrder(size, seed, 0);
  order.erase(order.begin(), order.begin() + skip);
  if (count != 0 && count < order.size()) {
    order.resize(count);
  }
  return order;
}

} // namespace

SourceDataSet::SourceDataSet(SourceDataSetParts parts) : parts_(std::move(parts)) {
  const std::uint32_t size = parts_.train->size(), numValidation = parts_.numValidation;
  if (numValidation != 0) {
    if (numValidation >= size) {
      throw SettingError("data.validation", "data.validation = " + std::to_string(numValidation) +
                                                " leaves none of the " + std::to_string(size) +
                                                " training samples of " + parts_.info.name);
    }
    if (parts_.info.sequential) {
      throw UserError("validation = " + std::to_string(numValidation) + ": the samples of " +
                      parts_.info.name +
                      " go on from one another, so none is held out; it must be 0");
    }
    validation_ = draw(size, 0, numValidation, parts_.seed);
  }
  if (parts_.info.sequential) {
    train_ = first(size, parts_.maxTrain);
    test_ = first(parts_.test->size(), parts_.maxTest);
  } else {
    train_ = draw(size, numValidation, parts_.maxTrain, parts_.seed);
    test_ = draw(parts_.test->size(), 0, parts_.maxTest, parts_.seed);
  }
  if (parts_.validation) {
    validation_ = first(parts_.validation->size(), parts_.maxTest);
  }
}

const SampleSource& SourceDataSet::source(Split split) const {
  const bool own = split == Split::Validation && parts_.validation;
  return own ? *parts_.validation : split == Split::Test ? *parts_.test : *parts_.train;
}

const std::vector<std::uint32_t>& SourceDataSet::indices(Split split) const {
  return split == Split::Train ? train_ : split == Split::Validation ? validation_ : test_;
}

std::uint32_t SourceDataSet::numSamples(Split split) const {
  return static_cast<std::uint32_t>(indices(split).size());
}

EventBatch SourceDataSet::batch(Split split, std::span<const std::uint32_t> samples,
                                std::uint32_t maxEvents, std::uint64_t pass) const {
  const bool train = split == Split::Train;
  const std::uint64_t key = train ? 1 + pass : 0;
  const DataSetInfo& info = parts_.info;
  BatchBuilder builder({.numSteps = info.numSteps,
                        .numInputs = info.numInputs,
                        .maxEvents = maxEvents,
                        .labels = info.labelPerStep ? LabelKind::PerStep : LabelKind::PerSample,
                        .numTargets = info.targets ? info.numOutputs : 0,
                        .valued = info.valued,
                        .maxBytes = parts_.maxBatchBytes},
                       static_cast<std::uint32_t>(samples.size()));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i] == kNoSample) {
      continue;
    }
    if (samples[i] >= numSamples(split)) {
      throw UserError(info.name + " has no sample " + std::to_string(samples[i]) + "; it has " +
                      std::to_string(numSamples(split)));
    }
    const std::uint32_t index = indices(split)[samples[i]];
    Sample sample = source(split).sample(index);
    sortEvents(sample.events);
    if (train) {
      const CounterRandom random(parts_.seed, {kAugment, key, index});
      augment(parts_.augmentation, parts_.grid, info.numSteps, random, sample.events);
      moveLabels(parts_.augmentation, random, sample.stepLabels);
      sortEvents(sample.events);
    }
    addDelays(parts_.delays, parts_.grid.numInputs(), info.numSteps, sample.events);
    builder.set(static_cast<std::uint32_t>(i), sample,
                CounterRandom(parts_.seed, {kCap, key, index}));
  }
  return builder.take();
}

} // namespace spillway
