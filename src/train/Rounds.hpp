// Which micro-batches of an update the replicas of a rank run, round by round.
#pragma once

#include "parallel/SharedSum.hpp"
#include "train/TrainingSession.hpp"

#include <optional>
#include <vector>

namespace spillway {

struct Turn {
  std::optional<std::size_t> leaf; // the micro-batch; none: the replica waits
  KeptShare kept;                  // what it does with the gradients, where the device sums them
};
using Round = std::vector<Turn>; // by replica

// One after the other over the replicas: for sums on the host, which takes them in order.
std::vector<Round> roundsInTurn(LeafRange leaves, std::uint32_t numReplicas);

// Neighbours on each replica, as graphs' ReplicaSum has them: replica k of rank r is replica
// r * numReplicas + k of all.
std::vector<Round> roundsOfReplicas(unsigned rank, unsigned numRanks, std::uint32_t numReplicas,
                                    std::size_t numLeaves);

} // namespace spillway
