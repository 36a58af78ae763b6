#include "data/SourceDataSet.hpp"

#include "data/BatchBuilder.hpp"
#include "data/Shuffle.hpp"
#include "network/UserError.hpp"

#include <string>

namespace spillway {

namespace {

// What the random numbers are for, so that no two uses share a stream.
enum Purpose : std::uint64_t { kAugment = 1, kCap = 2 };

std::vector<std::uint32_t> drawSubset(std::uint32_t size, std::uint32_t limit, std::uint64_t seed) {
  if (limit == 0 || limit >= size) {
    return {};
  }
  std::vector<std::uint32_t> order = shuffledOrder(size, seed, 0);
  order.resize(limit);
  return order;
}

} // namespace

SourceDataSet::SourceDataSet(SourceDataSetParts parts) : parts_(std::move(parts)) {
  train_ = {std::move(parts_.train), {}};
  test_ = {std::move(parts_.test), {}};
  train_.subset = drawSubset(train_.source->size(), parts_.maxTrain, parts_.seed);
  test_.subset = drawSubset(test_.source->size(), parts_.maxTest, parts_.seed);
}

std::uint32_t SourceDataSet::numSamples(Split split) const {
  const Side& chosen = side(split);
  return chosen.subset.empty() ? chosen.source->size()
                               : static_cast<std::uint32_t>(chosen.subset.size());
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
    if (samples[i] == kNoSample) {
      continue;
    }
    if (samples[i] >= numSamples(split)) {
      throw UserError(info.name + " has no sample " + std::to_string(samples[i]) + "; it has " +
                      std::to_string(numSamples(split)));
    }
    const Side& chosen = side(split);
    const std::uint32_t index = chosen.subset.empty() ? samples[i] : chosen.subset[samples[i]];
    Sample sample = chosen.source->sample(index);
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
