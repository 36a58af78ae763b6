// The fastest schedule with two levels of memory and transfers that compute waits for.
#pragma once

#include "plan/Costs.hpp"
#include "plan/Schedule.hpp"

#include <cstdint>
#include <optional>

namespace spillway::plan {

struct OptimalSchedule {
  Schedule schedule;
  double time = 0.0;       // of the model: costs.perAction not counted
  double lowerBound = 0.0; // synchronousLowerBound
  bool isExact = true;     // false: see TwoLevelTables.hpp on a binding capacity
};

// REQUIRES: T and slots at least 1, else UserError. Falls back on revolve() where spilling does not
// pay. Proven optimal among all schedules for uniform costs, one chain and one-state transfers:
// docs/checkpointing.md.
OptimalSchedule optimal(Step numSteps, std::uint32_t numSlots, const Costs& costs,
                        std::optional<std::uint32_t> remoteCapacity = std::nullopt);

} // namespace spillway::plan
