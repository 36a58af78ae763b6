#include "data/PoissonPatterns.hpp"

#include "data/BernoulliTrain.hpp"
#include "network/CounterRandom.hpp"
#include "network/SettingError.hpp"

#include <string>

namespace spillway {

namespace {

enum Purpose : std::uint64_t { kRates = 21, kSpikes = 22 };

} // namespace

PoissonPatterns::PoissonPatterns(const PoissonOptions& options) : options_(options) {
  if (!(options.activity >= 0.0 && options.activity <= 0.5)) {
    throw SettingError(
        "data.activity",
        "data.activity = " + std::to_string(options.activity) +
            " is out of range; Poisson patterns take 0 to 0.5 spikes per input and step");
  }
}

Sample PoissonPatterns::sample(std::uint32_t index) const {
  const std::uint32_t label = index % options_.numClasses;
  const CounterRandom rates(options_.seed, {kRates, label});
  const CounterRandom spikes(options_.seed, {kSpikes, options_.stream, index});
  Sample sample;
  sample.label = static_cast<std::int32_t>(label);
  for (std::uint32_t i = 0; i < options_.numInputs; ++i) {
    bernoulliTrain(2.0 * options_.activity * rates.uniform(i), options_.numSteps, spikes,
                   std::uint64_t{i} * options_.numSteps, [&](std::uint32_t t) {
                     sample.events.push_back({t, static_cast<std::uint16_t>(i)});
                   });
  }
  return sample;
}

} // namespace spillway
