// A layer whose weights are a sparse matrix: outputs = weights * activations, for each sample.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>

#include <popsparse/FullyConnectedParams.hpp>
#include <popsparse/PlanningCache.hpp>
#include <popsparse/SparseTensor.hpp>

#include <tuple>

namespace popsparse {
namespace dynamic {

/// Options. metaInfoBucketOversizeProportion [0.3]: room in each bucket beyond an even share of the
/// values; the emptier buckets are, the less values have to travel. availableMemoryProportion,
/// doGradAPass, doGradWPass, partialsType, sharedBuckets, enableStructuredRearrangements and those
/// of the partitioner are accepted and have no effect: sums are FLOAT, and one set of buckets
/// serves all passes. One group; FLOAT and HALF.
SparseTensor createFullyConnectedWeights(poplar::Graph& graph, const poplar::Type& inputType,
                                         const FullyConnectedParams& params,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {},
                                         PlanningCache* cache = nullptr);
/// [batchSize][inputChannels].
poplar::Tensor createFullyConnectedInput(poplar::Graph& graph, const poplar::Type& inputType,
                                         const FullyConnectedParams& params,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {},
                                         PlanningCache* cache = nullptr);

/// [batchSize][outputChannels] of activations [batchSize][inputChannels].
poplar::Tensor
fullyConnectedFwd(poplar::Graph& graph, const SparseTensor& weights,
                  const poplar::Tensor& activations, const FullyConnectedParams& fcParams,
                  poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                  const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
/// Gradients of the activations, of those of the outputs.
poplar::Tensor
fullyConnectedGradA(poplar::Graph& graph, const SparseTensor& weights,
                    const poplar::Tensor& gradients, const FullyConnectedParams& fcParams,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                    const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
/// Gradients of the values that the meta information places, in the layout of the values.
poplar::Tensor
fullyConnectedSparseGradW(poplar::Graph& graph, const poplar::Tensor sparsityMetaInfo,
                          const poplar::Tensor& gradA, const poplar::Tensor& activations,
                          const FullyConnectedParams& fcParams, poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

/// In how many parts, for groups, inputs and outputs, a dense gradient of the weights should be
/// computed to fit the share of memory in the options.
std::tuple<unsigned, unsigned, unsigned> fullyConnectedDenseGradWSerialSplits(
    const poplar::Graph& graph, const poplar::Type& inputType, const FullyConnectedParams& fcParams,
    const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

} // namespace dynamic
} // namespace popsparse
