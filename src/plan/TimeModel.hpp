// The time of a schedule under given costs, and what no schedule can beat.
#pragma once

#include "plan/Costs.hpp"
#include "plan/Schedule.hpp"

#include <cstdint>

namespace spillway::plan {

// Replays the schedule against two clocks: compute, and one transfer channel that serves what is
// started in order. Synchronous transfers hold up compute; overlapped ones only where a staging
// buffer is not free yet or a state has not arrived. REQUIRES: simulate(schedule) does not throw.
TimeSplit timeOf(const Schedule& schedule, const Costs& costs);

// Any schedule with `numSlots` slots whose transfers hold up compute: a state at its backward was
// kept since the first pass, or cost a light step, or a write and a read.
double synchronousLowerBound(Step numSteps, std::uint32_t numSlots, const Costs& costs);

// Any schedule with `numSlots` slots, two staging buffers and one channel. Of the T - slots - 2
// states not kept, those that are not recomputed occupy the channel for write + read each.
double overlappedLowerBound(Step numSteps, std::uint32_t numSlots, const Costs& costs);

} // namespace spillway::plan
