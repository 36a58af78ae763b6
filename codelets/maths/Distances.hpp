// Picks what a list's ids want to know out of a layer's tiles.
#pragma once

#include "maths/Lists.hpp"

namespace spillway {

// to[k] = the distance of id k of a list to the threshold, for every id from `begin` on in steps of
// `stride`. A vertex has `distances` (per tile of the layer: [row][neurons]), `layerSize` and
// `neuronsPerTile`. Neighbours in a list are often on one tile, which then takes no division to
// find.
template <class Id, class Vertex>
inline void gatherDistances(const Vertex& vertex, List<Id> list, unsigned long row, float* to,
                            unsigned begin, unsigned stride) {
  const Id* ids = list.ids();
  const unsigned perTile = vertex.neuronsPerTile;
  unsigned first = 0, held = 0;
  const float* at = nullptr;
  for (unsigned k = begin; k < list.numActive(); k += stride) {
    if (ids[k] - first >= held) {
      const unsigned tile = ids[k] / perTile;
      first = tile * perTile;
      held = vertex.layerSize - first < perTile ? vertex.layerSize - first : perTile;
      at = &vertex.distances[tile][row * held];
    }
    to[k] = at[ids[k] - first];
  }
}

} // namespace spillway
