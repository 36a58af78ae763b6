// The order in which the gradients of micro-batches are added: a function of their number alone.
// A range of n > 1 leaves is the sum of its first p, p the largest power of two below n, and of the
// others. Whoever holds a run of neighbours can add up whole subtrees of it.
#pragma once

#include <cstddef>
#include <vector>

namespace spillway::plan {

struct LeafRange {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

// Leaves of holder `index` of several: neighbours, so that it can add most of them up itself.
constexpr LeafRange leavesOf(std::size_t index, std::size_t numHolders, std::size_t numLeaves) {
  return {numLeaves * index / numHolders, numLeaves * (index + 1) / numHolders};
}

// Whether the range is a subtree of a tree over numLeaves.
bool isSubtree(std::size_t numLeaves, LeafRange range);

// Sums of subtrees on a stack, as one holder adds its leaves one after the other: a leaf is added
// to the sums on top of the stack as long as that makes a subtree, and the result is pushed.
class SumStack {
public:
  explicit SumStack(std::size_t numLeaves) : numLeaves_(numLeaves) {}

  // REQUIRES: begins where the last one ended, and is a leaf or a subtree. Returns how many sums on
  // top are added to it.
  std::size_t push(LeafRange range);

  const std::vector<LeafRange>& sums() const { return sums_; }

private:
  std::size_t numLeaves_;
  std::vector<LeafRange> sums_;
};

// What a holder's stack goes through as its leaves come, one after the other.
struct Holding {
  struct Push {
    std::size_t leaf, slot, numMerges; // added to the merges on top, it ends in that slot
  };
  std::vector<Push> pushes;
  std::vector<LeafRange> sums; // what is left in the end
  std::size_t mostSlots = 0;
};
Holding holdingOf(std::size_t index, std::size_t numHolders, std::size_t numLeaves);

// The most, of all holders: slots that a stack needs on the way, and sums that are left.
struct SumNeeds {
  std::size_t mostSlots = 0, mostSums = 0;
};
SumNeeds sumNeedsOf(std::size_t numHolders, std::size_t numLeaves);

} // namespace spillway::plan
