// How evenly compute is spread over the tiles.
#pragma once

#include "profile/ProfileData.hpp"

namespace ipumodel {

// The share, 0 to 1, of the tiles' cycles in compute supersteps that are spent computing rather
// than waiting for the slowest tile: PopVision's tile balance, over all executions. 0 where nothing
// ran.
double tileBalance(const ProfileData& profile);

} // namespace ipumodel
