// Events of several samples at once. Units that send to one sample often send to the others too:
// then a weight is read once for all of them, and the products stay in registers as those of a
// dense matrix do. A sample that an event is not for multiplies by 0, which changes no bit of its
// sum.
#pragma once

#include "maths/EventProducts.hpp"

namespace spillway {

#ifdef __IPU__
constexpr unsigned kUnionRow = 2;
#else
#ifdef __AVX512F__
constexpr unsigned kUnionRow = 64; // four registers for each of four samples
#else
constexpr unsigned kUnionRow = 16;
#endif
#endif

typedef unsigned __attribute__((may_alias)) UnionId; // ids among floats

// The ids of kTogether lists, ascending, each with a value for every list.
struct EventUnion {
  float* values; // [id][list]; zeros but while a union is in use
  UnionId* ids;
  unsigned count;
};

// In scratch of unionFloats(numIds) floats.
inline EventUnion emptyUnion(float* scratch, unsigned numIds) {
  return {scratch,
          reinterpret_cast<UnionId*>(scratch + kTogether * static_cast<unsigned long>(numIds)), 0};
}

// f(id, list, value) for every event.
template <class Id, class F>
inline void forEachEvent(const List<Id>* lists, unsigned capacity, const F& f) {
  for (unsigned s = 0; s < kTogether; ++s) {
    const Id* ids = lists[s].ids();
    const ListValue* values = lists[s].values(capacity);
    const unsigned numEvents = lists[s].numSpikes();
    for (unsigned k = 0; k < numEvents; ++k) {
      f(ids[k], s, values[k]);
    }
  }
}

template <class Id>
inline void unite(const List<Id>* lists, unsigned capacity, unsigned numIds, EventUnion& all) {
  float* values = all.values;
  forEachEvent<Id>(lists, capacity, [&](unsigned id, unsigned s, float value) {
    values[id * kTogether + s] = value;
  });
  unsigned count = 0;
  for (unsigned id = 0; id < numIds; ++id) { // without a branch that nobody could predict
    const RowMask<kTogether> sent = loadRow<kTogether>(values + id * kTogether) != 0.0f;
    all.ids[count] = id;
    count += static_cast<unsigned>(maskBits<kTogether>(sent) != 0);
  }
  all.count = count;
}

template <class Id>
inline void clear(const List<Id>* lists, unsigned capacity, EventUnion& all) {
  float* values = all.values;
  forEachEvent<Id>(lists, capacity,
                   [&](unsigned id, unsigned s, float) { values[id * kTogether + s] = 0.0f; });
}

// Whether a union is likely to be worth its making: of a few ids of the first list, how many are in
// the last one? It decides what takes longer, and nothing else.
template <class Id>
inline bool likelyAlike(const List<Id>* lists) {
  constexpr unsigned kProbes = 16;
  const List<Id> first = lists[0], last = lists[kTogether - 1];
  const unsigned step = first.numSpikes() / kProbes + 1;
  unsigned probes = 0, found = 0;
  for (unsigned k = step / 2; k < first.numSpikes(); k += step) {
    const unsigned id = first.ids()[k];
    const unsigned at = lowerBound(last.ids(), 0u, last.numSpikes(), id);
    found += at < last.numSpikes() && last.ids()[at] == id ? 1 : 0;
    ++probes;
  }
  return 2 * found > probes;
}

// sums[s] = start + sum over the union of value[s] * weights[id], ids ascending: for every list
// what gatherEvents() gives.
inline void gatherUnion(const EventUnion& all, const float* weights, unsigned columns,
                        const float* start, float* const* sums) {
  const UnionId* ids = all.ids;
  const float* values = all.values;
  forEachRowBlock<kUnionRow>(columns, [&](auto blockWidth, unsigned first) {
#pragma clang fp contract(fast)
    constexpr unsigned W = decltype(blockWidth)::value;
    const Row<W> begin = loadRow<W>(start + first);
    Row<W> sum[kTogether] = {begin, begin, begin, begin};
#pragma clang loop unroll(disable)
    for (unsigned k = 0; k < all.count; ++k) {
      const unsigned long id = ids[k];
      const Row<W> row = loadRow<W>(weights + id * columns + first);
#pragma clang loop unroll(full)
      for (unsigned s = 0; s < kTogether; ++s) {
        sum[s] = sum[s] + Row<W>(values[id * kTogether + s]) * row;
      }
    }
    for (unsigned s = 0; s < kTogether; ++s) {
      storeRow<W>(sums[s] + first, sum[s]);
    }
  });
}

// gatherEvents() for `samples` lists at once, at most kTogether. all: of numIds, where there are
// several.
template <class Id>
inline void gatherTogether(const List<Id>* lists, unsigned samples, unsigned capacity,
                           unsigned numIds, const float* weights, unsigned columns,
                           const float* start, float* const* sums, EventUnion all) {
  if (samples == kTogether && likelyAlike<Id>(lists)) {
    unsigned numEvents = 0;
    for (unsigned s = 0; s < kTogether; ++s) {
      numEvents += lists[s].numSpikes();
    }
    unite<Id>(lists, capacity, numIds, all);
    // A weight from the second-level cache takes as long as two products in registers.
    const bool worthIt = kTogether * all.count <= 2 * numEvents;
    if (worthIt) {
      gatherUnion(all, weights, columns, start, sums);
    }
    clear<Id>(lists, capacity, all);
    if (worthIt) {
      return;
    }
  }
  for (unsigned s = 0; s < samples; ++s) {
    gatherEvents<Id>(lists[s], capacity, weights, columns, start, sums[s]);
  }
}

} // namespace spillway
