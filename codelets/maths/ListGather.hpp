// Products of many lists with one weight matrix, in the order that suits a host's caches.
//
// Lists that are alike are united. All others pass together over one block of the weights' rows
// after the other, so that a row comes from far away once for all of them and then lies in the
// nearest cache, and their sums wait in memory meanwhile. Whichever way it goes, a sum adds up its
// list's events in their order.
#pragma once

#include "maths/EventUnion.hpp"
#include "maths/Fetcher.hpp"

namespace spillway {

// A weight matrix [id][column], and what its products begin with.
struct GatherFrom {
  const float* weights;
  unsigned numIds, columns;
  const float* start; // [column]
};

template <class Id>
class ListGather {
public:
  // capacity: of the lists.
  ListGather(const GatherFrom& from, unsigned capacity, EventUnion scratch)
      : from_(from), capacity_(capacity), scratch_(scratch) {}

  // sums[s] = gatherEvents() of lists[s], once finish() has been called.
  // REQUIRES: count <= kUnited
  void add(const List<Id>* lists, unsigned count, float* const* sums) {
    if (count == kUnited && gatherIfAlike<Id>(lists, capacity_, from_.numIds, from_.weights,
                                              from_.columns, from_.start, sums, scratch_)) {
      return;
    }
    if (numWaiting_ + count > kMostWaiting) {
      finish();
    }
    for (unsigned s = 0; s < count; ++s) {
      waiting_[numWaiting_++] = {lists[s], 0, 0, sums[s]};
    }
  }

  void finish() {
    for (unsigned begin = 0; begin < from_.numIds && numWaiting_ != 0; begin += rowsOfBlock()) {
      for (unsigned w = 0; w < numWaiting_; ++w) {
        passOn(waiting_[w], begin + rowsOfBlock());
      }
      Fetcher next(rowsFrom(begin + rowsOfBlock()), rowsFrom(begin + 2 * rowsOfBlock()),
                   numWaiting_ * (from_.columns / kNearColumns + 1)); // of weights
      forEachNearSum(from_.columns, [&](auto sum, unsigned first) {
        for (unsigned w = 0; w < numWaiting_; ++w) {
          next.fetchSome();
          gatherBlock(waiting_[w], begin == 0, sum, first);
        }
      });
    }
    numWaiting_ = 0;
  }

private:
  struct Waiting {
    List<Id> list;
    unsigned begin, end; // events of the block
    float* sums;
  };

  // Of weights, [id][kNearColumns] in the nearest cache.
#ifdef __AVX512F__
  static constexpr unsigned kNearColumns = 96; // six registers: an addition takes four cycles
#else
  static constexpr unsigned kNearColumns = 64;
#endif
  static constexpr unsigned kNearFloats = 6144;
  static constexpr unsigned kMostWaiting = 128;

  static constexpr unsigned rowsOfBlock() {
    return kNearFloats / kNearColumns;
  }

  const float* rowsFrom(unsigned id) const {
    const unsigned long row = id < from_.numIds ? id : from_.numIds;
    return from_.weights + row * from_.columns;
  }

  template <class F>
  static void forEachNearSum(unsigned columns, const F& f) {
    unsigned first = 0;
    for (; first + kNearColumns <= columns; first += kNearColumns) {
      f(RowSum<kNearColumns>{}, first);
    }
    forEachRowBlock<64>(
        columns, [&](auto width, unsigned at) { f(RowSum<decltype(width)::value>{}, at); }, first);
  }

  // To the events of ids below `end`.
  static void passOn(Waiting& one, unsigned end) {
    const Id* ids = one.list.ids();
    const unsigned count = one.list.numSpikes();
    one.begin = one.end;
    while (one.end < count && ids[one.end] < end) {
      ++one.end;
    }
  }

  template <class Sum>
  void gatherBlock(const Waiting& one, bool isFirst, Sum sum, unsigned first) const {
    if (!isFirst && one.begin == one.end) {
      return;
    }
    const Id* ids = one.list.ids();
    const ListValue* values = one.list.values(capacity_);
    const float* weights = from_.weights + first;
    const unsigned long columns = from_.columns;
    sum.load((isFirst ? from_.start : one.sums) + first);
    for (unsigned k = one.begin; k < one.end; ++k) {
      sum.add(values[k], weights + ids[k] * columns);
    }
    sum.store(one.sums + first);
  }

  GatherFrom from_;
  unsigned capacity_;
  EventUnion scratch_;
  Waiting waiting_[kMostWaiting];
  unsigned numWaiting_ = 0;
};

} // namespace spillway
