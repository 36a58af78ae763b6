// Collectives of several tensors, and into tensors that are given, by those of one tensor.
#include <gcl/Collectives.hpp>
#include <poputil/exceptions.hpp>

namespace gcl {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;
using Tensors = std::vector<Tensor>;
using Operator = CollectiveOperator;

template <typename Collective>
Tensors each(const Tensors& datas, const Collective& collective) {
  Tensors results;
  for (const auto& data : datas)
    results.push_back(collective(data));
  return results;
}

void copyTo(const Tensor& result, const Tensor& destination, Sequence& prog,
            const DebugContext& debugContext) {
  if (result.numElements() != destination.numElements())
    throw poputil::poplibs_error("collective: a destination of " +
                                 std::to_string(destination.numElements()) + " elements for " +
                                 std::to_string(result.numElements()));
  prog.add(poplar::program::Copy(result.flatten(), destination.flatten(), false, debugContext));
}

void copyTo(const Tensors& results, const Tensors& destinations, Sequence& prog,
            const DebugContext& debugContext) {
  if (results.size() != destinations.size())
    throw poputil::poplibs_error("collective: " + std::to_string(destinations.size()) +
                                 " destinations for " + std::to_string(results.size()) +
                                 " tensors");
  for (std::size_t i = 0; i != results.size(); ++i)
    copyTo(results[i], destinations[i], prog, debugContext);
}

} // namespace

void reduceScatterToDestinationCrossReplica(Graph& graph, const Tensor& data,
                                            const Tensor& destination, Operator op, Sequence& prog,
                                            const CommGroup& group,
                                            const DebugContext& debugContext,
                                            const OptionFlags& options) {
  copyTo(reduceScatterCrossReplica(graph, data, op, prog, group, debugContext, options),
         destination, prog, debugContext);
}

void allGatherToDestinationCrossReplica(Graph& graph, const Tensor& data, const Tensor& destination,
                                        Sequence& prog, const CommGroup& group,
                                        const DebugContext& debugContext,
                                        const OptionFlags& options) {
  copyTo(allGatherCrossReplica(graph, data, prog, group, debugContext, options), destination, prog,
         debugContext);
}

Tensors allReduceCrossReplica(Graph& graph, const Tensors& datas, Operator op, Sequence& prog,
                              const CommGroup& group, const DebugContext& debugContext,
                              const OptionFlags& options) {
  return each(datas, [&](const Tensor& data) {
    return allReduceCrossReplica(graph, data, op, prog, group, debugContext, options);
  });
}

void allReduceToDestinationCrossReplica(Graph& graph, const Tensors& datas,
                                        const Tensors& destinations, Operator op, Sequence& prog,
                                        const CommGroup& group, const DebugContext& debugContext,
                                        const OptionFlags& options) {
  copyTo(allReduceCrossReplica(graph, datas, op, prog, group, debugContext, options), destinations,
         prog, debugContext);
}

void allReduceInPlaceCrossReplica(Graph& graph, const Tensors& datas, Operator op, Sequence& prog,
                                  const CommGroup& group, const DebugContext& debugContext,
                                  const OptionFlags& options) {
  allReduceToDestinationCrossReplica(graph, datas, datas, op, prog, group, debugContext, options);
}

Tensors reduceScatterCrossReplica(Graph& graph, const Tensors& datas, Operator op, Sequence& prog,
                                  const CommGroup& group, const DebugContext& debugContext,
                                  const OptionFlags& options) {
  return each(datas, [&](const Tensor& data) {
    return reduceScatterCrossReplica(graph, data, op, prog, group, debugContext, options);
  });
}

void reduceScatterToDestinationCrossReplica(Graph& graph, const Tensors& datas,
                                            const Tensors& destinations, Operator op,
                                            Sequence& prog, const CommGroup& group,
                                            const DebugContext& debugContext,
                                            const OptionFlags& options) {
  copyTo(reduceScatterCrossReplica(graph, datas, op, prog, group, debugContext, options),
         destinations, prog, debugContext);
}

Tensors allGatherCrossReplica(Graph& graph, const Tensors& datas, Sequence& prog,
                              const CommGroup& group, const DebugContext& debugContext,
                              const OptionFlags& options) {
  return each(datas, [&](const Tensor& data) {
    return allGatherCrossReplica(graph, data, prog, group, debugContext, options);
  });
}

void allGatherToDestinationCrossReplica(Graph& graph, const Tensors& datas,
                                        const Tensors& destinations, Sequence& prog,
                                        const CommGroup& group, const DebugContext& debugContext,
                                        const OptionFlags& options) {
  copyTo(allGatherCrossReplica(graph, datas, prog, group, debugContext, options), destinations,
         prog, debugContext);
}

} // namespace gcl
