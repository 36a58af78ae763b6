// How workers that add to the rows of one matrix share the ids of lists: each takes a stretch.
#pragma once

#include "maths/Cycles.hpp"
#include "maths/Lists.hpp"

namespace spillway {

// Lists that are looked at to share ids out; what that takes: of each its count, a position, the id
// there, a sum.
constexpr unsigned kProbes = 8;
constexpr unsigned long kShareInstructions = 10 + 7 * kProbes;

// Ids from `begin` up to `end`; kNoEnd: to the last.
struct IdShare {
  static constexpr unsigned kNoEnd = ~0u;
  unsigned begin, end;

  // The position in a list of its first id that belongs to the share.
  template <class Id>
  unsigned firstOf(List<Id> list) const {
    return begin == 0 ? 0 : lowerBound(list.ids(), 0, list.numSpikes(), begin);
  }
};

// Where the ids of sharer `member` of `sharers` begin: on average over some samples' lists of the
// block's last step, where its part of a list of equal parts begins. The same for all who ask, and
// no less for a later member.
template <class Id>
inline unsigned firstIdOf(const Id* lists, SlabShape slab, unsigned samples, unsigned steps,
                          unsigned member, unsigned sharers) {
  unsigned sum = 0, numLists = 0;
  for (unsigned probe = 0; probe < kProbes; ++probe) {
    const List<Id> list{lists + slab.at(probe * samples / kProbes, steps - 1)};
    const unsigned count = list.numSpikes();
    if (count != 0) {
      sum += list.ids()[count * member / sharers];
      ++numLists;
    }
  }
  return numLists == 0 ? IdShare::kNoEnd : sum / numLists;
}

// The first ids of all sharers, for an estimate of what each of them does.
struct IdCuts {
  unsigned begins[kWorkers];
};

template <class Id>
inline IdCuts cutsOfIds(const Id* lists, SlabShape slab, unsigned samples, unsigned steps,
                        unsigned sharers) {
  IdCuts cuts{};
  for (unsigned member = 1; steps != 0 && member < sharers; ++member) {
    cuts.begins[member] = firstIdOf(lists, slab, samples, steps, member, sharers);
  }
  return cuts;
}

// Workers: of a tile; where it has one, that one takes all without a question.
template <unsigned Workers, class Id>
inline IdShare shareOfIds(const Id* lists, SlabShape slab, unsigned samples, unsigned steps,
                          unsigned member, unsigned sharers) {
  if (Workers == 1) {
    return {0, IdShare::kNoEnd};
  }
  const auto firstId = [&](unsigned of) {
    return firstIdOf(lists, slab, samples, steps, of, sharers);
  };
  return {member == 0 ? 0 : firstId(member),
          member + 1 == sharers ? IdShare::kNoEnd : firstId(member + 1)};
}

} // namespace spillway
