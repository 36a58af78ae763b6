#include "data/Binning.hpp"

#include <cmath>

namespace spillway {

InputGrid binnedGrid(const SensorSize& sensor, const Binning& binning) {
  const std::uint32_t block = binning.downsample;
  return {.width = (sensor.width + block - 1) / block,
          .height = (sensor.height + block - 1) / block,
          .channels = sensor.polarities};
}

std::vector<Event> binEvents(std::span<const SensorEvent> events, const SensorSize& sensor,
                             const Binning& binning, std::int64_t startUs) {
  const InputGrid grid = binnedGrid(sensor, binning);
  std::vector<Event> binned;
  binned.reserve(events.size());
  for (const SensorEvent& event : events) {
    const double step = std::floor(static_cast<double>(event.timeUs - startUs) / binning.stepUs);
    if (step < 0.0 || step >= static_cast<double>(binning.numSteps)) {
      continue;
    }
    const std::uint32_t x = event.x / binning.downsample, y = event.y / binning.downsample;
    const std::uint32_t id = (event.polarity * grid.height + y) * grid.width + x;
    binned.push_back({static_cast<std::uint32_t>(step), static_cast<std::uint16_t>(id)});
  }
  return binned;
}

} // namespace spillway
