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

// sums = start + sum over the list's events of value * weights[id], in list order.
template <class Id>
inline void gatherEvents(List<Id> list, unsigned capacity, const float* weights, unsigned columns,
                         const float* start, float* sums) {
  forEachRowBlock(columns, [&](auto blockWidth, unsigned first) {
    constexpr unsigned W = decltype(blockWidth)::value;
    storeRow<W>(sums + first, gatherEventRow<Id, W>(loadRow<W>(start + first), list, capacity,
                                                    weights + first, columns));
  });
}

#ifdef __IPU__
constexpr unsigned kDenseRow = 2;
#else
#ifdef __AVX512F__
constexpr unsigned kDenseRow = 64; // four registers for each of four samples
#else
constexpr unsigned kDenseRow = 16;
#endif
#endif

// The same for samples whose lists hold every id: a row of weights is read once for all of them.
// values, sums: of sample s at its own address.
inline void gatherDense(const ListValue* const* values, unsigned ids, const float* weights,
                        unsigned columns, const float* start, float* const* sums) {
  forEachRowBlock<kDenseRow>(columns, [&](auto blockWidth, unsigned first) {
#pragma clang fp contract(fast)
    constexpr unsigned W = decltype(blockWidth)::value;
    const Row<W> begin = loadRow<W>(start + first);
    Row<W> sum[kTogether] = {begin, begin, begin, begin};
    for (unsigned id = 0; id < ids; ++id) {
      const Row<W> row = loadRow<W>(weights + static_cast<unsigned long>(id) * columns + first);
#pragma clang loop unroll(full)
      for (unsigned s = 0; s < kTogether; ++s) {
        sum[s] = sum[s] + Row<W>(values[s][id]) * row;
      }
    }
    for (unsigned s = 0; s < kTogether; ++s) {
      storeRow<W>(sums[s] + first, sum[s]);
    }
  });
}

// gatherEvents() for `samples` lists at once, at most kTogether.
template <class Id>
inline void gatherTogether(const List<Id>* lists, unsigned samples, unsigned capacity, unsigned ids,
                           const float* weights, unsigned columns, const float* start,
                           float* const* sums) {
  const ListValue* values[kTogether];
  unsigned full = 0;
  for (unsigned s = 0; s < samples; ++s) {
    values[s] = lists[s].values(capacity);
    full += lists[s].numSpikes() == ids ? 1 : 0;
  }
  if (full == kTogether) {
    gatherDense(values, ids, weights, columns, start, sums);
    return;
  }
  for (unsigned s = 0; s < samples; ++s) {
    gatherEvents<Id>(lists[s], capacity, weights, columns, start, sums[s]);
  }
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

// For each of a list's active ids the product of its weight row with `vector`.
template <class Id>
inline void dotActive(List<Id> list, const float* weights, unsigned columns, const float* vector,
                      float* products) {
#pragma clang fp contract(fast)
  constexpr unsigned kRows = 8, kLanes = 16;
  const Id* ids = list.ids();
  const unsigned numActive = list.numActive();
  for (unsigned begin = 0; begin < numActive; begin += kRows) {
    // The last block repeats its last row: a product too many costs less than another loop.
    const float* row[kRows];
    for (unsigned r = 0; r < kRows; ++r) {
      const unsigned k = begin + r < numActive ? begin + r : numActive - 1;
      row[r] = weights + static_cast<unsigned long>(ids[k]) * columns;
    }
    Row<kLanes> sums[kRows] = {};
    unsigned c = 0;
    for (; c + kLanes <= columns; c += kLanes) {
      const Row<kLanes> factor = loadRow<kLanes>(vector + c);
#pragma clang loop unroll(full)
      for (unsigned r = 0; r < kRows; ++r) {
        sums[r] = sums[r] + loadRow<kLanes>(row[r] + c) * factor;
      }
    }
    Row<8> halves[kRows];
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < kRows; ++r) {
      halves[r] = sums[r].lo + sums[r].hi;
    }
    Row<8> result = sumEightRows(halves);
    for (; c < columns; ++c) {
      for (unsigned r = 0; r < kRows; ++r) {
        result[r] += row[r][c] * vector[c];
      }
    }
    for (unsigned r = 0; r < kRows && begin + r < numActive; ++r) {
      products[begin + r] = result[r];
    }
  }
}

// Load id and value, form the address, then per pair of columns: load 64 bits, multiply-add.
constexpr unsigned long eventInstructions(unsigned columns) {
  return 6 + 2 * ((columns + 1) / 2);
}

} // namespace spillway
