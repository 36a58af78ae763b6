#include "data/StoreRecall.hpp"

#include "data/BernoulliTrain.hpp"
#include "network/CounterRandom.hpp"
#include "network/SettingError.hpp"

#include <algorithm>
#include <string>

namespace spillway {

namespace {

constexpr std::uint64_t kSpikes = 31;
constexpr double kCueRate = 0.5;

} // namespace

StoreRecall::StoreRecall(const StoreRecallOptions& options)
    : options_(options),
      groupSize_(options.numInputs / (options.numClasses + 2)),
      cueSteps_(std::max(1u, options.numSteps / 20)) {
  if (groupSize_ == 0) {
    throw SettingError("data.inputs",
                       "data.inputs = " + std::to_string(options.numInputs) +
                           " is too few; store and recall needs at least classes + 2 = " +
                           std::to_string(options.numClasses + 2));
  }
  if (options.numSteps < 3) {
    throw SettingError("data.steps", "data.steps = " + std::to_string(options.numSteps) +
                                         " is too few; store and recall needs at least 3");
  }
}

Sample StoreRecall::sample(std::uint32_t index) const {
  const std::uint32_t label = index % options_.numClasses;
  const std::uint32_t noiseGroup = options_.numClasses, recallGroup = noiseGroup + 1;
  const CounterRandom random(options_.seed, {kSpikes, options_.stream, index});
  Sample sample;
  sample.label = static_cast<std::int32_t>(label);
  for (std::uint32_t i = 0; i < groupSize_ * (recallGroup + 1); ++i) {
    const std::uint32_t group = i / groupSize_;
    const bool isNoise = group == noiseGroup;
    if (!isNoise && group != label && group != recallGroup) {
      continue;
    }
    const std::uint32_t begin = group == recallGroup ? options_.numSteps - cueSteps_ : 0;
    bernoulliTrain(isNoise ? options_.activity : kCueRate, isNoise ? options_.numSteps : cueSteps_,
                   random, std::uint64_t{i} * options_.numSteps, [&](std::uint32_t t) {
                     sample.events.push_back({begin + t, static_cast<std::uint16_t>(i)});
                   });
  }
  return sample;
}

} // namespace spillway
