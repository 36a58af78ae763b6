// The lists of all steps where a vertex reads them in place.
#pragma once

#include "maths/AppendedLists.hpp"

namespace spillway {

// A vertex has `samples`, `samplesPerShard` (the last shard may have fewer), `width`, and by shard
// `history`: [index][sample][width], or `appended` lists, of which `begins` has the places.
template <class Id, class Vertex>
inline List<Id> storedList(const Vertex& vertex, unsigned long index, unsigned sample) {
  const unsigned shard = sample / vertex.samplesPerShard, first = shard * vertex.samplesPerShard;
  const unsigned left = vertex.samples - first;
  const unsigned inShard = left < vertex.samplesPerShard ? left : vertex.samplesPerShard;
  const unsigned long entry = index * inShard + (sample - first);
  return {&vertex.history[shard][vertex.appended ? 1ul * vertex.begins[shard][entry] * kPlaceWords
                                                 : entry * vertex.width]};
}

// Where values stand in them, as a capacity.
template <class Vertex>
inline unsigned storedCapacity(const Vertex& vertex) {
  return vertex.appended ? kValuesFollow : vertex.capacity;
}

} // namespace spillway
