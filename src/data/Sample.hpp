// One sample as every reader and synthetic task delivers it, before it is made part of a batch.
#pragma once

#include "data/EventBatch.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace spillway {

struct Event {
  std::uint32_t step = 0;
  std::uint16_t id = 0;
  float value = 1.0f; // of data sets whose events carry one
  friend auto operator<=>(const Event&, const Event&) = default;
};

// Input id = (channel * height + y) * width + x. A line of units has height 1.
struct InputGrid {
  std::uint32_t width = 0, height = 1, channels = 1;
  std::uint32_t numInputs() const { return width * height * channels; }
};

struct Sample {
  std::vector<Event> events; // any order; a repeated event counts once
  std::int32_t label = EventBatch::kNoLabel;
  std::vector<std::int32_t>
      stepLabels;            // [numSteps] where every step has a label of its own, else empty
  std::vector<float> target; // of the mean-squared error, in the place of a label
};

} // namespace spillway
