#include "popsparse/SparseGraph.hpp"

#include <poplar/exceptions.hpp>
#include <poputil/DebugInfo.hpp>

#include <popsparse/FullyConnected.hpp>

namespace popsparse {
namespace dynamic {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;

SparseTensor createFullyConnectedWeights(Graph& graph, const poplar::Type& inputType,
                                         const FullyConnectedParams& params,
                                         const DebugContext& debugContext,
                                         const OptionFlags& options, PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  return createBuckets(graph, inputType, planSparse(graph.getTarget(), inputType, params, options),
                       {di});
}

Tensor createFullyConnectedInput(Graph& graph, const poplar::Type& inputType,
                                 const FullyConnectedParams& params,
                                 const DebugContext& debugContext, const OptionFlags& options,
                                 PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto plan = planSparse(graph.getTarget(), inputType, params, options);
  return createDense(graph, inputType, plan, Sparse::AsIs, plan.shape.columns, {di}).transpose();
}

Tensor fullyConnectedFwd(Graph& graph, const SparseTensor& weights, const Tensor& activations,
                         const FullyConnectedParams& params, Sequence& prog,
                         const DebugContext& debugContext, const OptionFlags& options,
                         PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto type = activations.elementType();
  const auto out =
      multiplySparse(graph, planSparse(graph.getTarget(), type, params, options), weights,
                     activations.transpose(), Sparse::AsIs, prog, {di, "Fwd"});
  return inType(graph, out, type, prog, {di}).transpose();
}

Tensor fullyConnectedGradA(Graph& graph, const SparseTensor& weights, const Tensor& gradients,
                           const FullyConnectedParams& params, Sequence& prog,
                           const DebugContext& debugContext, const OptionFlags& options,
                           PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto type = gradients.elementType();
  const auto out =
      multiplySparse(graph, planSparse(graph.getTarget(), type, params, options), weights,
                     gradients.transpose(), Sparse::Transposed, prog, {di, "GradA"});
  return inType(graph, out, type, prog, {di}).transpose();
}

Tensor fullyConnectedSparseGradW(Graph& graph, const Tensor sparsityMetaInfo, const Tensor& gradA,
                                 const Tensor& activations, const FullyConnectedParams& params,
                                 Sequence& prog, const DebugContext& debugContext,
                                 const OptionFlags& options, PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto type = activations.elementType();
  const auto out =
      sparseGradient(graph, planSparse(graph.getTarget(), type, params, options), sparsityMetaInfo,
                     gradA.transpose(), activations.transpose(), prog, {di, "GradW"});
  return inType(graph, out, type, prog, {di});
}

std::tuple<unsigned, unsigned, unsigned>
fullyConnectedDenseGradWSerialSplits(const Graph& graph, const poplar::Type& inputType,
                                     const FullyConnectedParams& params, const OptionFlags& options,
                                     PlanningCache*) {
  planSparse(graph.getTarget(), inputType, params, options); // checks
  double proportion = 0.6;
  for (const auto& flag : options)
    if (flag.first == "availableMemoryProportion")
      proportion = std::stod(flag.second);
  const auto& target = graph.getTarget();
  const double room = proportion * target.getTilesPerIPU() * target.getBytesPerTile();
  const auto bytes = static_cast<double>(params.getInputChannels() * params.getOutputChannels() *
                                         target.getTypeSize(inputType));
  unsigned splits = 1;
  while (splits * 2 <= params.getOutputChannels() && bytes / splits > room)
    splits *= 2;
  return std::make_tuple(1u, 1u, splits);
}

} // namespace dynamic
} // namespace popsparse
