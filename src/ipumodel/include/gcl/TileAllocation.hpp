// Tiles set aside for input and output.
#pragma once

#include <poplar/Graph.hpp>

#include <vector>

namespace gcl {

/// The fewest tiles per IPU that transfers with the host or between IPUs can be overlapped on.
unsigned getMinIoTiles(const poplar::Graph& graph);

/// `count` tiles from `offset` on, of each IPU.
std::vector<unsigned> perIPUTiles(const poplar::Graph& graph, unsigned offset, unsigned count,
                                  bool sorted = true, bool tilePairs = true);

} // namespace gcl
