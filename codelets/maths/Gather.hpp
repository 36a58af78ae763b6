// The sparse projection and its transpose: the two products with a weight matrix's active rows.
#pragma once

#include "maths/Lists.hpp"
#include "maths/Rows.hpp"

namespace spillway {

// Adds the weight rows of a list's spikes to a sum, in list order.
template <class Id, unsigned W>
inline Row<W> gatherRows(Row<W> sum, List<Id> list, const float* weights, unsigned neurons) {
  const Id* ids = list.ids();
  const unsigned numSpikes = list.numSpikes();
  for (unsigned k = 0; k < numSpikes; ++k) {
    sum += loadRow<W>(weights + static_cast<unsigned long>(ids[k]) * neurons);
  }
  return sum;
}

// For each active id of a list, the product of its weight row with `vector`: what this tile's
// neurons send back to that id.
template <class Id>
inline void dotRows(List<Id> list, const float* weights, const float* vector, unsigned neurons,
                    float* products) {
  const Id* ids = list.ids();
  const unsigned numActive = list.numActive();
  forEachRowBlock(neurons, [&](auto blockWidth, unsigned first) {
    constexpr unsigned W = decltype(blockWidth)::value;
    const Row<W> factor = loadRow<W>(vector + first);
    for (unsigned k = 0; k < numActive; ++k) {
      const float* row = weights + static_cast<unsigned long>(ids[k]) * neurons + first;
      const float product = sumRow<W>(loadRow<W>(row) * factor);
      products[k] = first == 0 ? product : products[k] + product;
    }
  });
}

} // namespace spillway
