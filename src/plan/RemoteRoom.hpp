// What a limited Streaming Memory has room for.
#pragma once

#include "plan/Planner.hpp"

#include <cstdint>
#include <optional>

namespace spillway::plan {

// Beside a spilled history and a table of actions, for states.
struct RemoteRoom {
  bool holdsTheRest = true;          // history and table
  std::optional<std::uint32_t> rows; // none: enough
};

// REQUIRES: the demand has no rows. It has as many actions as their table is to be counted with.
RemoteRoom roomFor(const MemoryDemand& demand, const PlanRequest& request,
                   const MemoryModel& memory);

RemoteNeed remoteNeedOf(const MemoryDemand& demand, const MemoryModel& memory);

bool fitsRemote(const MemoryDemand& demand, const PlanRequest& request, const MemoryModel& memory);

} // namespace spillway::plan
