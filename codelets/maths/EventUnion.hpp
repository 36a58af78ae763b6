// Events of several samples at once. Units that send to one sample often send to the others too:
// then a weight is read once for all of them, and the products stay in registers as those of a
// dense matrix do. A sample that an event is not for multiplies by 0, which changes no bit of its
// sum.
#pragma once

#include "maths/EventProducts.hpp"

namespace spillway {

// Columns whose sums for kUnited lists stay in registers.
#ifdef __IPU__
constexpr unsigned kUnionRow = 2;
#else
#ifdef __AVX512F__
constexpr unsigned kUnionRow = 48; // 24 registers of 32
#else
constexpr unsigned kUnionRow = 8; // eight of 16
#endif
#endif

// f(RowSum<W>{}, first) for blocks of at most kUnionRow that cover all columns.
template <class F>
inline void forEachUnionBlock(unsigned columns, const F& f) {
  unsigned first = 0;
  for (; first + kUnionRow <= columns; first += kUnionRow) {
    f(RowSum<kUnionRow>{}, first);
  }
  constexpr unsigned kRest = kUnionRow == 48 ? 32 : kUnionRow;
  forEachRowBlock<kRest>(
      columns, [&](auto width, unsigned at) { f(RowSum<decltype(width)::value>{}, at); }, first);
}

typedef unsigned __attribute__((may_alias)) UnionId; // ids among floats

typedef unsigned long long __attribute__((may_alias)) EightMarks;

// The ids of kUnited lists, ascending, each with a value for every list.
struct EventUnion {
  float* values;        // [id][list]; zeros but while a union is in use
  unsigned char* marks; // [id]; likewise
  UnionId* ids;
  unsigned count;
};

// In scratch of unionFloats(most) floats, 0 but for the ids.
inline EventUnion emptyUnion(float* scratch, unsigned most) {
  const unsigned long rounded = (most + 7ul) / 8 * 8;
  float* ids = scratch + kUnited * rounded;
  return {scratch, reinterpret_cast<unsigned char*>(ids + rounded), reinterpret_cast<UnionId*>(ids),
          0};
}

template <class Id>
inline void unite(const List<Id>* lists, unsigned capacity, unsigned numIds, EventUnion& all) {
  for (unsigned s = 0; s < kUnited; ++s) {
    const Id* ids = lists[s].ids();
    const ListValue* from = lists[s].values(capacity);
    const unsigned numEvents = lists[s].numSpikes();
    for (unsigned k = 0; k < numEvents; ++k) {
      const unsigned long id = ids[k];
      all.values[id * kUnited + s] = from[k];
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
    storeRow<kUnited>(all.values + static_cast<unsigned long>(all.ids[k]) * kUnited,
                      Row<kUnited>(0.0f));
  }
}

// Whether a union is likely to be worth its making: of a few ids of the first list, how many are in
// the last one? It decides what takes longer, and nothing else.
template <class Id>
inline bool likelyAlike(const List<Id>* lists) {
  constexpr unsigned kProbes = 16;
  const List<Id> first = lists[0], last = lists[kUnited - 1];
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
  forEachUnionBlock(columns, [&](auto block, unsigned first) {
    decltype(block) sum[kUnited];
#pragma clang loop unroll(full)
    for (unsigned s = 0; s < kUnited; ++s) {
      sum[s].load(start + first);
    }
#pragma clang loop unroll(disable)
    for (unsigned k = 0; k < all.count; ++k) {
      const unsigned long id = ids[k];
      const float *row = weights + id * columns + first, *factors = values + id * kUnited;
#pragma clang loop unroll(full)
      for (unsigned s = 0; s < kUnited; ++s) {
        sum[s].add(factors[s], row);
      }
    }
#pragma clang loop unroll(full)
    for (unsigned s = 0; s < kUnited; ++s) {
      sum[s].store(sums[s] + first);
    }
  });
}

// gatherEvents() for kUnited lists at once, if that is quicker than one by one; else false.
template <class Id>
inline bool gatherIfAlike(const List<Id>* lists, unsigned capacity, unsigned numIds,
                          const float* weights, unsigned columns, const float* start,
                          float* const* sums, EventUnion all) {
  if (!likelyAlike<Id>(lists)) {
    return false;
  }
  unsigned long numEvents = 0;
  for (unsigned s = 0; s < kUnited; ++s) {
    numEvents += lists[s].numSpikes();
  }
  unite<Id>(lists, capacity, numIds, all);
  // One by one, a weight is read for every product, which then takes as long as two and a half.
  const bool worthIt = 2ul * kUnited * all.count <= 5 * numEvents;
  if (worthIt) {
    gatherUnion(all, weights, columns, start, sums);
  }
  clear(all);
  return worthIt;
}

} // namespace spillway
