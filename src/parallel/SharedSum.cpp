#include "parallel/SharedSum.hpp"

#include <algorithm>

namespace spillway {

LeafRange leavesOf(unsigned rank, unsigned numRanks, std::size_t numLeaves) {
  return {numLeaves * rank / numRanks, numLeaves * (rank + 1) / numRanks};
}

SharedSum::SharedSum(Ranks& ranks, std::size_t numLeaves)
    : ranks_(ranks),
      numLeaves_(numLeaves),
      mine_(leavesOf(ranks.rank(), ranks.size(), numLeaves)),
      local_(numLeaves) {
  for (unsigned r = 0; r < ranks.size(); ++r) {
    TreeSum tree(numLeaves);
    const LeafRange range = leavesOf(r, ranks.size(), numLeaves);
    for (std::size_t leaf = range.begin; leaf < range.end; ++leaf) {
      tree.add({leaf, leaf + 1, {}});
    }
    sumsOfRanks_.push_back(tree.sums());
  }
}

void SharedSum::add(std::size_t leaf, std::vector<float> values) {
  local_.add({leaf, leaf + 1, std::move(values)});
}

std::vector<float> SharedSum::finish() {
  std::vector<PartialSum> sums = std::move(local_.sums());
  local_ = TreeSum(numLeaves_);
  if (ranks_.size() == 1) {
    return std::move(sums.front().values);
  }
  std::vector<float> total(sums.front().values.size());
  std::vector<std::size_t> ends; // of the ranks' slices
  for (unsigned r = 0; r < ranks_.size(); ++r) {
    ends.push_back(total.size() * (r + 1) / ranks_.size());
  }
  TreeSum slice = receive(sums, ends);
  const std::vector<float>& part = slice.sums().front().values;
  std::copy_backward(part.begin(), part.end(),
                     total.begin() + static_cast<std::ptrdiff_t>(ends[ranks_.rank()]));
  ranks_.gather(total, ends);
  return total;
}

// One exchange for the first sum of every rank, one for the second, and so on.
TreeSum SharedSum::receive(const std::vector<PartialSum>& sums,
                           const std::vector<std::size_t>& ends) {
  const unsigned rank = ranks_.rank();
  const std::size_t part = ends[rank] - (rank == 0 ? 0 : ends[rank - 1]);
  std::vector<std::vector<PartialSum>> received = sumsOfRanks_;
  std::size_t rounds = 0;
  for (const std::vector<PartialSum>& ofRank : received) {
    rounds = std::max(rounds, ofRank.size());
  }
  std::vector<float> theirs(part * ranks_.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<bool> gives;
    for (const std::vector<PartialSum>& ofRank : received) {
      gives.push_back(round < ofRank.size());
    }
    const bool give = round < sums.size();
    ranks_.exchange(give ? std::span<const float>(sums[round].values) : std::span<const float>{},
                    ends, gives, theirs);
    auto from = theirs.begin();
    for (std::vector<PartialSum>& ofRank : received) {
      if (round < ofRank.size()) {
        const auto to = from + static_cast<std::ptrdiff_t>(part);
        ofRank[round].values.assign(from, to);
        from = to;
      }
    }
  }
  TreeSum slice(numLeaves_);
  for (std::vector<PartialSum>& ofRank : received) {
    for (PartialSum& sum : ofRank) {
      slice.add(std::move(sum));
    }
  }
  return slice;
}

} // namespace spillway
