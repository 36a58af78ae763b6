#include "data/Delays.hpp"

namespace spillway {

void addDelays(const Delays& delays, std::uint32_t numInputs, std::uint32_t numSteps,
               std::vector<Event>& events) {
  const std::size_t size = events.size();
  for (std::uint64_t k = 1; k < delays.count; ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t step = events[i].step + k * delays.spacing;
      if (step < numSteps) {
        events.push_back({static_cast<std::uint32_t>(step),
                          static_cast<std::uint16_t>(k * numInputs + events[i].id)});
      }
    }
  }
}

} // namespace spillway
