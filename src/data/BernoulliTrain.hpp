// Spikes that come independently at every step with one probability.
#pragma once

#include "network/CounterRandom.hpp"

#include <cmath>
#include <cstdint>

namespace spillway {

// Calls emit(step) for the spikes among numSteps steps, in ascending order. Draws the gaps between
// spikes rather than every step, so the cost is that of the spikes. Takes the numbers of `random`
// from firstIndex on, at most numSteps of them. REQUIRES: 0 <= probability <= 1.
template <typename Emit>
void bernoulliTrain(double probability, std::uint32_t numSteps, const CounterRandom& random,
                    std::uint64_t firstIndex, Emit&& emit) {
  if (probability <= 0.0) {
    return;
  }
  const double logSilent = std::log1p(-probability); // -inf where every step spikes
  double step = -1.0;
  for (std::uint64_t i = firstIndex;; ++i) {
    step += 1.0 + std::floor(std::log1p(-random.uniform(i)) / logSilent);
    if (!(step < static_cast<double>(numSteps))) {
      return;
    }
    emit(static_cast<std::uint32_t>(step));
  }
}

} // namespace spillway
