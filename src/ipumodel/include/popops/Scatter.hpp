// XLA's scatter: windows of a tensor are replaced by, or combined with, updates.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace popops {

/// For each index vector, in order: the window of `operand` that begins there becomes the window of
/// `updates`. Dimension indexVectorDim of `indices` (INT or UNSIGNED_INT; the rank of indices if
/// there is none) holds the starts for the dimensions scatterDimsToOperandDims. Dimensions
/// updateWindowDims of `updates` are those of the window, to which dimensions of 1 are added at
/// insertWindowDims. A window that does not lie within the operand changes nothing.
void scatter(poplar::Graph& graph, const poplar::Tensor& operand, const poplar::Tensor& indices,
             const poplar::Tensor& updates, std::size_t indexVectorDim,
             std::vector<unsigned> updateWindowDims, std::vector<std::size_t> insertWindowDims,
             std::vector<unsigned> scatterDimsToOperandDims, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext = {},
             const poplar::OptionFlags& options = {});

/// The new window from the old one (first) and the update (second).
using UpdateComputationFunc = std::function<poplar::Tensor(
    poplar::Graph&, poplar::Tensor&, poplar::Tensor&, poplar::program::Sequence&)>;

void scatter(poplar::Graph& graph, const poplar::Tensor& operand, const poplar::Tensor& indices,
             const poplar::Tensor& updates, std::size_t indexVectorDim,
             std::vector<unsigned> updateWindowDims, std::vector<std::size_t> insertWindowDims,
             std::vector<unsigned> scatterDimsToOperandDims,
             UpdateComputationFunc& updateComputation, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext = {},
             const poplar::OptionFlags& options = {});

} // namespace popops
