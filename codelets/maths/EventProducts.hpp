// Products of a weight matrix with events: lists of ids, each with a value.
//
// On the host a product is bound by loads. A gather keeps its sums in registers and reads every
// weight once; a product with the transpose takes up to eight rows at a time, so that the vector is
// read once for all of them and their sums over lanes share their shuffles.
#pragma once

#include "maths/Lists.hpp"
#include "maths/Phase.hpp"
#include "maths/Rows.hpp"

namespace spillway {

// sum + sum over the list's events of value * weights[id], in list order. weights: of the row's
// first column.
template <class Id, unsigned W>
inline Row<W> gatherEventRow(Row<W> sum, List<Id> list, unsigned capacity, const float* weights,
                             unsigned columns) {
#pragma clang fp contract(fast)
  const Id* ids = list.ids();
  const ListValue* values = list.values(capacity);
  const unsigned numEvents = list.numSpikes();
  for (unsigned k = 0; k < numEvents; ++k) {
    const float* row = weights + static_cast<unsigned long>(ids[k]) * columns;
    sum = sum + Row<W>(values[k]) * loadRow<W>(row);
  }
  return sum;
}

// Running sums of W columns. Widths that are no power of two are no vector of their own: 48 for
// eight lists at once, 96 and 192, which is what tiles of 32 and 64 gated units have.
template <unsigned W>
struct RowSum {
  Row<W> row;
  void load(const float* from) { row = loadRow<W>(from); }
  void store(float* to) const { storeRow<W>(to, row); }
  void add(float factor, const float* from) {
#pragma clang fp contract(fast)
    row = row + Row<W>(factor) * loadRow<W>(from);
  }
};
template <unsigned L, unsigned H>
struct TwoSums {
  RowSum<L> low;
  RowSum<H> high;
  void load(const float* from) {
    low.load(from);
    high.load(from + L);
  }
  void store(float* to) const {
    low.store(to);
    high.store(to + L);
  }
  void add(float factor, const float* from) {
    low.add(factor, from);
    high.add(factor, from + L);
  }
};
template <>
struct RowSum<48> : TwoSums<32, 16> {};
template <>
struct RowSum<96> : TwoSums<64, 32> {};
template <>
struct RowSum<192> : TwoSums<128, 64> {};

// f(RowSum<W>{}, first) for blocks that cover all columns.
template <class F>
inline void forEachSum(unsigned columns, const F& f) {
  unsigned first = 0;
  if constexpr (kWidestRow > 96) { // twelve registers of 32
    for (; first + 192 <= columns; first += 192) {
      f(RowSum<192>{}, first);
    }
  }
  for (; first + kWidestRow <= columns; first += kWidestRow) {
    f(RowSum<kWidestRow>{}, first);
  }
  if (kWidestRow > 96 && columns - first >= 96) {
    f(RowSum<96>{}, first);
    first += 96;
  }
  forEachRowBlock<kWidestRow / 2>(
      columns, [&](auto width, unsigned at) { f(RowSum<decltype(width)::value>{}, at); }, first);
}

inline void fetchColumns(const float* row, unsigned columns) {
  for (unsigned c = 0; c < columns; c += 16) {
    fetchAhead<16>(row + c);
  }
}

// sums = start + sum over the list's events of value * weights[id], in list order.
template <class Id>
inline void gatherEvents(List<Id> list, unsigned capacity, const float* weights, unsigned columns,
                         const float* start, float* sums) {
  const Id* ids = list.ids();
  const ListValue* values = list.values(capacity);
  const unsigned numEvents = list.numSpikes();
  forEachSum(columns, [&](auto sum, unsigned first) {
    sum.load(start + first);
    for (unsigned k = 0; k < numEvents; ++k) {
      sum.add(values[k], weights + static_cast<unsigned long>(ids[k]) * columns + first);
    }
    sum.store(sums + first);
  });
}

// Lanes 0..3 hold sums of neighbouring lanes of a, 4..7 those of b.
inline Row<8> addNeighbours(Row<8> a, Row<8> b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) +
         __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}

// Lane r is the sum over the lanes of rows[r].
inline Row<8> sumEightRows(const Row<8>* rows) {
  const Row<8> low =
      addNeighbours(addNeighbours(rows[0], rows[1]), addNeighbours(rows[2], rows[3]));
  const Row<8> high =
      addNeighbours(addNeighbours(rows[4], rows[5]), addNeighbours(rows[6], rows[7]));
  return addNeighbours(low, high);
}

constexpr unsigned kDotRows = 8; // at most at a time

// Lane r is the product of rows[r] with `vector`, for R rows. Fewer rows have several running sums
// each: an addition takes as long as eight can begin.
template <unsigned R>
inline Row<kDotRows> dotRowsWith(const float* const* rows, const float* vector, unsigned columns) {
#pragma clang fp contract(fast)
  constexpr unsigned kLanes = 16, kSums = (kDotRows + R - 1) / R;
  Row<kLanes> sums[kSums][R] = {};
  unsigned c = 0;
  const auto add = [&](Row<kLanes>* to) {
#pragma clang fp contract(fast)
    const Row<kLanes> factor = loadRow<kLanes>(vector + c);
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < R; ++r) {
      to[r] = to[r] + loadRow<kLanes>(rows[r] + c) * factor;
    }
    c += kLanes;
  };
  while (c + kSums * kLanes <= columns) {
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < kSums; ++i) {
      add(sums[i]);
    }
  }
  while (kSums > 1 && c + kLanes <= columns) {
    add(sums[0]);
  }
  Row<8> halves[kDotRows];
#pragma clang loop unroll(full)
  for (unsigned r = 0; r < kDotRows; ++r) {
    Row<kLanes> sum = sums[0][r % R];
#pragma clang loop unroll(full)
    for (unsigned i = 1; i < kSums; ++i) {
      sum = sum + sums[i][r % R];
    }
    halves[r] = sum.lo + sum.hi;
  }
  if (c + 8 <= columns) { // what a readout of few outputs has
    const Row<8> factor = loadRow<8>(vector + c);
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < kDotRows; ++r) {
      halves[r] = halves[r] + loadRow<8>(rows[r % R] + c) * factor;
    }
    c += 8;
  }
  Row<kDotRows> result = sumEightRows(halves);
  for (; c < columns; ++c) {
    for (unsigned r = 0; r < R; ++r) {
      result[r] += rows[r][c] * vector[c];
    }
  }
  return result;
}

// f(k, product) for k = 0 .. count-1: of the row at rowOf(k) with `vector`.
template <class RowOf, class F>
inline void forEachDot(unsigned count, const RowOf& rowOf, const float* vector, unsigned columns,
                       const F& f) {
  for (unsigned begin = 0; begin < count; begin += kDotRows) {
    // The last block repeats its last row: a product too many costs less than another loop.
    const float* rows[kDotRows];
    for (unsigned r = 0; r < kDotRows; ++r) {
      rows[r] = rowOf(begin + r < count ? begin + r : count - 1);
    }
    const unsigned left = count - begin;
    const Row<kDotRows> result = left > 6   ? dotRowsWith<8>(rows, vector, columns)
                                 : left > 4 ? dotRowsWith<6>(rows, vector, columns)
                                 : left > 2 ? dotRowsWith<4>(rows, vector, columns)
                                            : dotRowsWith<2>(rows, vector, columns);
    for (unsigned r = 0; r < kDotRows && begin + r < count; ++r) {
      f(begin + r, result[r]);
    }
  }
}

// For each of a list's active ids the product of its weight row with `vector`.
template <class Id>
inline void dotActive(List<Id> list, const float* weights, unsigned columns, const float* vector,
                      float* products) {
  const Id* ids = list.ids();
  forEachDot(
      list.numActive(),
      [&](unsigned k) { return weights + static_cast<unsigned long>(ids[k]) * columns; }, vector,
      columns, [&](unsigned k, float product) { products[k] = product; });
}

} // namespace spillway
