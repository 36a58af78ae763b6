// Whether gated layers keep their gates for the backward pass.
#pragma once

#include "config/Settings.hpp"

namespace spillway {

// Whether the gates of so many steps of samples need no more memory than the layers' weights and
// their gradients.
bool gatesAreSmall(const NetworkSpec& network, std::uint64_t batchSteps);

// checkpoint.keepGates, or where that is auto: on the cpu without checkpoint.memoryBudget, if the
// gates of a whole batch are small. Large
// layers on short sequences are of that kind; to form their products again is what takes longest,
// since their weights come from far away.
bool keepsGates(const Settings& settings);

} // namespace spillway
