// Rows of a sparse matrix, by their numbers.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Program.hpp>

#include <popsparse/FullyConnected.hpp>
#include <popsparse/FullyConnectedParams.hpp>
#include <popsparse/SparseTensor.hpp>

namespace popsparse {
namespace dynamic {

/// UNSIGNED_INT [numIndices].
poplar::Tensor createIndicesTensor(poplar::Graph& graph, const FullyConnectedParams& params,
                                   std::size_t numIndices, const poplar::OptionFlags& options = {},
                                   const poplar::DebugContext& debugContext = {});
/// [numIndices][inputChannels].
poplar::Tensor createSliceTensor(poplar::Graph& graph, const poplar::Type& dataType,
                                 const FullyConnectedParams& params, std::size_t numIndices,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {},
                                 PlanningCache* cache = nullptr);

/// Row i of the result, [indices][inputChannels], is row indices[i] of t.
poplar::Tensor embeddingSlice(poplar::Graph& graph, const SparseTensor& t,
                              const poplar::Tensor& indices, poplar::program::Sequence& prog,
                              const FullyConnectedParams& params,
                              const poplar::DebugContext& debugContext = {},
                              const poplar::OptionFlags& options = {},
                              PlanningCache* cache = nullptr);
/// Adds scale * slices[i] to row indices[i] of t, where t has values.
void embeddingUpdateAdd(poplar::Graph& graph, const SparseTensor& t, const poplar::Tensor& slices,
                        const poplar::Tensor& indices, const poplar::Tensor& scale,
                        poplar::program::Sequence& prog, const FullyConnectedParams& params,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

} // namespace dynamic
} // namespace popsparse
