// What a step takes on the cores of a host, from constants measured there.
#pragma once

#include "plan/StepCosts.hpp"

namespace spillway::plan {

// Remote states are plain memory on a host: copied at about this rate by one core (measured).
inline constexpr double kHostBytesPerSecond = 5e9;

// f, r, b in seconds, and a transfer of `stateBytes`. The constants are those of one core of an
// x86-64 host with AVX2; more cores make all of them smaller alike, so choices stay the same.
Costs hostCosts(const NetworkSpec& network, std::uint32_t batch, const Activity& activity,
                std::uint64_t stateBytes);

// The same in cycles of a clock.
Costs inCycles(const Costs& seconds, double clockHz);

} // namespace spillway::plan
