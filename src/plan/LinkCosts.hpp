// What a step costs more where a network is spread over several IPUs.
#pragma once

#include "plan/Costs.hpp"
#include "plan/OurLayout.hpp"

namespace spillway::plan {

struct LinkSpeed {
  std::uint32_t numIpus = 1;
  double bytesPerSecond = 160e9;   // IPU-Links of an IPU, one direction: half of the data sheets'
  double globalSyncCycles = 600.0; // in the place of a sync within an IPU, 126; as the IPU Model
};

// Adds links and global syncs to f, r, b and the start of an action, as the IPU Model's account has
// them: every exchange of a step in which something crosses, and every decision of a loop, waits
// for all IPUs; the links carry what tiles receive from other IPUs, once for each tile, and the
// busiest IPU, in or out, decides. REQUIRES: the partition is of the network, over numIpus.
void addLinkCosts(const LinkSpeed& link, const NetworkSpec& network, const TilePartition& partition,
                  const OurLayout& layout, double clockHz, Costs& costs);

} // namespace spillway::plan
