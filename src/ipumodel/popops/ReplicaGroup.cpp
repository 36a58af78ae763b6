#include "popops/ReplicaGroup.hpp"

#include <poputil/exceptions.hpp>

#include <string>

namespace popops {

ReplicaGroup::ReplicaGroup(const poplar::Graph& graph, const gcl::CommGroup& group)
    : numReplicas_(graph.getReplicationFactor()), size_(numReplicas_), stride_(1) {
  if (group.type() != gcl::CommGroupType::ALL && group.replicaGroupSize() != 0) {
    size_ = group.replicaGroupSize();
    stride_ =
        group.type() == gcl::CommGroupType::CONSECUTIVE ? group.stride() : numReplicas_ / size_;
  }
  if (size_ == 0 || stride_ == 0 || numReplicas_ % (size_ * stride_) != 0)
    throw poputil::poplibs_error("Groups of " + std::to_string(size_) + " replicas, " +
                                 std::to_string(stride_) + " apart, do not divide " +
                                 std::to_string(numReplicas_) + " replicas");
}

unsigned ReplicaGroup::member(unsigned replica, unsigned newRank) const {
  return replica - rank(replica) * stride_ + newRank * stride_;
}

unsigned ReplicaGroup::peer(unsigned replica, unsigned shift) const {
  return member(replica, (rank(replica) + shift) % size_);
}

std::map<unsigned, unsigned> ReplicaGroup::receiveFrom(unsigned shift) const {
  std::map<unsigned, unsigned> receiverOf;
  for (unsigned replica = 0; replica != numReplicas_; ++replica)
    receiverOf[peer(replica, shift)] = replica;
  return receiverOf;
}

std::map<unsigned, unsigned> ReplicaGroup::betweenRanks(unsigned from, unsigned to) const {
  std::map<unsigned, unsigned> receiverOf;
  for (unsigned replica = 0; replica != numReplicas_; ++replica)
    if (rank(replica) == from)
      receiverOf[replica] = member(replica, to);
  return receiverOf;
}

} // namespace popops
