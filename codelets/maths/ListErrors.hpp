// What comes back to a tile's units through the lists their events travelled in.
#pragma once

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

} // namespace spillway
