// Which replicas take part in a collective with one another.
#pragma once

namespace gcl {

/// ALL replicas; CONSECUTIVE ones, groupSize at a time; ORTHOGONAL ones, numReplicas / groupSize
/// apart.
enum class CommGroupType { ALL, CONSECUTIVE, ORTHOGONAL };

class CommGroup {
public:
  CommGroup() = default;
  /// A group size of 0 takes all replicas. `stride` replicas lie between neighbours of a
  /// consecutive group.
  CommGroup(const CommGroupType& groupType, unsigned groupSize, unsigned stride = 1)
      : type_(groupType), size_(groupSize), stride_(stride) {}

  CommGroupType type() const { return type_; }
  unsigned replicaGroupSize() const { return size_; }
  unsigned stride() const { return stride_; }

private:
  CommGroupType type_ = CommGroupType::ALL;
  unsigned size_ = 0;
  unsigned stride_ = 1;
};

} // namespace gcl
