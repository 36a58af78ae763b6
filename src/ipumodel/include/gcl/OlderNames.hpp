// The collectives between replicas under their first names in gcl. Included by gcl/Collectives.hpp.
#pragma once

#include <gcl/CollectiveOperator.hpp>
#include <gcl/Collectives.hpp>
#include <popops/CollectiveTypes.hpp>

namespace gcl {

/// What to compute, named as by gcl or as a reduction of popops.
class OlderOperator {
public:
  OlderOperator(CollectiveOperator op) : op_(op) {}
  OlderOperator(popops::Operation op) : op_(popops::operationToCollectiveOperator(op)) {}
  operator CollectiveOperator() const { return op_; }

private:
  CollectiveOperator op_;
};

inline poplar::Tensor allReduce(poplar::Graph& graph, const poplar::Tensor& data, OlderOperator op,
                                poplar::program::Sequence& prog, const CommGroup& group,
                                const poplar::DebugContext& debugContext = {},
                                const poplar::OptionFlags& options = {}) {
  return allReduceCrossReplica(graph, data, op, prog, group, debugContext, options);
}
inline poplar::Tensor allReduce(poplar::Graph& graph, const poplar::Tensor& data, OlderOperator op,
                                poplar::program::Sequence& prog,
                                const poplar::DebugContext& debugContext = {},
                                const poplar::OptionFlags& options = {}) {
  return allReduceCrossReplica(graph, data, op, prog, debugContext, options);
}
inline void allReduceToDestination(poplar::Graph& graph, const poplar::Tensor& data,
                                   const poplar::Tensor& destination, OlderOperator op,
                                   poplar::program::Sequence& prog, const CommGroup& group,
                                   const poplar::DebugContext& debugContext = {},
                                   const poplar::OptionFlags& options = {}) {
  allReduceToDestinationCrossReplica(graph, data, destination, op, prog, group, debugContext,
                                     options);
}
inline void allReduceToDestination(poplar::Graph& graph, const poplar::Tensor& data,
                                   const poplar::Tensor& destination, OlderOperator op,
                                   poplar::program::Sequence& prog,
                                   const poplar::DebugContext& debugContext = {},
                                   const poplar::OptionFlags& options = {}) {
  allReduceToDestinationCrossReplica(graph, data, destination, op, prog, debugContext, options);
}
inline void allReduceInPlace(poplar::Graph& graph, const poplar::Tensor& data, OlderOperator op,
                             poplar::program::Sequence& prog, const CommGroup& group,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {}) {
  allReduceInPlaceCrossReplica(graph, data, op, prog, group, debugContext, options);
}
inline void allReduceInPlace(poplar::Graph& graph, const poplar::Tensor& data, OlderOperator op,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {}) {
  allReduceInPlaceCrossReplica(graph, data, op, prog, debugContext, options);
}
inline poplar::Tensor reduceScatter(poplar::Graph& graph, const poplar::Tensor& data,
                                    OlderOperator op, poplar::program::Sequence& prog,
                                    const CommGroup& group,
                                    const poplar::DebugContext& debugContext = {},
                                    const poplar::OptionFlags& options = {}) {
  return reduceScatterCrossReplica(graph, data, op, prog, group, debugContext, options);
}
inline poplar::Tensor reduceScatter(poplar::Graph& graph, const poplar::Tensor& data,
                                    OlderOperator op, poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {},
                                    const poplar::OptionFlags& options = {}) {
  return reduceScatterCrossReplica(graph, data, op, prog, debugContext, options);
}
inline poplar::Tensor allGather(poplar::Graph& graph, const poplar::Tensor& data,
                                poplar::program::Sequence& prog, const CommGroup& group,
                                const poplar::DebugContext& debugContext = {},
                                const poplar::OptionFlags& options = {}) {
  return allGatherCrossReplica(graph, data, prog, group, debugContext, options);
}
inline poplar::Tensor allGather(poplar::Graph& graph, const poplar::Tensor& data,
                                poplar::program::Sequence& prog,
                                const poplar::DebugContext& debugContext = {},
                                const poplar::OptionFlags& options = {}) {
  return allGatherCrossReplica(graph, data, prog, debugContext, options);
}
inline poplar::Tensor allToAll(poplar::Graph& graph, const poplar::Tensor& data,
                               poplar::program::Sequence& prog, const CommGroup& group,
                               const poplar::DebugContext& debugContext = {},
                               const poplar::OptionFlags& options = {}) {
  return allToAllCrossReplica(graph, data, prog, group, debugContext, options);
}
inline poplar::Tensor allToAll(poplar::Graph& graph, const poplar::Tensor& data,
                               poplar::program::Sequence& prog,
                               const poplar::DebugContext& debugContext = {},
                               const poplar::OptionFlags& options = {}) {
  return allToAllCrossReplica(graph, data, prog, debugContext, options);
}

} // namespace gcl
