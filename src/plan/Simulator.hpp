// Replays a schedule on sets: which state sits in which slot, row and staging buffer. Nothing is
// computed; what the schedule may rely on is checked, and what it does is counted.
#pragma once

#include "plan/Schedule.hpp"
#include "plan/ScheduleCounts.hpp"

#include <stdexcept>

namespace spillway::plan {

// A schedule that would read what is not there, or leave a step out. Names the action and why.
class ScheduleError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// Checks that
//  - Forward runs every step once, in order; Light runs only where spikes are stored;
//  - every run, copy and transfer finds the state it names; slots, rows and staging buffers stay
//    within the schedule's limits and all of them are used;
//  - Backward takes the steps T-1 .. 0 in that order and finds each one's state, unless the
//  surrogate
//    is cached; ranges find their block of spikes if the history is spilled.
// Throws ScheduleError at the first action that breaks a rule.
ScheduleCounts simulate(const Schedule& schedule);

} // namespace spillway::plan
