// Axons of several lengths: every input arrives more than once.
#pragma once

#include "data/Sample.hpp"

namespace spillway {

struct Delays {
  std::uint32_t count = 1;   // arrivals of an event: after 0, 1, ... count-1 times
  std::uint32_t spacing = 1; // steps
};

// Event (step, id) becomes the events (step + k spacing, k numInputs + id), k = 0 .. count-1; what
// arrives after the last step is lost. REQUIRES: events sorted by (step, id), within the steps and
// inputs; they are so afterwards.
void addDelays(const Delays& delays, std::uint32_t numInputs, std::uint32_t numSteps,
               std::vector<Event>& events);

} // namespace spillway
