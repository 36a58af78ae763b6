// From a sensor's events in microseconds to steps and input ids.
#pragma once

#include "data/Sample.hpp"

#include <span>

namespace spillway {

struct SensorEvent {
  std::int64_t timeUs = 0;
  std::uint16_t x = 0, y = 0;
  std::uint8_t polarity = 0; // 1: ON
};

struct SensorSize {
  std::uint32_t width = 0, height = 1;
  std::uint32_t polarities = 1;
};

struct Binning {
  std::uint32_t numSteps = 100;
  double stepUs = 1000.0;
  std::uint32_t downsample =
      1; // downsample x downsample pixels (or channels of a line) become one input
};

InputGrid binnedGrid(const SensorSize& sensor, const Binning& binning);

// An event at timeUs falls into step floor((timeUs - startUs) / stepUs); what lies before the first
// step or after the last is left out. REQUIRES: events inside the sensor.
std::vector<Event> binEvents(std::span<const SensorEvent> events, const SensorSize& sensor,
                             const Binning& binning, std::int64_t startUs);

} // namespace spillway
