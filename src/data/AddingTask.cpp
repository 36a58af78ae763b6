#include "data/AddingTask.hpp"

#include "network/CounterRandom.hpp"
#include "network/UserError.hpp"

#include <string>

namespace spillway {

namespace {

constexpr std::uint64_t kNumbers = 33, kMarks = 34; // what the random numbers are for

} // namespace

AddingTask::AddingTask(const AddingOptions& options) : options_(options) {
  if (options.numSteps < 2) {
    throw UserError("steps = " + std::to_string(options.numSteps) +
                    " is too few; adding needs at least 2");
  }
}

Sample AddingTask::sample(std::uint32_t index) const {
  const CounterRandom numbers(options_.seed, {kNumbers, options_.stream, index});
  const CounterRandom marks(options_.seed, {kMarks, options_.stream, index});
  const std::uint32_t half = options_.numSteps / 2;
  const auto first = static_cast<std::uint32_t>(marks.below(0, half));
  const auto second = half + static_cast<std::uint32_t>(marks.below(1, options_.numSteps - half));
  Sample sample;
  float sum = 0.0f;
  for (std::uint32_t t = 0; t < options_.numSteps; ++t) {
    const auto number = static_cast<float>(numbers.uniform(t));
    sample.events.push_back({t, 0, number});
    if (t == first || t == second) {
      sample.events.push_back({t, 1, 1.0f});
      sum += number;
    }
  }
  sample.target = {sum};
  return sample;
}

} // namespace spillway
