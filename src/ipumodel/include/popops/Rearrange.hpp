// Rearrangement of tensors in memory.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <poputil/VarStructure.hpp>

namespace popops {
namespace rearrange {

/// The smallest group that is worth a transposition.
unsigned getMinimumRegroupGrainSize(const poplar::Type& type);

/// A copy of `t` in which groups of `to.second` neighbours in dimension `to.first` are contiguous,
/// on about the tiles of `t`. `t` itself if it is 1-D or the group does not divide the dimension.
poplar::Tensor regroupIfPossible(poplar::Graph& graph, const poplar::Tensor& t,
                                 poplar::program::Sequence& prog, const poputil::GroupingInfo& to,
                                 const poplar::DebugContext& debugContext = {});

/// A copy of `in` that lies in memory as `ref` does if that has another innermost grouping;
/// otherwise `in` itself.
poplar::Tensor regroupIfBeneficial(poplar::Graph& graph, const poplar::Tensor& in,
                                   const poplar::Tensor& ref, poplar::program::Sequence& prog,
                                   const poplar::DebugContext& debugContext = {});

/// The same for groups of (a factor of) preferredGrouping in the innermost dimension.
poplar::Tensor regroupIfBeneficial(poplar::Graph& graph, const poplar::Tensor& in,
                                   std::size_t preferredGrouping, poplar::program::Sequence& prog,
                                   const poplar::DebugContext& debugContext = {});

} // namespace rearrange
} // namespace popops
