#include "popops/CollectiveOptions.hpp"
#include "popops/ReplicaCollectives.hpp"
#include "popops/RowCollectives.hpp"

#include <popops/Collectives.hpp>
#include <poputil/exceptions.hpp>

namespace popops {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Sequence;
using Operator = CollectiveOperator;

} // namespace

Operator operationToCollectiveOperator(const Operation& col) {
  switch (col) {
  case Operation::ADD:
    return Operator::ADD;
  case Operation::MUL:
    return Operator::MUL;
  case Operation::MIN:
    return Operator::MIN;
  case Operation::MAX:
    return Operator::MAX;
  case Operation::LOGICAL_AND:
    return Operator::LOGICAL_AND;
  case Operation::LOGICAL_OR:
    return Operator::LOGICAL_OR;
  case Operation::SQUARE_ADD:
    return Operator::SQUARE_ADD;
  case Operation::LOG_ADD:
    break;
  }
  throw poputil::poplibs_error("No collective computes this operation");
}

Chunks reduceScatter(Graph& graph, const Tensor& toReduce, Operator op, Sequence& prog,
                     const DebugContext& debugContext, const OptionFlags& options) {
  checkCollectiveOptions(options);
  return rows::reduceScatter(graph, toReduce, op, prog, debugContext);
}

Tensor allGather(Graph& graph, const Chunks& toGather, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags& options) {
  checkCollectiveOptions(options);
  return rows::allGather(graph, toGather, prog, debugContext);
}

Tensor allReduce(Graph& graph, const Tensor& toReduce, Operator op, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags& options) {
  checkCollectiveOptions(options);
  return rows::allReduce(graph, toReduce, op, prog, debugContext);
}

Tensor replicatedAllReduce(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                           const DebugContext& debugContext, const OptionFlags& options) {
  checkCollectiveOptions(options);
  return replicas::allReduce(graph, data, op, {}, prog, debugContext);
}

Tensor replicatedAllReduce(Graph& graph, Graph&, const Tensor& data, Operator op, Sequence& prog,
                           const DebugContext& debugContext, const OptionFlags& options) {
  return replicatedAllReduce(graph, data, op, prog, debugContext, options);
}

void replicatedAllReduceWithOutput(Graph& graph, const Tensor& data, const Tensor& output,
                                   Operator op, Sequence& prog, const DebugContext& debugContext,
                                   const OptionFlags& options) {
  prog.add(Copy(replicatedAllReduce(graph, data, op, prog, debugContext, options), output, false,
                debugContext));
}

void replicatedAllReduceInPlace(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                                const DebugContext& debugContext, const OptionFlags& options) {
  replicatedAllReduceWithOutput(graph, data, data, op, prog, debugContext, options);
}

Tensor replicatedReduceScatter(Graph& graph, const Tensor& toReduce, Operator op, Sequence& prog,
                               const DebugContext& debugContext, const OptionFlags& options) {
  checkCollectiveOptions(options);
  return replicas::reduceScatter(graph, toReduce, op, {}, prog, debugContext);
}

Tensor replicatedAllGather(Graph& graph, const Tensor& toGather, Sequence& prog,
                           const DebugContext& debugContext, const OptionFlags& options) {
  checkCollectiveOptions(options);
  return replicas::allGather(graph, toGather, {}, prog, debugContext);
}

Tensor allToAllPersonalizedExchange(Graph& graph, const Tensor& input, Sequence& sequence,
                                    const DebugContext& debugContext, const OptionFlags& options) {
  checkCollectiveOptions(options);
  return replicas::allToAll(graph, input, {}, sequence, debugContext);
}

} // namespace popops
