// The lists of a block turned round: for each id, the (sample, step) places where it spiked.
#pragma once

#include "maths/Lists.hpp"

namespace spillway {

// Words of an index over numIds ids and at most numPlaces spikes.
constexpr unsigned long rowIndexWords(unsigned long numIds, unsigned long numPlaces) {
  return numIds + 1 + numPlaces;
}

// The lists of a block of steps, as a unit received them.
template <class Id>
struct BlockPlaces {
  const Id* lists;
  SlabShape slab;
  unsigned steps, samples;
  unsigned blockSteps; // rows of what places count

  // f(place, list), steps descending, samples ascending.
  template <class F>
  void forEach(const F& f) const {
    for (unsigned j = steps; j-- > 0;) {
      for (unsigned sample = 0; sample < samples; ++sample) {
        f(sample * blockSteps + j, List<Id>{lists + slab.at(sample, j)});
      }
    }
  }
};

// An index in memory: where the places of each id end, then the places.
class RowIndex {
public:
  RowIndex(const unsigned* words, unsigned numIds)
      : ends_(words), places_(words + numIds + 1), numIds_(numIds) {}

  unsigned numIds() const { return numIds_; }
  const unsigned* begin(unsigned id) const { return places_ + (id == 0 ? 0 : ends_[id - 1]); }
  const unsigned* end(unsigned id) const { return places_ + ends_[id]; }

private:
  const unsigned* ends_;
  const unsigned* places_;
  unsigned numIds_;
};

// A counting sort: the places of an id keep the order of forEach(). words: rowIndexWords(numIds,
// ...) of them.
template <class Id>
inline void buildRowIndex(const BlockPlaces<Id>& from, unsigned numIds, unsigned* words) {
  unsigned *const ends = words, *const places = words + numIds + 1;
  for (unsigned id = 0; id <= numIds; ++id) {
    ends[id] = 0;
  }
  from.forEach([&](unsigned, List<Id> list) {
    for (unsigned k = 0; k < list.numSpikes(); ++k) {
      ++ends[list.ids()[k] + 1];
    }
  });
  for (unsigned id = 0; id < numIds; ++id) {
    ends[id + 1] += ends[id];
  }
  // ends[id] is where the places of id begin, and moves to where they end.
  from.forEach([&](unsigned place, List<Id> list) {
    for (unsigned k = 0; k < list.numSpikes(); ++k) {
      places[ends[list.ids()[k]]++] = place;
    }
  });
}

} // namespace spillway
