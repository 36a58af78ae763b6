// The schedule that the checkpoint settings ask for.
#pragma once

#include "config/Settings.hpp"
#include "plan/Costs.hpp"
#include "plan/Schedule.hpp"

namespace spillway {

// What is 0 in the settings is chosen: chunks of about the square root of what they divide, in
// whole blocks of `block` steps, remote chunks of 256 steps, slots for one repetition of each step.
// `costs` decide between transfers and recomputation where a strategy leaves that open (optimal,
// streamed).
plan::Schedule chooseSchedule(const CheckpointSettings& settings, plan::Step numSteps,
                              plan::Step block, const plan::Costs& costs);

} // namespace spillway
