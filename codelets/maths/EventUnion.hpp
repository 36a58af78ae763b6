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

typedef unsigned long long __attribute__((may_alias)) EightMarks;

// The ids of kTogether lists, ascending, each with a value for every list.
struct EventUnion {
  float* values;        // [id][list]; zeros but while a union is in use
  unsigned char* marks; // [id]; likewise
  UnionId* ids;
  unsigned count;
};

// In scratch of unionFloats(most) floats, 0 but for the ids.
inline EventUnion emptyUnion(float* scratch, unsigned most) {
  const unsigned long rounded = (most + 7ul) / 8 * 8;
  float* ids = scratch + kTogether * rounded;
  return {scratch, reinterpret_cast<unsigned char*>(ids + rounded), reinterpret_cast<UnionId*>(ids),
          0};
}

template <class Id>
inline void unite(const List<Id>* lists, unsigned capacity, unsigned numIds, EventUnion& all) {
  for (unsigned s = 0; s < kTogether; ++s) {
    const Id* ids = lists[s].ids();
    const ListValue* from = lists[s].values(capacity);
    const unsigned numEvents = lists[s].numSpikes();
    for (unsigned k = 0; k < numEvents; ++k) {
      const unsigned long id = ids[k];
      all.values[id * kTogether + s] = from[k];
      all.marks[id] = 1;
    }
  }
  unsigned count = 0;
  EightMarks* words = reinterpret_cast<EightMarks*>(all.marks);
  for (unsigned first = 0; first < numIds; first += 8) {
    for (unsigned long long marks = words[first / 8]; marks != 0; marks &= marks - 1) {
      all.ids[count++] = first + static_cast<unsigned>(__builtin_ctzll(marks)) / 8;
    }
    words[first / 8] = 0;
  }
  all.count = count;
}

inline void clear(EventUnion& all) {
  for (unsigned k = 0; k < all.count; ++k) {
    storeRow<kTogether>(all.values + static_cast<unsigned long>(all.ids[k]) * kTogether,
                        Row<kTogether>(0.0f));
  }
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
                           const float* start, float* const* sums, EventUnion all, Weights from) {
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
    clear(all);
    if (worthIt) {
      return;
    }
  }
  for (unsigned s = 0; s < samples; ++s) {
    gatherEvents<Id>(lists[s], capacity, weights, columns, start, sums[s], from);
  }
}

} // namespace spillway
