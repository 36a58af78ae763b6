// What a schedule does, counted. The simulator predicts it, the device counts it while it runs, and
// a closed form gives it for the named strategies: all three are the same integers.
#pragma once

#include <cstdint>

namespace spillway::plan {

struct ScheduleCounts {
  std::uint64_t forwardSteps = 0, lightSteps = 0, backwardSteps = 0;
  std::uint64_t remoteWrites = 0, remoteReads = 0; // states
  std::uint64_t remoteWriteOps = 0, remoteReadOps = 0;
  std::uint64_t spikeWrites = 0, spikeReads = 0; // blocks of a spilled spike history
  std::uint32_t slotsUsed = 0;                   // one more than the highest slot touched

  friend bool operator==(const ScheduleCounts&, const ScheduleCounts&) = default;
};

} // namespace spillway::plan
