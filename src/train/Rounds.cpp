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
    const plan::Holding holding = plan::holdingOf(std::size_t{rank} * numReplicas + k,
                                                  std::size_t{numRanks} * numReplicas, numLeaves);
    rounds.resize(std::max(rounds.size(), holding.pushes.size()), Round(numReplicas));
    for (std::size_t i = 0; i < holding.pushes.size(); ++i) {
      const plan::Holding::Push& push = holding.pushes[i];
      rounds[i][k] = {push.leaf,
                      {true, static_cast<std::uint32_t>(push.slot),
                       static_cast<std::uint32_t>(push.numMerges)}};
    }
  }
  return rounds;
}

} // namespace spillway
