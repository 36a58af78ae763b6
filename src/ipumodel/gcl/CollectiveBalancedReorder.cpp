#include <gcl/CollectiveBalancedReorder.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <cstring>

namespace gcl {
namespace {

using poplar::Interval;
using poplar::Tensor;

bool isPadding(const Interval& slice) {
  return slice.size() == 0;
}

// Elements [begin, end) of those that a list of intervals holds.
void append(std::vector<Interval>& out, const std::vector<Interval>& regions, std::size_t begin,
            std::size_t end) {
  std::size_t at = 0;
  for (const auto& region : regions) {
    const auto first = std::max(begin, at), last = std::min(end, at + region.size());
    if (first < last)
      out.emplace_back(region.begin() + (first - at), region.begin() + (last - at));
    at += region.size();
  }
}

} // namespace

void CollectiveBalancedHostRearrangement::rearrangeForCollective(const char* in, char* out,
                                                                 std::int64_t elemByteSize) const {
  const auto size = static_cast<std::size_t>(elemByteSize);
  for (const auto& slice : gatheredToRefSlices) {
    if (isPadding(slice)) {
      std::memset(out, 0, size);
      out += size;
    } else {
      std::memcpy(out, in + slice.begin() * size, slice.size() * size);
      out += slice.size() * size;
    }
  }
}

void CollectiveBalancedHostRearrangement::undoRearrangeForCollective(
    const char* in, char* out, std::int64_t elemByteSize) const {
  const auto size = static_cast<std::size_t>(elemByteSize);
  for (const auto& slice : gatheredToRefSlices) {
    if (!isPadding(slice))
      std::memcpy(out + slice.begin() * size, in, slice.size() * size);
    in += (isPadding(slice) ? 1 : slice.size()) * size;
  }
}

CollectiveBalancedReorder::CollectiveBalancedReorder(poplar::Graph& graph, Tensor tensor,
                                                     unsigned replicationFactor,
                                                     const poplar::DebugNameAndId& dnai, bool)
    : graph_(graph), reference_(std::move(tensor)), dnai_(dnai) {
  if (replicationFactor == 0)
    throw poputil::poplibs_error("CollectiveBalancedReorder: no replicas");
  const auto mapping = graph.getTileMapping(reference_);
  const auto numElements = reference_.numElements();
  std::vector<std::vector<Interval>> regions;
  for (unsigned tile = 0; tile != mapping.size(); ++tile) {
    std::size_t onTile = 0;
    for (const auto& region : mapping[tile])
      onTile += region.size();
    if (onTile == 0)
      continue;
    shares_.push_back({tile, (onTile + replicationFactor - 1) / replicationFactor});
    regions.push_back(mapping[tile]);
  }
  rearrangement_.replicationFactor = replicationFactor;
  auto& slices = rearrangement_.gatheredToRefSlices;
  for (unsigned replica = 0; replica != replicationFactor; ++replica)
    for (std::size_t i = 0; i != shares_.size(); ++i) {
      const auto begin = replica * shares_[i].numElements, end = begin + shares_[i].numElements;
      std::size_t onTile = 0;
      for (const auto& region : regions[i])
        onTile += region.size();
      append(slices, regions[i], begin, end);
      for (auto pad = std::max(begin, onTile); pad < end; ++pad)
        slices.emplace_back(numElements, numElements);
    }
  for (const auto& share : shares_)
    rearrangement_.totalElementsPerReplica += share.numElements;
}

void CollectiveBalancedReorder::mapShare(const Tensor& share) const {
  std::size_t at = 0;
  for (const auto& part : shares_) {
    graph_.setTileMapping(share.slice(at, at + part.numElements), part.tile);
    at += part.numElements;
  }
}

unsigned CollectiveBalancedReorder::tileOf(std::size_t element) const {
  auto share = shares_.begin();
  for (; element >= share->numElements; ++share)
    element -= share->numElements;
  return share->tile;
}

Tensor CollectiveBalancedReorder::createReplicaSlice(const poplar::Type& type) {
  const auto t =
      graph_.addVariable(type, {rearrangement_.totalElementsPerReplica}, {dnai_, "replicaSlice"});
  mapShare(t);
  return t;
}

Tensor CollectiveBalancedReorder::createCollectivesTensor(const poplar::Type& type,
                                                          const std::string& debugPrefix) {
  const auto t = graph_.addVariable(
      type, {rearrangement_.replicationFactor, rearrangement_.totalElementsPerReplica},
      {dnai_, debugPrefix});
  for (unsigned replica = 0; replica != rearrangement_.replicationFactor; ++replica)
    mapShare(t[replica]);
  return t.flatten();
}

Tensor CollectiveBalancedReorder::getReferenceTensorClone(const poplar::Type& type,
                                                          const std::string& debugPrefix) {
  return graph_.clone(type, reference_, {dnai_, debugPrefix});
}

Tensor CollectiveBalancedReorder::undoRearrangeForCollective(const Tensor& gathered) const {
  const auto flat = gathered.flatten();
  if (flat.numElements() != getNumRearrangedTensorElems())
    throw poputil::poplibs_error("undoRearrangeForCollective: a tensor of " +
                                 std::to_string(flat.numElements()) + " elements instead of " +
                                 std::to_string(getNumRearrangedTensorElems()));
  struct Piece {
    std::size_t begin; // in the reference tensor
    Tensor elements;
  };
  std::vector<Piece> pieces;
  std::size_t at = 0;
  for (const auto& slice : rearrangement_.gatheredToRefSlices) {
    if (!isPadding(slice))
      pieces.push_back({slice.begin(), flat.slice(at, at + slice.size())});
    at += isPadding(slice) ? 1 : slice.size();
  }
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  std::vector<Tensor> parts;
  for (const auto& piece : pieces)
    parts.push_back(piece.elements);
  return poplar::concat(parts);
}

Tensor CollectiveBalancedReorder::rearrangeForCollective(const Tensor& tensor) const {
  const auto flat = tensor.flatten();
  if (flat.numElements() != reference_.numElements())
    throw poputil::poplibs_error("rearrangeForCollective: a tensor of " +
                                 std::to_string(flat.numElements()) + " elements instead of " +
                                 std::to_string(reference_.numElements()));
  const auto padding = graph_.addVariable(
      flat.elementType(), {getNumRearrangedTensorElems() - flat.numElements()}, {dnai_, "padding"});
  std::vector<Tensor> parts;
  std::size_t at = 0, numPadded = 0;
  for (const auto& slice : rearrangement_.gatheredToRefSlices) {
    if (isPadding(slice)) {
      parts.push_back(padding.slice(numPadded, numPadded + 1));
      graph_.setTileMapping(parts.back(), tileOf(at % rearrangement_.totalElementsPerReplica));
      ++numPadded;
    } else {
      parts.push_back(flat.slice(slice));
    }
    at += parts.back().numElements();
  }
  return poplar::concat(parts);
}

} // namespace gcl
