// What the surrogate cache puts on the tiles beside the history of its values: the distances a
// layer writes, the values of a block, their way between the tiles, and vertices.
#pragma once

#include "plan/OurGatedLayout.hpp"

namespace spillway::plan {

// REQUIRES: layers are not gated.
void addSurrogateCache(const LayoutInWork& work);

} // namespace spillway::plan
