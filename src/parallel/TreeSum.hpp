// Sums of floating-point vectors in an order that depends on their number alone.
#pragma once

#include <cstddef>
#include <vector>

namespace spillway {

// Values [begin, end) of the sequence that is summed, added up.
struct PartialSum {
  std::size_t begin = 0, end = 0;
  std::vector<float> values;
};

// Sums numLeaves vectors pairwise: a range of n > 1 leaves is the sum of its first p, p the largest
// power of two below n, and the others. Whoever holds a run of neighbours can add up whole subtrees
// of it; what is added to what does not depend on who holds which.
class TreeSum {
public:
  explicit TreeSum(std::size_t numLeaves) : numLeaves_(numLeaves) {}

  // REQUIRES: begins where the last one ended, and is a leaf or a subtree.
  void add(PartialSum sum);

  // What was added, as the fewest subtrees, in order; one once all leaves are there.
  std::vector<PartialSum>& sums() { return sums_; }

private:
  std::size_t numLeaves_;
  std::vector<PartialSum> sums_;
};

} // namespace spillway
