// Lists of active ids, as they lie in memory and travel between tiles.
//
// The list of one sample at one step is `width` words: the number of spikes n0, the number of ids
// n1 >= n0 (the rest take part in the gradient only), then the ids: spikes ascending, then the
// others ascending. A slab holds the lists of a block of steps: [sample][row][width]. Row j of the
// slab that a unit reads belongs to history index firstStep + j; index i of a layer's history holds
// the spikes of step i - 1 (index 0 is empty), index i of the input's history the events of step i.
#pragma once

namespace spillway {

constexpr unsigned kListHeader = 2; // n0, n1

template <class Id>
struct List {
  const Id* words;
  unsigned numSpikes() const { return words[0]; }
  unsigned numActive() const { return words[1]; }
  const Id* ids() const { return words + kListHeader; }
};

struct SlabShape {
  unsigned rows;  // per sample
  unsigned width; // words per list
  unsigned long at(unsigned sample, unsigned row) const {
    return (static_cast<unsigned long>(sample) * rows + row) * width;
  }
};

// The first position in [begin, end) of an ascending list whose id is at least `bound`.
template <class Id>
inline unsigned lowerBound(const Id* ids, unsigned begin, unsigned end, unsigned bound) {
  while (begin < end) {
    const unsigned middle = begin + (end - begin) / 2;
    if (ids[middle] < bound) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

} // namespace spillway
