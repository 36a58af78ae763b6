// What comes back to a tile's units through the lists their events travelled in.
#pragma once

#include "maths/Control.hpp"
#include "maths/Lists.hpp"

namespace spillway {

// f(place in the list, unit of the tile) for every active id of a list that is one of the tile's.
template <class Id, class F>
inline void forEachOwnEntry(List<Id> list, unsigned firstNeuron, unsigned neurons, const F& f) {
  const Id* ids = list.ids();
  const auto take = [&](unsigned begin, unsigned end) { // an ascending part of the list
    for (unsigned k = lowerBound(ids, begin, end, firstNeuron);
         k < end && ids[k] < firstNeuron + neurons; ++k) {
      f(k, ids[k] - firstNeuron);
    }
  };
  take(0, list.numSpikes());
  take(list.numSpikes(), list.numActive());
}

// dL/dy of the units of a gated layer's vertex at its step, 0 for those that are not in the step's
// list. recurrence: that part of it where the vertex has it by unit, else null.
template <class Id, class Vertex>
inline void receiveGradients(const Vertex& vertex, unsigned sample, const float* recurrence,
                             float* dy) {
  const unsigned long s = sample, size = vertex.layerSize;
  const unsigned long step = s * vertex.outsideSteps + vertex.control[kFirstStep];
  const float* own = &vertex.gradients[s * vertex.rows * size];
  const float* outside =
      vertex.outsideSteps != 0 ? &vertex.outside[step * size + vertex.firstNeuron] : nullptr;
  for (unsigned i = 0; i < vertex.neurons; ++i) {
    dy[i] = 0.0f;
  }
  const List<Id> list{&vertex.ownLists[SlabShape{vertex.rows, vertex.ownWidth}.at(sample, 1)]};
  forEachOwnEntry<Id>(list, vertex.firstNeuron, vertex.neurons, [&](unsigned k, unsigned i) {
    dy[i] = (recurrence != nullptr ? recurrence[i] : own[k]) +
            (outside != nullptr ? outside[i] : own[size + k]);
  });
}

} // namespace spillway
