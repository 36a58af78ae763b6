#include "parallel/TreeSum.hpp"

#include <bit>

namespace spillway {
namespace {

// Whether [begin, end) is a subtree of a tree over numLeaves.
bool isSubtree(std::size_t numLeaves, std::size_t begin, std::size_t end) {
  std::size_t first = 0, last = numLeaves;
  while (last - first > end - begin) {
    const std::size_t middle = first + std::bit_ceil(last - first) / 2;
    (begin < middle ? last : first) = middle;
  }
  return first == begin && last == end;
}

} // namespace

void TreeSum::add(PartialSum sum) {
  while (!sums_.empty() && isSubtree(numLeaves_, sums_.back().begin, sum.end)) {
    PartialSum& left = sums_.back();
    for (std::size_t i = 0; i < left.values.size(); ++i) {
      left.values[i] += sum.values[i];
    }
    left.end = sum.end;
    sum = std::move(left);
    sums_.pop_back();
  }
  sums_.push_back(std::move(sum));
}

} // namespace spillway
