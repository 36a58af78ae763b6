// Units that keep their state in a step of a training batch (docs/egru.md, "Masks").
#pragma once

#include "maths/GatedUnit.hpp"

namespace spillway {

struct ZoneoutMask {
  unsigned key, stream;
  unsigned element; // of the row's first unit
  float p;

  bool holds(unsigned i) const { return dropped(maskHash(key, stream, element + i), p); }
};

// Of the row of units that begins at `first`, for a vertex of gated units.
template <class Vertex>
inline ZoneoutMask zoneoutMask(Vertex& vertex, unsigned sample, unsigned step, unsigned first) {
  return {vertex.phase[kMaskKey], vertex.stream,
          (step * vertex.samples + sample) * vertex.layerSize + vertex.firstNeuron + first,
          vertex.zoneout};
}

// By whether zoneout lets a unit move.
template <unsigned W>
struct ZoneoutAdjoint {
  Row<W> moved, held;
};

template <unsigned W>
inline ZoneoutAdjoint<W> splitByMask(Row<W> adjoint, const ZoneoutMask& mask) {
  ZoneoutAdjoint<W> parts{adjoint, Row<W>(0.0f)};
  for (unsigned i = 0; i < W; ++i) {
    if (mask.holds(i)) {
      parts.held[i] = adjoint[i];
      parts.moved[i] = 0.0f;
    }
  }
  return parts;
}

} // namespace spillway
