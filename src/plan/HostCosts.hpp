// What a step takes on the cores of a host, from constants measured there.
#pragma once

#include "plan/StepCosts.hpp"

namespace spillway::plan {

// Remote states are plain memory on a host: copied at about this rate by one core (measured).
inline constexpr double kHostBytesPerSecond = 5e9;

// What the second-level cache of a core holds at least, and the rate at which what has left it
// comes back (measured: blocks of 2,048 steps against blocks of 512 in configs/long/patterns.cfg).
inline constexpr std::uint64_t kCoreCacheBytes = 1 << 20;
inline constexpr double kMissedBytesPerSecond = 15e9;

// f, r, b in seconds, and a transfer of `stateBytes`. The constants are those of one core of an
// x86-64 host with AVX-512 and a matrix unit; more cores make all of them smaller alike, so choices
// stay the same.
Costs hostCosts(const NetworkSpec& network, std::uint32_t batch, const Activity& activity,
                std::uint64_t stateBytes);

// The same in cycles of a clock.
Costs inCycles(const Costs& seconds, double clockHz);

} // namespace spillway::plan
