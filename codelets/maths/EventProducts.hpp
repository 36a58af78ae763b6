// Products of a weight matrix with events: lists of ids, each with a value.
//
// On the host a product is bound by loads. A gather keeps its sums in registers and reads every
// weight once; a product with the transpose takes eight rows at a time, so that the vector is read
// once for eight and their sums over lanes share their shuffles.
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

// Running sums of W columns. 96 of them, which is what tiles of 32 units have, are no vector of
// their own.
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
template <>
struct RowSum<96> {
  RowSum<64> low;
  RowSum<32> high;
  void load(const float* from) {
    low.load(from);
    high.load(from + 64);
  }
  void store(float* to) const {
    low.store(to);
    high.store(to + 64);
  }
  void add(float factor, const float* from) {
    low.add(factor, from);
    high.add(factor, from + 64);
  }
};

// f(RowSum<W>{}, first) for blocks that cover all columns.
template <class F>
inline void forEachSum(unsigned columns, const F& f) {
  unsigned first = 0;
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

// Where weights were last: the first lists that pass over them fetch them from far away.
enum class Weights { Near, Far };

inline void fetchColumns(const float* row, unsigned columns) {
  for (unsigned c = 0; c < columns; c += 16) {
    fetchAhead<16>(row + c);
  }
}

// sums = start + sum over the list's events of value * weights[id], in list order.
template <class Id>
inline void gatherEvents(List<Id> list, unsigned capacity, const float* weights, unsigned columns,
                         const float* start, float* sums, Weights from = Weights::Near) {
  const Id* ids = list.ids();
  const ListValue* values = list.values(capacity);
  const unsigned numEvents = list.numSpikes();
  constexpr unsigned kEventsAhead = 8;
  forEachSum(columns, [&](auto sum, unsigned first) {
    sum.load(start + first);
    unsigned k = 0;
    for (; from == Weights::Far && first == 0 && k + kEventsAhead < numEvents; ++k) {
      const unsigned long next = ids[k + kEventsAhead];
      fetchColumns(weights + next * columns, columns);
      sum.add(values[k], weights + static_cast<unsigned long>(ids[k]) * columns + first);
    }
    for (; k < numEvents; ++k) {
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

constexpr unsigned kDotRows = 8; // at a time

// Lane r is the product of rows[r] with `vector`.
inline Row<kDotRows> dotRowsWith(const float* const* rows, const float* vector, unsigned columns) {
#pragma clang fp contract(fast)
  constexpr unsigned kLanes = 16;
  Row<kLanes> sums[kDotRows] = {};
  unsigned c = 0;
  for (; c + kLanes <= columns; c += kLanes) {
    const Row<kLanes> factor = loadRow<kLanes>(vector + c);
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < kDotRows; ++r) {
      sums[r] = sums[r] + loadRow<kLanes>(rows[r] + c) * factor;
    }
  }
  Row<8> halves[kDotRows];
#pragma clang loop unroll(full)
  for (unsigned r = 0; r < kDotRows; ++r) {
    halves[r] = sums[r].lo + sums[r].hi;
  }
  Row<kDotRows> result = sumEightRows(halves);
  for (; c < columns; ++c) {
    for (unsigned r = 0; r < kDotRows; ++r) {
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
    const Row<kDotRows> result = dotRowsWith(rows, vector, columns);
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
