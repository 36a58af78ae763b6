// The lists of a block turned round: for each id, the (sample, step) places where it spiked.
#pragma once

#include "maths/Lists.hpp"

namespace spillway {

// Words of scratch for an index over numIds ids and at most numPlaces spikes.
constexpr unsigned long rowIndexWords(unsigned long numIds, unsigned long numPlaces) {
  return numIds + 1 + numPlaces;
}

class RowIndex {
public:
  // scratch: rowIndexWords(numIds, ...) words.
  RowIndex(unsigned* scratch, unsigned numIds)
      : ends_(scratch), places_(scratch + numIds + 1), numIds_(numIds) {}

  // A counting sort. The places of an id keep the order in which forEach calls f(place, list): it
  // is called twice and must do the same both times.
  template <class ForEach>
  void build(const ForEach& forEach) {
    for (unsigned id = 0; id <= numIds_; ++id) {
      ends_[id] = 0;
    }
    forEach([&](unsigned, auto list) {
      for (unsigned k = 0; k < list.numSpikes(); ++k) {
        ++ends_[list.ids()[k] + 1];
      }
    });
    for (unsigned id = 0; id < numIds_; ++id) {
      ends_[id + 1] += ends_[id];
    }
    // ends_[id] is where the places of id begin, and moves to where they end.
    forEach([&](unsigned place, auto list) {
      for (unsigned k = 0; k < list.numSpikes(); ++k) {
        places_[ends_[list.ids()[k]]++] = place;
      }
    });
  }

  unsigned numIds() const { return numIds_; }
  const unsigned* begin(unsigned id) const { return places_ + (id == 0 ? 0 : ends_[id - 1]); }
  const unsigned* end(unsigned id) const { return places_ + ends_[id]; }

private:
  unsigned* ends_;
  unsigned* places_;
  unsigned numIds_;
};

} // namespace spillway
