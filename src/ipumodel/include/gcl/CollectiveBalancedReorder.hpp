// An order of a tensor's elements in which each replica can keep an equal share of every tile's:
// then a reduce-scatter and an all-gather move nothing between the tiles of an IPU.
//
// The share of replica r on a tile with n elements is elements [r*s, (r+1)*s) of them, s = n/R
// rounded up. Gathered, the shares follow one another, padded: [R][elements of a share of all
// tiles].
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gcl {

/// The same order for data of the host.
struct CollectiveBalancedHostRearrangement {
  unsigned replicationFactor = 1;
  std::size_t totalElementsPerReplica = 0;
  /// In order of the gathered tensor: which elements of the reference tensor stand there. An empty
  /// interval [n, n) past its end stands for one element of padding.
  std::vector<poplar::Interval> gatheredToRefSlices;
  /// Empty, or for each element of the gathered tensor its element of the reference tensor.
  std::vector<std::uint32_t> elementMap;

  unsigned getReplicationFactor() const { return replicationFactor; }
  std::size_t getTotalElementsPerReplica() const { return totalElementsPerReplica; }
  const std::vector<poplar::Interval>& getGatheredToRefSlices() const {
    return gatheredToRefSlices;
  }
  const std::vector<std::uint32_t>& getElementMap() const { return elementMap; }
  std::size_t getNumRearrangedTensorElems() const {
    return totalElementsPerReplica * replicationFactor;
  }

  /// From the order of the reference tensor to that of the gathered one, with zeros as padding, and
  /// back. `in` and `out` hold elements of that many bytes.
  void rearrangeForCollective(const char* in, char* out, std::int64_t elemByteSize) const;
  void undoRearrangeForCollective(const char* in, char* out, std::int64_t elemByteSize) const;
};

class CollectiveBalancedReorder {
public:
  /// The tensor has to be mapped. allowElementMap changes nothing here.
  CollectiveBalancedReorder(poplar::Graph& graph, poplar::Tensor tensor, unsigned replicationFactor,
                            const poplar::DebugNameAndId& dnai, bool allowElementMap = false);

  /// [elements of a replica's share], on the tiles of the reference tensor.
  poplar::Tensor createReplicaSlice(const poplar::Type& type);
  /// [R * elements of a share], each share on those tiles.
  poplar::Tensor createCollectivesTensor(const poplar::Type& type, const std::string& debugPrefix);
  /// The reference tensor with another type.
  poplar::Tensor getReferenceTensorClone(const poplar::Type& type,
                                         const std::string& debugPrefix = "");

  /// A view: a gathered tensor in the order of the reference one, flattened.
  poplar::Tensor undoRearrangeForCollective(const poplar::Tensor& gathered) const;
  /// A view the other way: a tensor in the order of the reference one as it is gathered, with a new
  /// variable for the padding.
  poplar::Tensor rearrangeForCollective(const poplar::Tensor& tensor) const;

  std::vector<std::size_t> getReferenceShape() const { return reference_.shape(); }
  std::size_t getNumRearrangedTensorElems() const {
    return rearrangement_.getNumRearrangedTensorElems();
  }
  const CollectiveBalancedHostRearrangement& getHostRearrangement() const { return rearrangement_; }
  void rearrangeForCollective(const char* in, char* out, std::int64_t elemByteSize) const {
    rearrangement_.rearrangeForCollective(in, out, elemByteSize);
  }
  void undoRearrangeForCollective(const char* in, char* out, std::int64_t elemByteSize) const {
    rearrangement_.undoRearrangeForCollective(in, out, elemByteSize);
  }

private:
  struct Share { // of one tile in each replica's
    unsigned tile;
    std::size_t numElements;
  };
  void mapShare(const poplar::Tensor& share) const;
  unsigned tileOf(std::size_t element) const; // of a share

  poplar::Graph& graph_;
  poplar::Tensor reference_;
  poplar::DebugNameAndId dnai_;
  std::vector<Share> shares_;
  CollectiveBalancedHostRearrangement rearrangement_;
};

} // namespace gcl
