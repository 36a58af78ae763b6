// The replicas that a collective connects.
#pragma once

#include <gcl/CommGroup.hpp>
#include <poplar/Graph.hpp>

#include <map>

namespace popops {

class ReplicaGroup {
public:
  // Throws poplibs_error if the group does not divide the replicas of the graph.
  ReplicaGroup(const poplar::Graph& graph, const gcl::CommGroup& group);

  unsigned size() const { return size_; }

  // The replica `shift` places on in the group of `replica`, cyclically.
  unsigned peer(unsigned replica, unsigned shift) const;
  // The replica of that rank in the group of `replica`.
  unsigned member(unsigned replica, unsigned rank) const;

  // Maps of a CrossReplicaCopy, from senders to receivers: every replica receives from the one
  // `shift` places on; those of rank `to` receive from those of rank `from`.
  std::map<unsigned, unsigned> receiveFrom(unsigned shift) const;
  std::map<unsigned, unsigned> betweenRanks(unsigned from, unsigned to) const;

  // rank = (replica / stride) % size.
  unsigned stride() const { return stride_; }

private:
  unsigned rank(unsigned replica) const { return replica / stride_ % size_; }

  unsigned numReplicas_, size_, stride_;
};

} // namespace popops
