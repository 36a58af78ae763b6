#include "popops/CollectiveOptions.hpp"
#include "popops/ReplicaCollectives.hpp"
#include "popops/ReplicaGroup.hpp"
#include "popops/RowCollectives.hpp"

#include <gcl/Collectives.hpp>
#include <popops/codelets.hpp>
#include <poputil/exceptions.hpp>

namespace gcl {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;
using Operator = CollectiveOperator;

// gcl has no codelets that a program could add: those of popops are what it is made of here.
void begin(Graph& graph, const OptionFlags& options) {
  popops::checkCollectiveOptions(options);
  popops::addCodelets(graph);
}

} // namespace

Tensor allReduceCrossReplica(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                             const CommGroup& group, const DebugContext& debugContext,
                             const OptionFlags& options) {
  begin(graph, options);
  return popops::replicas::allReduce(graph, data, op, group, prog, debugContext);
}
Tensor allReduceCrossReplica(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                             const DebugContext& debugContext, const OptionFlags& options) {
  begin(graph, options);
  return popops::replicas::allReduce(graph, data, op, CommGroup(), prog, debugContext);
}

void allReduceToDestinationCrossReplica(Graph& graph, const Tensor& data, const Tensor& destination,
                                        Operator op, Sequence& prog, const CommGroup& group,
                                        const DebugContext& debugContext,
                                        const OptionFlags& options) {
  begin(graph, options);
  const auto result = popops::replicas::allReduce(graph, data, op, group, prog, debugContext);
  prog.add(poplar::program::Copy(result, destination, false, debugContext));
}
void allReduceToDestinationCrossReplica(Graph& graph, const Tensor& data, const Tensor& destination,
                                        Operator op, Sequence& prog,
                                        const DebugContext& debugContext,
                                        const OptionFlags& options) {
  allReduceToDestinationCrossReplica(graph, data, destination, op, prog, CommGroup(), debugContext,
                                     options);
}
void allReduceInPlaceCrossReplica(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                                  const CommGroup& group, const DebugContext& debugContext,
                                  const OptionFlags& options) {
  allReduceToDestinationCrossReplica(graph, data, data, op, prog, group, debugContext, options);
}
void allReduceInPlaceCrossReplica(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                                  const DebugContext& debugContext, const OptionFlags& options) {
  allReduceToDestinationCrossReplica(graph, data, data, op, prog, CommGroup(), debugContext,
                                     options);
}

Tensor reduceScatterCrossReplica(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                                 const CommGroup& group, const DebugContext& debugContext,
                                 const OptionFlags& options) {
  begin(graph, options);
  return popops::replicas::reduceScatter(graph, data, op, group, prog, debugContext);
}
Tensor reduceScatterCrossReplica(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                                 const DebugContext& debugContext, const OptionFlags& options) {
  return reduceScatterCrossReplica(graph, data, op, prog, CommGroup(), debugContext, options);
}

Tensor allGatherCrossReplica(Graph& graph, const Tensor& data, Sequence& prog,
                             const CommGroup& group, const DebugContext& debugContext,
                             const OptionFlags& options) {
  begin(graph, options);
  return popops::replicas::allGather(graph, data, group, prog, debugContext);
}
Tensor allGatherCrossReplica(Graph& graph, const Tensor& data, Sequence& prog,
                             const DebugContext& debugContext, const OptionFlags& options) {
  return allGatherCrossReplica(graph, data, prog, CommGroup(), debugContext, options);
}

Tensor allToAllCrossReplica(Graph& graph, const Tensor& data, Sequence& prog,
                            const CommGroup& group, const DebugContext& debugContext,
                            const OptionFlags& options) {
  begin(graph, options);
  return popops::replicas::allToAll(graph, data, group, prog, debugContext);
}
Tensor allToAllCrossReplica(Graph& graph, const Tensor& data, Sequence& prog,
                            const DebugContext& debugContext, const OptionFlags& options) {
  return allToAllCrossReplica(graph, data, prog, CommGroup(), debugContext, options);
}

Tensor broadcastCrossReplica(Graph& graph, const Tensor& data, Sequence& prog,
                             const CommGroup& commGroup, unsigned rootReplica,
                             const DebugContext& debugContext, const OptionFlags& options) {
  begin(graph, options);
  const popops::ReplicaGroup group(graph, commGroup);
  if (rootReplica >= group.size())
    throw poputil::poplibs_error("broadcast: root " + std::to_string(rootReplica) +
                                 " of a group of " + std::to_string(group.size()) + " replicas");
  const auto result = graph.clone(data, debugContext);
  prog.add(poplar::program::Copy(data, result, false, debugContext));
  for (unsigned rank = 0; rank != group.size(); ++rank)
    if (rank != rootReplica)
      prog.add(poplar::program::CrossReplicaCopy(
          data, result, group.betweenRanks(rootReplica, rank), debugContext));
  return result;
}

Tensor allReduceWithinReplica(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                              const DebugContext& debugContext, const OptionFlags& options) {
  begin(graph, options);
  return popops::rows::allReduce(graph, data, op, prog, debugContext);
}
Chunks reduceScatterWithinReplica(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                                  const DebugContext& debugContext, const OptionFlags& options) {
  begin(graph, options);
  return popops::rows::reduceScatter(graph, data, op, prog, debugContext);
}
Tensor allGatherWithinReplica(Graph& graph, const Chunks& chunks, Sequence& prog,
                              const DebugContext& debugContext, const OptionFlags& options) {
  begin(graph, options);
  return popops::rows::allGather(graph, chunks, prog, debugContext);
}

} // namespace gcl
