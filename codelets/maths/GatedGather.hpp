// What reaches a tile's gated units in a step, for several samples at a time.
#pragma once

#include "maths/Dropout.hpp"
#include "maths/EventProducts.hpp"

namespace spillway {

template <typename Id>
struct GatedSums {
  unsigned together;                  // samples
  List<Id> received[kTogether];       // as they came, before dropout
  List<Id> own[kTogether];            // the layer's events of the step before
  float *a[kTogether], *q[kTogether]; // the products of the two, [gate][neurons]
};

// Of samples first .. first + group - 1, for a vertex whose lists lie in these rows of their slabs.
// REQUIRES: group <= kTogether
template <typename Id, class Vertex>
inline GatedSums<Id> gatherGates(Vertex& vertex, unsigned first, unsigned group, unsigned worker,
                                 unsigned listRow, unsigned ownRow) {
  const unsigned columns = 3 * vertex.neurons;
  const unsigned long place = static_cast<unsigned long>(worker) * kTogether;
  float* scratch = &vertex.sums[place * 2 * columns];
  const ValueMask mask =
      maskOfBatch(vertex.phase, vertex.dropoutStream, vertex.fanIn, vertex.dropout);
  const SlabShape slab{vertex.rows, vertex.width}, own{vertex.rows, vertex.ownWidth};
  GatedSums<Id> sums;
  sums.together = vertex.samples - first < group ? vertex.samples - first : group;
  List<Id> masked[kTogether];
  for (unsigned s = 0; s < sums.together; ++s) {
    sums.received[s] = {&vertex.lists[slab.at(first + s, listRow)]};
    masked[s] = maskedList<Id>(sums.received[s], vertex.capacity, mask, first + s, vertex.kept,
                               (place + s) * vertex.width);
    sums.own[s] = {&vertex.ownLists[own.at(first + s, ownRow)]};
    sums.a[s] = scratch + 2ul * columns * s;
    sums.q[s] = sums.a[s] + columns;
  }
  gatherTogether<Id>(masked, sums.together, vertex.capacity, vertex.fanIn, &vertex.weights[0],
                     columns, &vertex.bias[0], sums.a);
  gatherTogether<Id>(sums.own, sums.together, vertex.layerSize, vertex.layerSize,
                     &vertex.recurrent[0], columns, &vertex.recurrentBias[0], sums.q);
  return sums;
}

} // namespace spillway
