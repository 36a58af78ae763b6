#include "popops/ReplicaCollectives.hpp"

#include "popops/ReplicaGroup.hpp"

#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Pad.hpp>
#include <popops/Reduce.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

namespace popops::replicas {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::CrossReplicaCopy;
using poplar::program::Sequence;
using Operator = gcl::CollectiveOperator;

// The rank of this replica in its group: an UNSIGNED_INT of one element, known when the program
// runs.
Tensor rankTensor(Graph& graph, const ReplicaGroup& group, Sequence& prog,
                  const DebugContext& debugContext) {
  auto rank = graph.addReplicationIndexConstant(debugContext);
  graph.setTileMapping(rank, 0);
  if (group.stride() > 1)
    rank = div(graph, rank, group.stride(), prog, debugContext);
  if (group.size() * group.stride() < graph.getReplicationFactor())
    rank = rem(graph, rank, group.size(), prog, debugContext);
  return rank.reshape({1});
}

// Row i of the result is row (i + by) of `rows`, cyclically; `by` may be the number of rows.
Tensor rotate(Graph& graph, const Tensor& rows, const Tensor& by, Sequence& prog,
              const DebugContext& debugContext) {
  return dynamicSlice(graph, rows, by, {0}, {rows.dim(0)}, prog, debugContext);
}

// What is written row by row is written whole: it need not live before.
void addUndef(const Tensor& t, Sequence& prog, const DebugContext& debugContext) {
  prog.add(poplar::program::WriteUndef(t, debugContext));
}

// [group size][data], row s from the replica s places on.
Tensor gatherByDistance(Graph& graph, const Tensor& data, const ReplicaGroup& group, Sequence& prog,
                        const DebugContext& debugContext) {
  const auto row = data.flatten().expand({0});
  const auto rows = createSliceableTensorFromSlice(graph, row, {0}, {group.size()}, debugContext);
  addUndef(rows, prog, debugContext);
  prog.add(poplar::program::Copy(row, rows.slice(0, 1), false, debugContext));
  for (unsigned s = 1; s != group.size(); ++s)
    prog.add(CrossReplicaCopy(row, rows.slice(s, s + 1), group.receiveFrom(s), debugContext));
  return rows;
}

// group.size - rank: rotating rows by it puts them in the order of ranks.
Tensor backToRanks(Graph& graph, const ReplicaGroup& group, Sequence& prog,
                   const DebugContext& debugContext) {
  return sub(graph, group.size(), rankTensor(graph, group, prog, debugContext), prog, debugContext);
}

Tensor gather(Graph& graph, const Tensor& data, const ReplicaGroup& group, Sequence& prog,
              const DebugContext& debugContext) {
  auto shape = data.shape();
  shape.insert(shape.begin(), group.size());
  const auto rows = gatherByDistance(graph, data, group, prog, debugContext);
  return rotate(graph, rows, backToRanks(graph, group, prog, debugContext), prog, debugContext)
      .reshape(shape);
}

// Row s is what the replica s places before sent: its row for this replica.
Tensor exchangeRows(Graph& graph, const Tensor& rows, const ReplicaGroup& group, Sequence& prog,
                    const DebugContext& debugContext) {
  const auto rank = rankTensor(graph, group, prog, debugContext);
  const auto outgoing = rotate(graph, rows, rank, prog, debugContext); // row s for s places on
  const auto incoming = graph.clone(outgoing, debugContext);
  addUndef(incoming, prog, debugContext);
  prog.add(poplar::program::Copy(outgoing.slice(0, 1), incoming.slice(0, 1), false, debugContext));
  for (unsigned s = 1; s != group.size(); ++s)
    prog.add(CrossReplicaCopy(outgoing.slice(s, s + 1), incoming.slice(s, s + 1),
                              group.receiveFrom(group.size() - s), debugContext));
  return incoming;
}

Tensor scattered(Graph& graph, const Tensor& data, Operator op, const ReplicaGroup& group,
                 Sequence& prog, const DebugContext& debugContext) {
  const auto n = data.numElements();
  const auto part = (n + group.size() - 1) / group.size();
  auto padded = data.flatten();
  if (part * group.size() != n)
    padded = pad(graph, padded, 0, static_cast<std::ptrdiff_t>(part * group.size() - n), 0, 0,
                 padding::MappingMethod::EDGE);
  const auto parts =
      exchangeRows(graph, padded.reshape({group.size(), part}), group, prog, debugContext);
  if (op == Operator::LOCAL)
    return poputil::duplicate(graph, parts[0], prog, debugContext);
  const auto result = reduce(graph, parts, {0}, reduction(op), prog, debugContext);
  if (op == Operator::MEAN)
    divInPlace(graph, result, static_cast<float>(group.size()), prog, debugContext);
  return result;
}

} // namespace

Operation reduction(Operator op) {
  switch (op) {
  case Operator::MUL:
    return Operation::MUL;
  case Operator::MIN:
    return Operation::MIN;
  case Operator::MAX:
    return Operation::MAX;
  case Operator::LOGICAL_AND:
    return Operation::LOGICAL_AND;
  case Operator::LOGICAL_OR:
    return Operation::LOGICAL_OR;
  case Operator::SQUARE_ADD:
    return Operation::SQUARE_ADD;
  default:
    return Operation::ADD;
  }
}

Tensor allReduce(Graph& graph, const Tensor& data, Operator op, const gcl::CommGroup& commGroup,
                 Sequence& prog, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const DebugContext context{di, "allReduce"};
  const ReplicaGroup group(graph, commGroup);
  const auto result = graph.clone(data, context);
  if (op == Operator::LOCAL) {
    prog.add(poplar::program::Copy(data, result, false, context));
    return result;
  }
  const auto part = scattered(graph, data, op, group, prog, context);
  const auto all = gather(graph, part, group, prog, context);
  prog.add(poplar::program::Copy(all.flatten().slice(0, data.numElements()), result.flatten(),
                                 false, context));
  return result;
}

Tensor reduceScatter(Graph& graph, const Tensor& data, Operator op, const gcl::CommGroup& group,
                     Sequence& prog, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  return scattered(graph, data, op, ReplicaGroup(graph, group), prog, {di, "reduceScatter"});
}

Tensor allGather(Graph& graph, const Tensor& data, const gcl::CommGroup& group, Sequence& prog,
                 const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  return gather(graph, data, ReplicaGroup(graph, group), prog, {di, "allGather"});
}

Tensor allToAll(Graph& graph, const Tensor& data, const gcl::CommGroup& commGroup, Sequence& prog,
                const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const DebugContext context{di, "allToAll"};
  const ReplicaGroup group(graph, commGroup);
  if (data.rank() == 0 || data.dim(0) != group.size())
    throw poputil::poplibs_error("allToAll: data of shape " + data.shapeToString() +
                                 " for a group of " + std::to_string(group.size()) + " replicas");
  const auto rows = data.reshape({group.size(), data.numElements() / group.size()});
  // Row s came from s places before: in reverse, from group.size - s places on.
  const auto incoming = exchangeRows(graph, rows, group, prog, context);
  const auto byDistance =
      group.size() > 1
          ? poplar::concat(incoming.slice(0, 1), incoming.slice(1, group.size()).reverse(0))
          : incoming;
  return rotate(graph, byDistance, backToRanks(graph, group, prog, context), prog, context)
      .reshape(data.shape());
}

} // namespace popops::replicas
