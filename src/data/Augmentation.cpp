#include "data/Augmentation.hpp"

#include <cmath>

namespace spillway {

namespace {

// Indices into the random stream: the sample's shift first, then two numbers per event; times of
// the whole sample far behind them.
constexpr std::uint64_t kShiftX = 0, kShiftY = 1, kFirstEvent = 2;
constexpr std::uint64_t kStretch = std::uint64_t{1} << 40, kShiftTime = kStretch + 1;

bool isInside(std::int64_t value, std::uint32_t extent) {
  return value >= 0 && value < static_cast<std::int64_t>(extent);
}

} // namespace

void augment(const Augmentation& augmentation, const InputGrid& grid, std::uint32_t numSteps,
             const CounterRandom& random, std::vector<Event>& events) {
  const auto shiftX = std::llround(augmentation.shiftInputs * random.normal(kShiftX));
  const auto shiftY =
      grid.height > 1 ? std::llround(augmentation.shiftInputs * random.normal(kShiftY)) : 0;
  // The middle of a step is what is stretched, so that a factor of 1 changes nothing.
  const double factor = 1.0 + augmentation.stretch * random.normal(kStretch);
  const double delay = augmentation.shiftSteps * random.normal(kShiftTime);
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
    auto step = static_cast<std::int64_t>(std::floor((events[i].step + 0.5) * factor + delay));
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

} // namespace spillway
