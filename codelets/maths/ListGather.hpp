// Products of many lists with one weight matrix, in the order that suits a host's caches.
//
// Lists that are alike are united. All others pass together over one block of the weights' rows
// after the other, so that a row comes from far away once for all of them, and their sums wait in
// memory meanwhile. Whichever way it goes, a sum adds up its list's events in their order.
#pragma once

#include "maths/EventUnion.hpp"

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
      waiting_[numWaiting_++] = {lists[s], 0, sums[s]};
    }
  }

  void finish() {
    const unsigned rows = kBlockFloats / from_.columns + 1;
    for (unsigned begin = 0; begin < from_.numIds; begin += rows) {
      for (unsigned w = 0; w < numWaiting_; ++w) {
        gatherBlock(waiting_[w], begin == 0, begin + rows);
      }
    }
    numWaiting_ = 0;
  }

private:
  struct Waiting {
    List<Id> list;
    unsigned next; // event
    float* sums;
  };

  // Events of ids below `end`.
  void gatherBlock(Waiting& one, bool isFirst, unsigned end) const {
    const Id* ids = one.list.ids();
    const ListValue* values = one.list.values(capacity_);
    const unsigned count = one.list.numSpikes(), begin = one.next;
    unsigned to = begin;
    while (to < count && ids[to] < end) {
      ++to;
    }
    one.next = to;
    if (!isFirst && begin == to) {
      return;
    }
    const float *sumsBefore = isFirst ? from_.start : one.sums, *weights = from_.weights;
    const unsigned long columns = from_.columns;
    forEachSum(from_.columns, [&](auto sum, unsigned first) {
      sum.load(sumsBefore + first);
      for (unsigned k = begin; k < to; ++k) {
        sum.add(values[k], weights + ids[k] * columns + first);
      }
      sum.store(one.sums + first);
    });
  }

  // Of weights: 128 KiB, well within the second-level cache. Smaller blocks have too few events
  // of a list.
  static constexpr unsigned kBlockFloats = 1u << 15;
  static constexpr unsigned kMostWaiting = 128;

  GatherFrom from_;
  unsigned capacity_;
  EventUnion scratch_;
  Waiting waiting_[kMostWaiting];
  unsigned numWaiting_ = 0;
};

} // namespace spillway
