// Which tile holds which elements of a variable: disjoint half-open element ranges, in order.
#pragma once

#include "graph/Ids.hpp"

#include <cstddef>
#include <vector>

namespace ipumodel {

class TileMap {
public:
  struct Range {
    std::size_t begin, end; // elements
    TileId tile;
  };

  // Maps [begin, end) to a tile; what was mapped there before is replaced.
  void assign(std::size_t begin, std::size_t end, TileId tile);

  // Sorted, disjoint, neighbours of one tile merged.
  const std::vector<Range>& ranges() const;

  // True when [0, numElements) has no gap.
  bool covers(std::size_t numElements) const;

private:
  mutable std::vector<Range> ranges_; // sorted up to settled_; later assignments follow in call order
  mutable std::size_t settled_ = 0;
};

} // namespace ipumodel
