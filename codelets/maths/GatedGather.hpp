// What reaches a tile's gated units in a step, for several samples at a time.
#pragma once

#include "maths/Dropout.hpp"
#include "maths/EventUnion.hpp"

namespace spillway {

template <typename Id>
struct GatedSums {
  unsigned together;                        // samples
  List<Id> received[kTogether];             // as they came, before dropout
  List<Id> own[kTogether];                  // the layer's events of the step before
  const float *a[kTogether], *q[kTogether]; // the products of the two, [gate][neurons]
};

// Of samples first .. first + group - 1, for a vertex whose lists lie in these rows of their slabs.
// ahead: the products of what is received, [sample][gate][neurons], where they are there already.
// REQUIRES: group <= kTogether
template <typename Id, class Vertex>
inline GatedSums<Id> gatherGates(Vertex& vertex, unsigned first, unsigned group, unsigned worker,
                                 unsigned listRow, unsigned ownRow, const float* ahead) {
  const unsigned columns = 3 * vertex.neurons;
  const unsigned long place = static_cast<unsigned long>(worker) * kTogether;
  float* scratch = &vertex.sums[place * 2 * columns];
  const ValueMask mask =
      maskOfBatch(vertex.phase, vertex.dropoutStream, vertex.fanIn, vertex.dropout);
  const SlabShape slab{vertex.rows, vertex.width}, own{vertex.rows, vertex.ownWidth};
  GatedSums<Id> sums;
  sums.together = vertex.samples - first < group ? vertex.samples - first : group;
  List<Id> masked[kTogether];
  float *a[kTogether], *q[kTogether];
  for (unsigned s = 0; s < sums.together; ++s) {
    sums.received[s] = {&vertex.lists[slab.at(first + s, listRow)]};
    sums.own[s] = {&vertex.ownLists[own.at(first + s, ownRow)]};
    a[s] = scratch + 2ul * columns * s;
    sums.q[s] = q[s] = a[s] + columns;
    sums.a[s] = ahead != nullptr ? ahead + static_cast<unsigned long>(first + s) * columns : a[s];
    if (ahead == nullptr) {
      masked[s] = maskedList<Id>(sums.received[s], vertex.capacity, mask, first + s, vertex.kept,
                                 (place + s) * vertex.width);
    }
  }
  // Behind the sums of the one worker, where it takes several samples at a time.
  const unsigned most = vertex.fanIn > vertex.layerSize ? vertex.fanIn : vertex.layerSize;
  const EventUnion empty = emptyUnion(scratch + (group == 1 ? 0 : 2ul * kTogether * columns), most);
  const Weights from = first == 0 ? Weights::Far : Weights::Near;
  if (ahead == nullptr) {
    gatherTogether<Id>(masked, sums.together, vertex.capacity, vertex.fanIn, &vertex.weights[0],
                       columns, &vertex.bias[0], a, empty, from);
  }
  gatherTogether<Id>(sums.own, sums.together, vertex.layerSize, vertex.layerSize,
                     &vertex.recurrent[0], columns, &vertex.recurrentBias[0], q, empty, from);
  return sums;
}

} // namespace spillway
