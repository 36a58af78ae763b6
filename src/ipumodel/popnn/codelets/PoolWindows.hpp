// The windows of a slice of a pooled field, in any number of dimensions.
#pragma once

#include "PoolGeometry.hpp"

namespace popnn {

template <unsigned Rank>
struct Geometry {
  PoolDim d[Rank];

  template <class Numbers>
  explicit Geometry(const Numbers& numbers) {
    for (unsigned i = 0; i != Rank; ++i) {
      const auto* n = &numbers[i * kPoolNumbersPerDim];
      d[i] = {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]};
    }
  }
  int inIndex(const int* at) const {
    int index = 0;
    for (unsigned i = 0; i != Rank; ++i)
      index = index * d[i].inSize + at[i] - d[i].inBegin;
    return index;
  }
  int outIndex(const int* at) const {
    int index = 0;
    for (unsigned i = 0; i != Rank; ++i)
      index = index * d[i].outSize + at[i] - d[i].outBegin;
    return index;
  }
  int numIn() const { return product(&PoolDim::inSize); }
  int numOut() const { return product(&PoolDim::outSize); }
  int kernelSize() const { return product(&PoolDim::kernel); }
  void inAt(int index, int* at) const {
    for (unsigned i = Rank; i-- != 0; index /= d[i].inSize)
      at[i] = index % d[i].inSize + d[i].inBegin;
  }
  void outAt(int index, int* at) const {
    for (unsigned i = Rank; i-- != 0; index /= d[i].outSize)
      at[i] = index % d[i].outSize + d[i].outBegin;
  }

private:
  int product(int PoolDim::*member) const {
    int n = 1;
    for (const PoolDim& dim : d)
      n *= dim.*member;
    return n;
  }
};

// Calls f(position) for each position of a box, bounds [low, high).
template <unsigned Rank, unsigned Dim = 0, class F>
inline void forBox(const int* low, const int* high, int* at, const F& f) {
  if constexpr (Dim == Rank)
    f(at);
  else
    for (at[Dim] = low[Dim]; at[Dim] < high[Dim]; ++at[Dim])
      forBox<Rank, Dim + 1>(low, high, at, f);
}

// Calls f(position) for each element of the field in the window of output element `out`.
template <unsigned Rank, class F>
inline void forWindow(const Geometry<Rank>& g, const int* out, const F& f) {
  int low[Rank], high[Rank], at[Rank];
  for (unsigned i = 0; i != Rank; ++i) {
    const int begin = g.d[i].windowBegin(out[i]);
    low[i] = begin < 0 ? 0 : begin;
    high[i] = begin + g.d[i].kernel < g.d[i].field ? begin + g.d[i].kernel : g.d[i].field;
  }
  forBox<Rank>(low, high, at, f);
}

// Calls f(output element) for each window of the slice that contains input element `in`.
template <unsigned Rank, class F>
inline void forWindowsOf(const Geometry<Rank>& g, const int* in, const F& f) {
  int low[Rank], high[Rank], at[Rank];
  for (unsigned i = 0; i != Rank; ++i) {
    low[i] = g.d[i].firstWindow(in[i]);
    high[i] = g.d[i].lastWindow(in[i]) + 1;
  }
  forBox<Rank>(low, high, at, f);
}

} // namespace popnn
