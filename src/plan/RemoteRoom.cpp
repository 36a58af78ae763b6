#include "plan/RemoteRoom.hpp"

#include <algorithm>
#include <limits>

namespace spillway::plan {

namespace {

// As many states as have the bytes of a spilled history.
std::uint64_t rowsOf(const RemoteUse& use, const MemoryModel& memory) {
  return use.history() == 0
             ? 0
             : ceilDivide(use.history(), std::max<std::uint64_t>(1, memory.stateBytes()));
}

} // namespace

RemoteRoom roomFor(const MemoryDemand& demand, const PlanRequest& request,
                   const MemoryModel& memory) {
  RemoteRoom room;
  if (!request.remoteRows && !request.remoteBytes)
    return room;
  const RemoteUse rest = memory.remote(demand);
  std::uint64_t rows = std::numeric_limits<std::uint32_t>::max();
  const auto leave = [&](std::uint64_t capacity, std::uint64_t used, std::uint64_t each,
                         std::uint64_t spare) {
    room.holdsTheRest = room.holdsTheRest && used <= capacity;
    const std::uint64_t left = used <= capacity ? (capacity - used) / each : 0;
    rows = std::min(rows, left > spare ? left - spare : 0);
  };
  if (request.remoteRows)
    leave(*request.remoteRows, rowsOf(rest, memory), 1, 0);
  if (request.remoteBytes) // the row that takes what a short transfer leaves unused
    leave(*request.remoteBytes, rest.total(), std::max<std::uint64_t>(1, memory.stateBytes()), 1);
  room.rows = static_cast<std::uint32_t>(rows);
  return room;
}

RemoteNeed remoteNeedOf(const MemoryDemand& demand, const MemoryModel& memory) {
  const RemoteUse use = memory.remote(demand);
  return {use.total(), demand.numRows + rowsOf(use, memory)};
}

bool fitsRemote(const MemoryDemand& demand, const PlanRequest& request, const MemoryModel& memory) {
  const RemoteNeed need = remoteNeedOf(demand, memory);
  return need.rows <= request.remoteRows.value_or(need.rows) &&
         need.bytes <= request.remoteBytes.value_or(need.bytes);
}

} // namespace spillway::plan
