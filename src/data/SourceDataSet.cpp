#include "data/SourceDataSet.hpp"

#include "data/BatchBuilder.hpp"
#include "network/UserError.hpp"

#include <algorithm>
#include <string>

namespace spillway {

namespace {

// What the random numbers are for, so that no two uses share a stream.
enum Purpose : std::uint64_t { kAugment = 1, kCap = 2 };

} // namespace

std::uint32_t SourceDataSet::numSamples(Split split) const {
  const bool train = split == Split::Train;
  const std::uint32_t size = train ? parts_.train->size() : parts_.test->size();
  const std::uint32_t limit = train ? parts_.maxTrain : parts_.maxTest;
  return limit == 0 ? size : std::min(size, limit);
}

EventBatch SourceDataSet::batch(Split split, std::span<const std::uint32_t> samples,
                                std::uint32_t maxEvents, std::uint64_t pass) const {
  const bool train = split == Split::Train;
  const std::uint64_t key = train ? 1 + pass : 0;
  const DataSetInfo& info = parts_.info;
  BatchBuilder builder({.numSteps = info.numSteps,
                        .numInputs = info.numInputs,
                        .maxEvents = maxEvents,
                        .labels = info.labelPerStep ? LabelKind::PerStep : LabelKind::PerSample},
                       static_cast<std::uint32_t>(samples.size()));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::uint32_t index = samples[i];
    if (index == kNoSample) {
      continue;
    }
    if (index >= numSamples(split)) {
      throw UserError(info.name + " has no sample " + std::to_string(index) + "; it has " +
                      std::to_string(numSamples(split)));
    }
    Sample sample = (train ? parts_.train : parts_.test)->sample(index);
    sortEvents(sample.events);
    if (train) {
      augment(parts_.augmentation, parts_.grid, info.numSteps,
              CounterRandom(parts_.seed, {kAugment, key, index}), sample.events);
      sortEvents(sample.events);
    }
    builder.set(static_cast<std::uint32_t>(i), sample,
                CounterRandom(parts_.seed, {kCap, key, index}));
  }
  return builder.take();
}

} // namespace spillway
