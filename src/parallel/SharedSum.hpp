// The sum of vectors that are spread over ranks: the same bits for any number of ranks.
#pragma once

#include "parallel/Ranks.hpp"
#include "parallel/TreeSum.hpp"

namespace spillway {

using plan::LeafRange;
using plan::leavesOf;

// Every rank adds its own leaves up as far as the tree allows, sends each rank its slice of what is
// left, sums the slice it receives, and gives the total of its slice to all. With N ranks and a
// power of two of leaves for each, a rank sends and receives 2 (N - 1)/N of a vector. One object
// serves many sums; its buffers stay, as fresh memory costs more than what is done with it.
class SharedSum {
public:
  // REQUIRES: at least as many leaves as ranks.
  SharedSum(Ranks& ranks, std::size_t numLeaves);

  LeafRange mine() const { return mine_; }
  // A buffer of that size for add(); what it holds is unspecified.
  std::vector<float> buffer(std::size_t size);
  // REQUIRES: the leaves of mine(), in order, all of one size.
  void add(std::size_t leaf, std::vector<float> values);
  // Collective: makes total() the total of all leaves; ready for the next sum.
  const std::vector<float>& finish();
  const std::vector<float>& total() const { return total_; }

private:
  void receive(const std::vector<PartialSum>& sums, const std::vector<std::size_t>& ends);

  Ranks& ranks_;
  std::size_t numLeaves_;
  LeafRange mine_;
  std::vector<std::vector<PartialSum>> sumsOfRanks_; // ranges only
  TreeSum local_, slice_;
  std::vector<float> theirs_, total_;
  std::vector<std::vector<float>> spare_, spareParts_; // whole vectors, and slices
};

} // namespace spillway
