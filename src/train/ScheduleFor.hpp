// From the settings to the schedule of one training step: what a run does and what a plan says.
#pragma once

#include "train/PlanInputs.hpp"

#include <string>

namespace spillway {

// What a run asks of a strategy, and what it does with it: the parameters that the settings fix,
// and the fastest others that fit. Without any limit of memory, on the cpu without a budget, those
// not set are: chunks of about the square root of what they divide, in whole blocks of steps and at
// least four of many, remote chunks of 256 steps, 8 checkpoints per transfer, slots for one
// repetition of each step. REQUIRES: the inputs are of the settings, but for what a command line
// put in their place.
plan::PlanRequest requestOfRun(plan::Strategy strategy, const Settings& settings,
                               const PlanInputs& inputs);
plan::StrategyPlan planOfRun(plan::Strategy strategy, const Settings& settings,
                             const PlanInputs& inputs,
                             plan::PlanDetail detail = plan::PlanDetail::Limits);

struct ChosenSchedule {
  plan::Schedule schedule;
  std::string reason; // one line; empty where the settings left no choice
};

// The schedule that the settings ask for; `auto` is decided here.
// Throws UserError when the strategy does not fit checkpoint.memoryBudget or the host's memory,
// saying the smallest budget with which it does; for `auto` when nothing does, with the largest T
// too.
ChosenSchedule scheduleFor(const Settings& settings);

// The planner's name of a strategy. REQUIRES: not Auto.
plan::Strategy planStrategyOf(StrategyKind kind);

} // namespace spillway
