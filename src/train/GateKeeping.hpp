// Whether gated layers keep their gates for the backward pass.
#pragma once

#include "config/Settings.hpp"

namespace spillway {

// Whether the gates of so many steps of samples need no more memory than the layers' weights and
// their gradients.
bool gatesAreSmall(const NetworkSpec& network, std::uint64_t batchSteps);

// Whether errors take the place of gates that are kept, where nobody but the update wants
// gradients: these then wait until all errors are known. It pays where weights are large, so that
// their gradients are in no cache; 16 bits tell the samples of all steps.
bool errorsReplaceGates(const NetworkSpec& network, std::uint64_t batchSteps);

// checkpoint.keepGates, or where that is auto: on the cpu without checkpoint.memoryBudget, if the
// gates of a whole batch are small. Large layers on short sequences are of that kind; to form their
// products again is what takes longest, since their weights come from far away.
bool keepsGates(const Settings& settings);

} // namespace spillway
