// The transposed product with a weight matrix's active rows: one dot product an id.
//
// A sum over the lanes of a register takes as many operations as the product before it. Sixteen
// products at once share them: each round adds halves of two registers and keeps both results in
// one.
#pragma once

#include "maths/Gather.hpp"

namespace spillway {

constexpr unsigned kDotLanes = 16;
// Products at once; without as many wide registers the factor would not stay in them.
#ifdef __AVX512F__
constexpr unsigned kDotsAtOnce = kDotLanes;
#else
constexpr unsigned kDotsAtOnce = 1;
#endif

// Halves of `Part` lanes of two registers, added: those of a, then those of b.
template <unsigned Part>
__attribute__((always_inline)) inline Row<kDotLanes> addHalves(Row<kDotLanes> a, Row<kDotLanes> b) {
  if constexpr (Part == 8) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
           __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30,
                                   31);
  } else if constexpr (Part == 4) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27) +
           __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30,
                                   31);
  } else if constexpr (Part == 2) {
    return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29) +
           __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30,
                                   31);
  } else {
    return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
                                   30) +
           __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  }
}

// kDotLanes / Part registers from the first on, each summed by halves to Part lanes as sumRow does.
// Inlined, or the factor would go through memory.
template <unsigned Part, class F>
__attribute__((always_inline)) inline Row<kDotLanes> sumsOf(const F& registerAt, unsigned first) {
  if constexpr (Part == kDotLanes) {
    return registerAt(first);
  } else {
    return addHalves<Part>(sumsOf<2 * Part>(registerAt, first),
                           sumsOf<2 * Part>(registerAt, first + kDotLanes / (2 * Part)));
  }
}

// W products, added up to kDotLanes: every second register in a sum of its own.
template <unsigned W>
__attribute__((always_inline)) inline Row<kDotLanes> dotLanes(const float* row,
                                                              const Row<kDotLanes>* factor) {
#pragma clang fp contract(fast)
  Row<kDotLanes> sums[2] = {Row<kDotLanes>(0.0f), Row<kDotLanes>(0.0f)};
#pragma clang loop unroll(full)
  for (unsigned i = 0; i < W / kDotLanes; ++i) {
    const Row<kDotLanes> values = loadRow<kDotLanes>(row + i * kDotLanes);
    sums[i % 2] = i < 2 ? values * factor[i] : sums[i % 2] + values * factor[i];
  }
  return W == kDotLanes ? sums[0] : sums[0] + sums[1];
}

enum class DotStart { Set, Add };

// For each active id of a list, the product of W of its weight row's columns with those of
// `factor`, set or added: what these columns' neurons send back to that id.
template <class Id, unsigned W>
inline void dotRows(List<Id> list, const float* weights, const float* factor, unsigned neurons,
                    float* products, DotStart start) {
  const Id* ids = list.ids();
  const unsigned numActive = list.numActive();
  const bool adds = start == DotStart::Add;
  unsigned k = 0;
  withRowStride<W>(neurons, [&](auto stride) {
    if constexpr (W >= kDotLanes) {
      Row<kDotLanes> columns[W / kDotLanes];
#pragma clang loop unroll(full)
      for (unsigned i = 0; i < W / kDotLanes; ++i) {
        columns[i] = loadRow<kDotLanes>(factor + i * kDotLanes);
      }
      const auto lanes = [&](unsigned i) __attribute__((always_inline)) {
        return dotLanes<W>(weights + ids[i] * stride, columns);
      };
      for (; kDotsAtOnce > 1 && k + kDotLanes <= numActive; k += kDotLanes) {
        const Row<kDotLanes> sums = sumsOf<1>(lanes, k);
        storeRow<kDotLanes>(products + k, adds ? loadRow<kDotLanes>(products + k) + sums : sums);
      }
      for (; k < numActive; ++k) {
        const float sum = sumRow<kDotLanes>(lanes(k));
        products[k] = adds ? products[k] + sum : sum;
      }
    } else {
      const Row<W> columns = loadRow<W>(factor);
      for (; k < numActive; ++k) {
        const float sum = sumRow<W>(loadRow<W>(weights + ids[k] * stride) * columns);
        products[k] = adds ? products[k] + sum : sum;
      }
    }
  });
}

} // namespace spillway
