// What reaches a tile's gated units in a step, for several samples at a time.
#pragma once

#include "maths/Dropout.hpp"
#include "maths/ListGather.hpp"

namespace spillway {

template <typename Id>
struct GatedSums {
  unsigned together;             // samples
  const float* a[kMostTogether]; // the products of what each received, [gate][neurons]
  const float* q[kMostTogether]; // and of the layer's events of the step before
};

// The products of a vertex's lists with their weights, for `count` samples from `first` on.
// listOf(s): of sample first + s.
template <typename Id, class Vertex, class ListOf>
inline void gatherLists(Vertex& vertex, unsigned count, const GatherFrom& from, unsigned capacity,
                        const ListOf& listOf, float* const* sums, float* scratch) {
  if (Vertex::numWorkers() > 1) { // a sample each, and no room for a union
    gatherEvents<Id>(listOf(0), capacity, from.weights, from.columns, from.start, sums[0]);
    return;
  }
  const unsigned most = vertex.fanIn > vertex.layerSize ? vertex.fanIn : vertex.layerSize;
  ListGather<Id> gather(from, capacity, emptyUnion(scratch, most));
  for (unsigned begin = 0; begin < count; begin += kUnited) {
    List<Id> lists[kUnited];
    const unsigned together = count - begin < kUnited ? count - begin : kUnited;
    for (unsigned s = 0; s < together; ++s) {
      lists[s] = listOf(begin + s);
    }
    gather.add(lists, together, sums + begin);
  }
  gather.finish();
}

// The products of what is received, where they are there already (else null): of all samples, so
// many floats from one to the next.
struct AheadSums {
  const float* products;
  unsigned long stride;
};

// Of samples first .. first + group - 1, for a vertex whose lists lie in these rows of their slabs.
// REQUIRES: group is samplesTogether() of the vertex
template <typename Id, class Vertex>
inline GatedSums<Id> gatherGates(Vertex& vertex, unsigned first, unsigned group, unsigned worker,
                                 unsigned listRow, unsigned ownRow, const AheadSums& ahead) {
  const unsigned columns = 3 * vertex.neurons;
  float* scratch = &vertex.sums[static_cast<unsigned long>(worker) * group * 2 * columns];
  float* united = scratch + 2ul * group * columns; // behind the sums of the one worker
  GatedSums<Id> sums;
  sums.together = vertex.samples - first < group ? vertex.samples - first : group;
  float *a[kMostTogether], *q[kMostTogether];
  for (unsigned s = 0; s < sums.together; ++s) {
    a[s] = scratch + 2ul * columns * s;
    sums.q[s] = q[s] = a[s] + columns;
    sums.a[s] = ahead.products != nullptr ? ahead.products + (first + s) * ahead.stride : a[s];
  }
  if (ahead.products == nullptr) {
    const ValueMask mask =
        maskOfBatch(vertex.phase, vertex.dropoutStream, vertex.fanIn, vertex.dropout);
    const SlabShape slab{vertex.rows, vertex.width};
    gatherLists<Id>(
        vertex, sums.together, {&vertex.weights[0], vertex.fanIn, columns, &vertex.bias[0]},
        vertex.capacity,
        [&](unsigned s) {
          const unsigned long place = static_cast<unsigned long>(worker) * group + s;
          return maskedList<Id>(List<Id>{&vertex.lists[slab.at(first + s, listRow)]},
                                vertex.capacity, mask, first + s, vertex.kept,
                                place * vertex.width);
        },
        a, united);
  }
  const SlabShape own{vertex.rows, vertex.ownWidth};
  gatherLists<Id>(
      vertex, sums.together,
      {&vertex.recurrent[0], vertex.layerSize, columns, &vertex.recurrentBias[0]}, vertex.layerSize,
      [&](unsigned s) { return List<Id>{&vertex.ownLists[own.at(first + s, ownRow)]}; }, q, united);
  return sums;
}

} // namespace spillway
