// States on their way to and from Streaming Memory, as graphs/StateMoves.cpp lays them out.
#pragma once

#include "plan/OurGatedLayout.hpp"

namespace spillway::plan {

// A state that travels beside compute is dealt out to the IO tiles, a tile's part of it whole.
// REQUIRES: the tiles have their bytes of a state.
void addStaging(const LayoutInWork& work);

} // namespace spillway::plan
