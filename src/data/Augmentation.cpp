#include "data/Augmentation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace spillway {

namespace {

// Indices into the random stream: the sample's shift first, then two numbers per event; times of
// the whole sample far behind them.
constexpr std::uint64_t kShiftX = 0, kShiftY = 1, kFirstEvent = 2;
constexpr std::uint64_t kStretch = std::uint64_t{1} << 40, kShiftTime = kStretch + 1;

bool isInside(std::int64_t value, std::uint32_t extent) {
  return value >= 0 && value < static_cast<std::int64_t>(extent);
}

// What happens to the times of a sample as a whole. The middle of a step is what is stretched, so
// that a factor of 1 changes nothing.
struct TimeChange {
  double factor = 1.0, delay = 0.0;

  std::int64_t moved(std::uint32_t step) const {
    return static_cast<std::int64_t>(std::floor((step + 0.5) * factor + delay));
  }
};

TimeChange timeChange(const Augmentation& augmentation, const CounterRandom& random) {
  return {1.0 + augmentation.stretch * random.normal(kStretch),
          augmentation.shiftSteps * random.normal(kShiftTime)};
}

} // namespace

void augment(const Augmentation& augmentation, const InputGrid& grid, std::uint32_t numSteps,
             const CounterRandom& random, std::vector<Event>& events) {
  const auto shiftX = std::llround(augmentation.shiftInputs * random.normal(kShiftX));
  const auto shiftY =
      grid.height > 1 ? std::llround(augmentation.shiftInputs * random.normal(kShiftY)) : 0;
  const TimeChange time = timeChange(augmentation, random);
  std::vector<Event> kept;
  kept.reserve(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::uint64_t jitterIndex = kFirstEvent + 2 * i;
    // normal(n) draws the uniforms 2n and 2n+1, so the numbers for the drop lie where no jitter
    // falls.
    const std::uint64_t dropIndex = 2 * (jitterIndex + 1);
    if (augmentation.dropFraction > 0.0 && random.uniform(dropIndex) < augmentation.dropFraction) {
      continue;
    }
    const std::uint32_t id = events[i].id;
    const std::int64_t x = std::int64_t{id % grid.width} + shiftX;
    const std::int64_t y = std::int64_t{id / grid.width % grid.height} + shiftY;
    auto step = time.moved(events[i].step);
    if (augmentation.jitterSteps > 0.0) {
      step += std::llround(augmentation.jitterSteps * random.normal(jitterIndex));
    }
    if (isInside(x, grid.width) && isInside(y, grid.height) && isInside(step, numSteps)) {
      const std::int64_t channel = id / (grid.width * grid.height);
      kept.push_back({static_cast<std::uint32_t>(step),
                      static_cast<std::uint16_t>((channel * grid.height + y) * grid.width + x),
                      events[i].value});
    }
  }
  events = std::move(kept);
}

void moveLabels(const Augmentation& augmentation, const CounterRandom& random,
                std::vector<std::int32_t>& stepLabels) {
  if (augmentation.stretch == 0.0 && augmentation.shiftSteps == 0.0) {
    return;
  }
  const TimeChange time = timeChange(augmentation, random);
  const auto numSteps = static_cast<std::uint32_t>(stepLabels.size());
  std::vector<std::int32_t> moved(numSteps, EventBatch::kNoLabel);
  // Where times are stretched, the steps up to where the next label goes are the label's too.
  for (std::uint32_t step = 0; step < numSteps; ++step) {
    const std::int64_t end = std::min<std::int64_t>(numSteps, time.moved(step + 1));
    for (std::int64_t to = std::max<std::int64_t>(0, time.moved(step)); to < end; ++to) {
      moved[static_cast<std::size_t>(to)] = stepLabels[step];
    }
  }
  stepLabels = std::move(moved);
}

} // namespace spillway
