// Sums of many tiles' vectors, in tile order, shared out among workers by entries.
#pragma once

#include "maths/Rows.hpp"

namespace spillway {

// f(begin, end) for the stretches of `count` entries that are the worker's: pairs in turn, so that
// work is even whatever the count, and an entry is always the same worker's.
template <class F>
inline void forEachStretch(unsigned worker, unsigned numWorkers, unsigned count, const F& f) {
  const unsigned length = numWorkers == 1 ? count : 2;
  for (unsigned begin = worker * length; begin < count; begin += length * numWorkers) {
    f(begin, begin + length < count ? begin + length : count);
  }
}

template <class Vectors>
inline void addEntries(const Vectors& vectors, unsigned long at, float* to, unsigned begin,
                       unsigned end) {
  for (unsigned tile = 0; begin < end && tile < vectors.size(); ++tile) {
    const float* from = &vectors[tile][at];
    for (unsigned k = begin; k < end; ++k) {
      to[k] += from[k];
    }
  }
}

// A tile's vector is found once for P pairs, whose sums stay in registers.
template <unsigned P, class Vectors>
inline void addPairs(const Vectors& vectors, unsigned long at, float* to, unsigned first,
                     unsigned stride) {
  Row<2> sums[P];
#pragma clang loop unroll(full)
  for (unsigned p = 0; p < P; ++p) {
    sums[p] = loadRow<2>(to + first + p * stride);
  }
  for (unsigned tile = 0; tile < vectors.size(); ++tile) {
    const float* from = &vectors[tile][at + first];
#pragma clang loop unroll(full)
    for (unsigned p = 0; p < P; ++p) {
      sums[p] += loadRow<2>(from + p * stride);
    }
  }
#pragma clang loop unroll(full)
  for (unsigned p = 0; p < P; ++p) {
    storeRow<2>(to + first + p * stride, sums[p]);
  }
}

// to[k] += vectors[tile][at + k] over all tiles, for the worker's part of k < count.
template <class Vectors>
inline void addVectors(const Vectors& vectors, unsigned long at, float* to, unsigned count,
                       unsigned worker, unsigned numWorkers) {
  if (numWorkers == 1) {
    addEntries(vectors, at, to, 0, count);
    return;
  }
  const unsigned stride = 2 * numWorkers;
  unsigned k = 2 * worker;
  for (; k + 3 * stride + 2 <= count; k += 4 * stride) {
    addPairs<4>(vectors, at, to, k, stride);
  }
  for (; k + stride + 2 <= count; k += 2 * stride) {
    addPairs<2>(vectors, at, to, k, stride);
  }
  for (; k + 2 <= count; k += stride) {
    addPairs<1>(vectors, at, to, k, stride);
  }
  addEntries(vectors, at, to, k, count); // half a pair, at most
}

} // namespace spillway
