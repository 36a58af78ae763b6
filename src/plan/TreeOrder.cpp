#include "plan/TreeOrder.hpp"

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

} // namespace spillway::plan
