// A profile in the Chrome Trace Event format, which ui.perfetto.dev and chrome://tracing open.
//
// One process is the IPU. Its first thread shows every step; three more show the busiest, the
// median and the idlest tile, whose slices are as long as that tile works. Counters show live
// bytes. A cycle of the tile clock is scaled to microseconds.
#pragma once

#include "profile/ProfileData.hpp"

#include <iosfwd>
#include <vector>

namespace ipumodel {

// Busiest, median and idlest tile by compute cycles over all executions; fewer on a smaller
// machine.
std::vector<std::uint32_t> chosenTiles(const ProfileData& profile);

void writeChromeTrace(std::ostream& out, const ProfileData& profile,
                      std::size_t mostSteps = 100000);

} // namespace ipumodel
