// Random changes to training samples that leave their class as it is.
#pragma once

#include "data/Sample.hpp"
#include "network/CounterRandom.hpp"

namespace spillway {

// Times first: stretched, then shifted, then jittered. Standard deviations are those of normal
// numbers.
struct Augmentation {
  double jitterSteps = 0.0; // standard deviation of each event's time, in steps
  double shiftInputs =
      0.0; // standard deviation of the sample's shift along x, and y if there is one
  double dropFraction = 0.0; // of the events, each on its own
  double stretch = 0.0;      // standard deviation of the factor on the sample's times, around 1
  double shiftSteps = 0.0;   // standard deviation of the sample's shift in time, in steps
};

// Events that leave the grid or the steps are lost. The result depends on `random` and on the order
// of the events; sorted events make it reproducible.
void augment(const Augmentation& augmentation, const InputGrid& grid, std::uint32_t numSteps,
             const CounterRandom& random, std::vector<Event>& events);

// Moves the labels of steps as augment() with the same `random` moves the sample's times: stretched
// and shifted, not jittered. A step that nothing moved to has no label.
void moveLabels(const Augmentation& augmentation, const CounterRandom& random,
                std::vector<std::int32_t>& stepLabels);

} // namespace spillway
