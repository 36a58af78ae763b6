// What `checkpoint.strategy = auto` takes, for a run and for its plan.
#pragma once

#include "train/PlanInputs.hpp"

#include <optional>
#include <string>

namespace spillway {

// On the cpu without checkpoint.memoryBudget nothing says what memory is worth. Auto then looks at
// base, standard and cached as a run of each would be, and takes the leanest of those that are
// expected to take at most kTimeForMemory longer than the fastest; one that saves less than
// kMemoryWorthTime of the fastest's memory is not worth even that. Standard has no part where the
// layers are gated and costs were not measured here. None: there is a budget or an
// IPU, or none of the three fits the host's memory, and the fastest that fits is taken.
inline constexpr double kTimeForMemory = 0.15, kMemoryWorthTime = 0.1;
std::optional<plan::StrategyPlan>
leanestNearFastest(const Settings& settings, const PlanInputs& inputs, plan::PlanDetail detail);
// One line.
std::string reasonFor(const plan::StrategyPlan& lean, const PlanInputs& inputs);

// The table of all strategies with auto's choice; where that is the leanest, its row is as the run
// would be. REQUIRES: as requestOfRun.
plan::Plan planOfAuto(const Settings& settings, const PlanInputs& inputs, plan::PlanDetail detail);

} // namespace spillway
