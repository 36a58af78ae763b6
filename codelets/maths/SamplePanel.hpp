// Products of weight rows with the vectors of many samples, which lie side by side.
#pragma once

#include "maths/DenseProduct.hpp"

namespace spillway {

// Sums of kRowsAtOnce rows, each of as many lanes as there are samples, stay in registers.
#ifdef __AVX512F__
constexpr unsigned kLanesAtOnce = 64, kRowsAtOnce = 6;
#else
constexpr unsigned kLanesAtOnce = 16, kRowsAtOnce = 6;
#endif
static_assert(kLanesAtOnce <= kSampleLanes);

// Lanes that so many samples take.
constexpr unsigned wholeLanes(unsigned samples) {
  return (samples + 15) / 16 * 16;
}

// f(RowWidth<W>{}) for the fewest lanes W that hold `samples`, at most kLanesAtOnce.
template <class F>
inline void withLanes(unsigned samples, const F& f) {
  if (samples <= 16) {
    f(RowWidth<16>{});
  } else if (samples <= 32 && kLanesAtOnce > 16) {
    f(RowWidth<kLanesAtOnce / 2>{});
  } else {
    f(RowWidth<kLanesAtOnce>{});
  }
}

// panel[c][s] = vectors[s][c], and 0 for s >= count.
template <unsigned W>
inline void packSamples(const float* vectors, unsigned columns, unsigned count, float* panel) {
  for (unsigned s = 0; s < W; s += kTurned) {
    const float* from = vectors + static_cast<unsigned long>(s) * columns;
    unsigned c = 0;
    for (; s + kTurned <= count && c + kTurned <= columns; c += kTurned) {
      turnRound(from + c, columns, panel + static_cast<unsigned long>(c) * W + s, W);
    }
    for (; c < columns; ++c) {
      for (unsigned i = 0; i < kTurned; ++i) {
        panel[static_cast<unsigned long>(c) * W + s + i] =
            s + i < count ? from[static_cast<unsigned long>(i) * columns + c] : 0.0f;
      }
    }
  }
}

// products[r][s] = rows[r] times the vector of sample s.
template <unsigned W>
inline void multiplySamples(const float* const* rows, const float* panel, unsigned columns,
                            float* products) {
#pragma clang fp contract(fast)
  Row<W> sums[kRowsAtOnce] = {};
#pragma clang loop unroll(disable)
  for (unsigned c = 0; c < columns; ++c) {
    const Row<W> lanes = loadRow<W>(panel + static_cast<unsigned long>(c) * W);
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < kRowsAtOnce; ++r) {
      sums[r] = sums[r] + Row<W>(rows[r][c]) * lanes;
    }
  }
#pragma clang loop unroll(full)
  for (unsigned r = 0; r < kRowsAtOnce; ++r) {
    storeRow<W>(products + r * W, sums[r]);
  }
}

} // namespace spillway
