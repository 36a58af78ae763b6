// What the lists of a step take where they are kept, and the cached values beside them.
#pragma once

#include "plan/OurGatedLayout.hpp"

namespace spillway::plan {

// Words of a list of some samples, on one tile.
struct ListPart {
  std::size_t list = 0;
  std::uint64_t numSamples = 0, firstWord = 0, numWords = 0;
};

void addLists(const LayoutInWork& work, TileBytes& tile, const ListPart& part);

} // namespace spillway::plan
