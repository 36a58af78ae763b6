#include "popops/RowCollectives.hpp"

#include "popops/ReplicaCollectives.hpp"

#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace popops::rows {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Sequence;
using Operator = gcl::CollectiveOperator;

Tensor reduceRows(Graph& graph, const Tensor& rows, Operator op, Sequence& prog,
                  const DebugContext& debugContext) {
  const auto reduced = reduce(graph, rows, {0}, replicas::reduction(op), prog, debugContext);
  if (op == Operator::MEAN)
    divInPlace(graph, reduced, static_cast<float>(rows.dim(0)), prog, debugContext);
  return reduced;
}

unsigned ipuOf(const Graph& graph, const Tensor& t) {
  const auto mapping = graph.getTileMapping(t);
  const auto used = std::find_if(mapping.begin(), mapping.end(),
                                 [](const auto& regions) { return !regions.empty(); });
  return static_cast<unsigned>(used - mapping.begin()) / graph.getTarget().getTilesPerIPU();
}

} // namespace

Tensor allReduce(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                 const DebugContext& debugContext) {
  if (data.rank() == 0)
    throw poputil::poplibs_error("allReduce: data must have a row for each IPU");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const DebugContext context{di, "allReduceWithinReplica"};
  const auto result = graph.clone(data, context);
  if (op == Operator::LOCAL) {
    prog.add(Copy(data, result, false, context));
    return result;
  }
  const auto reduced = reduceRows(graph, data, op, prog, context);
  prog.add(Copy(reduced.expand({0}).broadcast(static_cast<unsigned>(data.dim(0)), 0), result, false,
                context));
  return result;
}

Chunks reduceScatter(Graph& graph, const Tensor& data, Operator op, Sequence& prog,
                     const DebugContext& debugContext) {
  if (data.rank() != 2)
    throw poputil::poplibs_error("reduceScatter: data of shape " + data.shapeToString() +
                                 "; it must have a row for each IPU");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const DebugContext context{di, "reduceScatterWithinReplica"};
  const auto sizes =
      poputil::balancedPartition(static_cast<int>(data.dim(1)), static_cast<int>(data.dim(0)));
  Chunks result(static_cast<unsigned>(data.dim(0)));
  result.originalInput = data;
  std::size_t begin = 0;
  for (unsigned i = 0; i != data.dim(0); ++i) {
    const auto part = data.slice(begin, begin + static_cast<std::size_t>(sizes[i]), 1);
    const auto chunk = graph.clone(part[i], context);
    if (chunk.numElements() != 0)
      prog.add(Copy(op == Operator::LOCAL ? part[i] : reduceRows(graph, part, op, prog, context),
                    chunk, false, context));
    result.chunks[i] = Chunk(chunk, i, 0);
    begin += static_cast<std::size_t>(sizes[i]);
  }
  return result;
}

Tensor allGather(Graph& graph, const Chunks& chunks, Sequence& prog,
                 const DebugContext& debugContext) {
  if (chunks.chunks.empty())
    throw poputil::poplibs_error("allGather: no chunks");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const DebugContext context{di, "allGatherWithinReplica"};
  auto sorted = chunks.chunks;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Chunk& a, const Chunk& b) {
    return std::tie(a.index, a.offset) < std::tie(b.index, b.offset);
  });
  std::vector<Tensor> parts, rows;
  for (const auto& chunk : sorted)
    parts.push_back(chunk.tensor.flatten());
  const auto all = poplar::concat(parts);
  for (std::size_t i = 0; i != parts.size(); ++i) {
    const auto ipu = parts[i].numElements() == 0 ? sorted[i].index : ipuOf(graph, parts[i]);
    rows.push_back(poputil::cloneToIpu(graph, all, ipu, context).expand({0}));
    prog.add(Copy(all, rows.back()[0], false, context));
  }
  return poplar::concat(rows);
}

} // namespace popops::rows
