// The sum of vectors that are spread over ranks: the same bits for any number of ranks.
#pragma once

#include "parallel/Ranks.hpp"
#include "parallel/TreeSum.hpp"

namespace spillway {

// Leaves of rank `rank`: neighbours, so that it can add most of them up itself.
struct LeafRange {
  std::size_t begin = 0, end = 0;
};
LeafRange leavesOf(unsigned rank, unsigned numRanks, std::size_t numLeaves);

// Every rank adds its own leaves up as far as the tree allows, sends each rank its slice of what is
// left, sums the slice it receives, and gives the total of its slice to all. With N ranks and a
// power of two of leaves for each, a rank sends and receives 2 (N - 1)/N of a vector.
class SharedSum {
public:
  // REQUIRES: at least as many leaves as ranks.
  SharedSum(Ranks& ranks, std::size_t numLeaves);

  LeafRange mine() const { return mine_; }
  // REQUIRES: the leaves of mine(), in order, all of one size.
  void add(std::size_t leaf, std::vector<float> values);
  // Collective: the total of all leaves; ready for the next sum.
  std::vector<float> finish();

private:
  TreeSum receive(const std::vector<PartialSum>& sums, const std::vector<std::size_t>& ends);

  Ranks& ranks_;
  std::size_t numLeaves_;
  LeafRange mine_;
  std::vector<std::vector<PartialSum>> sumsOfRanks_; // ranges only
  TreeSum local_;
};

} // namespace spillway
