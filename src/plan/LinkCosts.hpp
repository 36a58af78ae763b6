// What a step costs more where a network is spread over several IPUs.
#pragma once

#include "plan/Costs.hpp"
#include "plan/StepCosts.hpp"

namespace spillway::plan {

struct LinkSpeed {
  std::uint32_t numIpus = 1;
  double bytesPerSecond = 160e9;   // IPU-Links of an IPU, one direction: half of the data sheets'
  double globalSyncCycles = 600.0; // in the place of a sync within an IPU, 126; as the IPU Model
};

// Adds links and global syncs to f, r and b. Estimated: every exchange of a step waits for all
// IPUs; every id of a step enters every IPU once each way, and with it, backward, a gradient of
// four bytes from each other IPU. blockSteps and lightSteps share one exchange.
void addLinkCosts(const LinkSpeed& link, const Activity& activity, std::uint32_t batch,
                  std::uint32_t blockSteps, std::uint32_t lightSteps, double clockHz, Costs& costs);

} // namespace spillway::plan
