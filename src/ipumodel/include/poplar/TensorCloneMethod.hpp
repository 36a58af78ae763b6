#pragma once

#include <poplar/StdIncludes.hpp>

namespace poplar {

// How a clone lies in memory, relative to the tensor it was made from.
enum class TensorCloneMethod {
  PRESERVE_ORDER_AND_ALIASES,    // the original's memory order; elements that alias, alias again
  CREATE_NEW_ORDER,              // the order of the tensor's own elements; no aliases
  PRESERVE_ORDER_UNLESS_ALIASES, // the first if nothing aliases, otherwise the second
  GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES // each tile's elements together, in the tile's order
};

// How cloneN arranges its copies: one after another, or copies of each contiguous region side by
// side.
enum class TensorCloneDuplicationMethod {
  DUPLICATE_BY_OUTER_DIMENSION,
  DUPLICATE_BY_TILE_CONTIGUOUS_REGION
};

std::string toString(const TensorCloneMethod& method);
std::ostream& operator<<(std::ostream& os, const TensorCloneMethod& method);

} // namespace poplar
