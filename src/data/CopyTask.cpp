#include "data/CopyTask.hpp"

#include "network/CounterRandom.hpp"
#include "network/UserError.hpp"

#include <algorithm>
#include <string>

namespace spillway {

namespace {

constexpr std::uint64_t kSymbols = 32; // what the random numbers are for
constexpr std::uint32_t kMostSymbols = 10;

} // namespace

CopyTask::CopyTask(const CopyOptions& options)
    : options_(options), length_(std::min(kMostSymbols, options.numSteps / 3)) {
  if (length_ == 0) {
    throw UserError("steps = " + std::to_string(options.numSteps) +
                    " is too few; copying needs at least 3");
  }
}

Sample CopyTask::sample(std::uint32_t index) const {
  const CounterRandom random(options_.seed, {kSymbols, options_.stream, index});
  const std::uint32_t answer = options_.numSteps - length_;
  Sample sample;
  sample.stepLabels.assign(options_.numSteps, EventBatch::kNoLabel);
  for (std::uint32_t t = 0; t < length_; ++t) {
    const auto symbol = static_cast<std::uint16_t>(random.below(t, options_.numSymbols));
    sample.events.push_back({t, symbol});
    sample.events.push_back({answer + t, static_cast<std::uint16_t>(options_.numSymbols)});
    sample.stepLabels[answer + t] = symbol;
  }
  return sample;
}

} // namespace spillway
