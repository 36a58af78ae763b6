// Products of weight rows with the vectors of many samples, which lie side by side.
#pragma once

#include "maths/DenseProduct.hpp"

namespace spillway {

// Groups of so many samples pass together.
#ifdef __AVX512F__
constexpr unsigned kLanesAtOnce = 64;
#else
constexpr unsigned kLanesAtOnce = 16;
#endif
static_assert(kLanesAtOnce <= kSampleLanes);

// Rows whose sums of W lanes stay in registers.
template <unsigned W>
constexpr unsigned kRowsAtOnce = W < kLanesAtOnce ? 12 : 6;

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

// f(RowWidth<W>{}, first, count) for every group of samples, which lie side by side in W lanes.
// What is kept of a group for each of n things, [thing][lane], begins at first * n.
template <class F>
inline void forEachLaneGroup(unsigned samples, const F& f) {
  for (unsigned first = 0; first < samples; first += kLanesAtOnce) {
    const unsigned left = samples - first, count = left < kLanesAtOnce ? left : kLanesAtOnce;
    withLanes(count, [&](auto lanes) { f(lanes, first, count); });
  }
}

// panel[c][s] = vectors[s][c] for s < count; other lanes hold what nobody reads. Vectors begin
// `stride` floats after each other.
template <unsigned W>
inline void packSamples(const float* vectors, unsigned columns, unsigned count, float* panel,
                        unsigned long stride) {
  const unsigned whole = columns / kTurned * kTurned;
  for (unsigned s = 0; s < W; s += kTurned) {
    const unsigned first = s < count ? s : count - 1, rows = count - first;
    const float* from = vectors + first * stride;
    for (unsigned c = 0; c < whole; c += kTurned) {
      float* to = panel + static_cast<unsigned long>(c) * W + s;
      rows < kTurned ? turnRound(from + c, stride, to, W, rows)
                     : turnRound(from + c, stride, to, W);
    }
    for (unsigned c = whole; c < columns; ++c) {
      for (unsigned i = 0; i < kTurned; ++i) {
        panel[static_cast<unsigned long>(c) * W + s + i] =
            from[(i < rows ? i : rows - 1) * stride + c];
      }
    }
  }
}

// vectors[s][c] = panel[c][s] for s < count.
template <unsigned W>
inline void unpackSamples(const float* panel, unsigned columns, unsigned count, float* vectors,
                          unsigned long stride) {
  const unsigned whole = columns / kTurned * kTurned;
  for (unsigned s = 0; s < count; s += kTurned) {
    const unsigned rows = count - s;
    for (unsigned c = 0; c < whole; c += kTurned) {
      const float* from = panel + static_cast<unsigned long>(c) * W + s;
      rows < kTurned ? turnRound(from, W, vectors + s * stride + c, stride, kTurned, rows)
                     : turnRound(from, W, vectors + s * stride + c, stride);
    }
    for (unsigned c = whole; c < columns; ++c) {
      for (unsigned i = s; i < s + kTurned && i < count; ++i) {
        vectors[i * stride + c] = panel[static_cast<unsigned long>(c) * W + i];
      }
    }
  }
}

// The same for all groups of samples.
inline void packPanels(const float* vectors, unsigned columns, unsigned samples, float* panels) {
  const unsigned long stride = columns;
  forEachLaneGroup(samples, [&](auto lanes, unsigned first, unsigned count) {
    packSamples<decltype(lanes)::value>(vectors + first * stride, columns, count,
                                        panels + first * stride, stride);
  });
}
inline void spreadPanels(const float* panels, unsigned columns, unsigned samples, float* vectors,
                         unsigned long stride) {
  forEachLaneGroup(samples, [&](auto lanes, unsigned first, unsigned count) {
    unpackSamples<decltype(lanes)::value>(panels + static_cast<unsigned long>(first) * columns,
                                          columns, count, vectors + first * stride, stride);
  });
}

enum class SumStart { Zero, Before };

// products[r][s] = rows[r] times the vector of sample s, or that more.
template <unsigned W>
inline void multiplySamples(const float* const* rows, const float* panel, unsigned columns,
                            float* const* products, SumStart start) {
#pragma clang fp contract(fast)
  constexpr unsigned R = kRowsAtOnce<W>;
  Row<W> sums[R] = {};
  if (start == SumStart::Before) {
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < R; ++r) {
      sums[r] = loadRow<W>(products[r]);
    }
  }
#pragma clang loop unroll(disable)
  for (unsigned c = 0; c < columns; ++c) {
    const Row<W> lanes = loadRow<W>(panel + static_cast<unsigned long>(c) * W);
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < R; ++r) {
      sums[r] = sums[r] + Row<W>(rows[r][c]) * lanes;
    }
  }
#pragma clang loop unroll(full)
  for (unsigned r = 0; r < R; ++r) {
    storeRow<W>(products[r], sums[r]);
  }
}

} // namespace spillway
