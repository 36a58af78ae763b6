// Weights brought nearer before lists pick rows out of them.
//
// A host cannot guess where the row of the next id lies, and most come from a cache that is far
// away. Loaded whole first, in the order of their addresses, which it does guess, weights come
// several times as fast.
#pragma once

#include "maths/Control.hpp"
#include "maths/Lists.hpp"

namespace spillway {

// Loads a word of every line; nobody wants what is in it.
inline void readThrough(const float* from, unsigned long size) {
#ifndef __IPU__
  constexpr unsigned kLine = 16; // floats
  for (unsigned long i = 0; i < size; i += kLine) {
    int word;
    __builtin_memcpy(&word, from + i, sizeof word);
    asm volatile("" : : "r"(word)); // or the compiler would leave the load out
  }
#endif
}

// Of fewer floats most are still near, and more would not stay in a second-level cache beside what
// passes through it.
constexpr unsigned long kFewestThrough = 72u << 10, kMostThrough = 192u << 10;

// Reads the weights through if the lists of a block name enough of their rows. A vertex has
// `control`, `lists`, `weights`, `neurons`, `samples`, `rows` and `width`. firstRow: of the slab,
// the block's first; numIds(list): how many of its ids are meant.
template <class Id, class Vertex, class F>
inline void readRowsThrough(const Vertex& vertex, unsigned firstRow, const F& numIds) {
  const unsigned steps = vertex.control[kNumSteps];
  const SlabShape slab{vertex.rows, vertex.width};
  unsigned long named = 0, numRows = 0; // the lists of one step tell enough about the others
  for (unsigned sample = 0; steps != 0 && sample < vertex.samples; ++sample) {
    const List<Id> list{&vertex.lists[slab.at(sample, firstRow + steps / 2)]};
    const unsigned long count = numIds(list);
    named += count * steps;
    if (count != 0) {
      const unsigned long end = list.ids()[count - 1] + 1ul;
      numRows = end > numRows ? end : numRows;
    }
  }
  const unsigned long size = numRows * vertex.neurons;
  if (2 * named >= numRows && size >= kFewestThrough && size <= kMostThrough) {
    readThrough(&vertex.weights[0], size);
  }
}

} // namespace spillway
