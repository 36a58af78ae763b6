// The sparse projection: the product with a weight matrix's active rows.
#pragma once

#include "maths/Lists.hpp"
#include "maths/Rows.hpp"

#include <type_traits>

namespace spillway {

// Calls f(W) where rows are exactly as wide as a block, so that a load can scale the id by itself,
// else f(neurons).
template <unsigned W, class F>
inline void withRowStride(unsigned neurons, const F& f) {
  if (neurons == W) {
    f(std::integral_constant<unsigned long, W>());
  } else {
    f(static_cast<unsigned long>(neurons));
  }
}

// A worker repeats a loop in hardware only where the compiler knows that it runs fewer times.
constexpr unsigned kMostRepeats = 4094;

// Rows of one pair of neurons. The next row is on its way while the last one is added, so that a
// tile's loop is two bundles an id: {load the next id; add}, {load its row}. REQUIRES: the rows lie
// on whole pairs, as a 64-bit load wants.
template <class Id>
inline Row<2> gatherPairs(Row<2> sum, const Id* ids, unsigned numSpikes, const float* weights) {
  const Row<2>* rows = reinterpret_cast<const Row<2>*>(weights);
  while (numSpikes != 0) {
    const unsigned repeats = numSpikes < kMostRepeats ? numSpikes : kMostRepeats;
    Row<2> row = rows[*ids++];
    for (unsigned k = 1; k < repeats; ++k) {
      const Id next = *ids++;
      sum += row;
      row = rows[next];
    }
    sum += row;
    numSpikes -= repeats;
  }
  return sum;
}

// Adds the weight rows of a list's spikes to a sum, in list order.
template <class Id, unsigned W>
inline Row<W> gatherRows(Row<W> sum, List<Id> list, const float* weights, unsigned neurons) {
  const Id* ids = list.ids();
  const unsigned numSpikes = list.numSpikes();
  if constexpr (W == 2) {
    if (neurons == 2) {
      return gatherPairs(sum, ids, numSpikes, weights);
    }
  }
  withRowStride<W>(neurons, [&](auto stride) {
    for (unsigned k = 0; k < numSpikes; ++k) {
      sum += loadRow<W>(weights + ids[k] * stride);
    }
  });
  return sum;
}

} // namespace spillway
