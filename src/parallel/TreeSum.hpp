// Sums of floating-point vectors in an order that depends on their number alone.
#pragma once

#include "plan/TreeOrder.hpp"

#include <cstddef>
#include <vector>

namespace spillway {

// Values [begin, end) of the sequence that is summed, added up.
struct PartialSum {
  std::size_t begin = 0, end = 0;
  std::vector<float> values;
};

// Adds as a device does: what is too small to be normal is zero.
void addAsDevice(std::vector<float>& sum, const std::vector<float>& values);

// Sums numLeaves vectors in the order of plan::SumStack: what is added to what does not depend on
// who holds which.
class TreeSum {
public:
  explicit TreeSum(std::size_t numLeaves) : order_(numLeaves) {}

  // REQUIRES: begins where the last one ended, and is a leaf or a subtree. What was added up and is
  // no longer needed goes to `spare`.
  void add(PartialSum sum, std::vector<std::vector<float>>& spare);

  // What was added, as the fewest subtrees, in order; one once all leaves are there.
  std::vector<PartialSum>& sums() { return sums_; }

private:
  plan::SumStack order_;
  std::vector<PartialSum> sums_;
};

} // namespace spillway
