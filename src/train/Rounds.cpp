#include "train/Rounds.hpp"

#include <algorithm>

namespace spillway {

std::vector<Round> roundsInTurn(LeafRange leaves, std::uint32_t numReplicas) {
  std::vector<Round> rounds;
  for (std::size_t leaf = leaves.begin; leaf < leaves.end; leaf += numReplicas) {
    Round& round = rounds.emplace_back(numReplicas);
    for (std::size_t k = 0; k < numReplicas && leaf + k < leaves.end; ++k) {
      round[k].leaf = leaf + k;
    }
  }
  return rounds;
}

std::vector<Round> roundsOfReplicas(unsigned rank, unsigned numRanks, std::uint32_t numReplicas,
                                    std::size_t numLeaves) {
  std::vector<Round> rounds;
  for (std::size_t k = 0; k < numReplicas; ++k) {
    const LeafRange leaves = leavesOf(std::size_t{rank} * numReplicas + k,
                                      std::size_t{numRanks} * numReplicas, numLeaves);
    plan::SumStack stack(numLeaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const std::size_t leaf = leaves.begin + i;
      const std::size_t numMerges = stack.push({leaf, leaf + 1});
      rounds.resize(std::max(rounds.size(), i + 1), Round(numReplicas));
      rounds[i][k] = {leaf,
                      {true, static_cast<std::uint32_t>(stack.sums().size() - 1),
                       static_cast<std::uint32_t>(numMerges)}};
    }
  }
  return rounds;
}

} // namespace spillway
