#include "plan/TreeOrder.hpp"

#include <algorithm>
#include <bit>

namespace spillway::plan {

bool isSubtree(std::size_t numLeaves, LeafRange range) {
  LeafRange tree{0, numLeaves};
  while (tree.size() > range.size()) {
    const std::size_t middle = tree.begin + std::bit_ceil(tree.size()) / 2;
    (range.begin < middle ? tree.end : tree.begin) = middle;
  }
  return tree.begin == range.begin && tree.end == range.end;
}

std::size_t SumStack::push(LeafRange range) {
  std::size_t numMerges = 0;
  while (!sums_.empty() && isSubtree(numLeaves_, {sums_.back().begin, range.end})) {
    range.begin = sums_.back().begin;
    sums_.pop_back();
    ++numMerges;
  }
  sums_.push_back(range);
  return numMerges;
}

Holding holdingOf(std::size_t index, std::size_t numHolders, std::size_t numLeaves) {
  Holding holding;
  SumStack stack(numLeaves);
  const LeafRange range = leavesOf(index, numHolders, numLeaves);
  for (std::size_t leaf = range.begin; leaf < range.end; ++leaf) {
    const std::size_t numMerges = stack.push({leaf, leaf + 1});
    holding.pushes.push_back({leaf, stack.sums().size() - 1, numMerges});
    holding.mostSlots = std::max(holding.mostSlots, stack.sums().size());
  }
  holding.sums = stack.sums();
  return holding;
}

SumNeeds sumNeedsOf(std::size_t numHolders, std::size_t numLeaves) {
  SumNeeds needs;
  for (std::size_t index = 0; index < numHolders; ++index) {
    const Holding holding = holdingOf(index, numHolders, numLeaves);
    needs.mostSlots = std::max(needs.mostSlots, holding.mostSlots);
    needs.mostSums = std::max(needs.mostSums, holding.sums.size());
  }
  return needs;
}

} // namespace spillway::plan
