// The sparse projection and its transpose: the two products with a weight matrix's active rows.
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

// Adds the weight rows of a list's spikes to a sum, in list order.
template <class Id, unsigned W>
inline Row<W> gatherRows(Row<W> sum, List<Id> list, const float* weights, unsigned neurons) {
  const Id* ids = list.ids();
  const unsigned numSpikes = list.numSpikes();
  withRowStride<W>(neurons, [&](auto stride) {
    for (unsigned k = 0; k < numSpikes; ++k) {
      sum += loadRow<W>(weights + ids[k] * stride);
    }
  });
  return sum;
}

enum class DotStart { Set, Add };

// For each active id of a list, the product of W of its weight row's columns with `factor`, set or
// added: what these columns' neurons send back to that id.
template <class Id, unsigned W>
inline void dotRows(List<Id> list, const float* weights, Row<W> factor, unsigned neurons,
                    float* products, DotStart start) {
  const Id* ids = list.ids();
  const unsigned numActive = list.numActive();
  withRowStride<W>(neurons, [&](auto stride) {
    for (unsigned k = 0; k < numActive; ++k) {
      const float product = sumRow<W>(loadRow<W>(weights + ids[k] * stride) * factor);
      products[k] = start == DotStart::Set ? product : products[k] + product;
    }
  });
}

} // namespace spillway
