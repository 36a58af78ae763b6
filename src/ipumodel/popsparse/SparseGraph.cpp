#include "popsparse/SparseGraph.hpp"

#include <popops/Cast.hpp>
#include <popops/Loop.hpp>
#include <popops/Reduce.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <vector>

namespace popsparse {
namespace {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Sequence;

// Spreads each bucket over the tiles that work on its partition.
void mapBuckets(Graph& graph, const SparsePlan& plan, const Tensor& buckets) {
  for (std::size_t p = 0; p != plan.numPartitions(); ++p)
    for (std::size_t z = 0; z != plan.columnParts; ++z) {
      const auto share = partOf(buckets.dim(1), plan.columnParts, z);
      if (share.size())
        graph.setTileMapping(buckets[p].slice(share), plan.tile(p, z));
    }
}

Tensor addBuckets(Graph& graph, const SparsePlan& plan, const poplar::Type& type,
                  std::size_t perBucket, const DebugContext& debugContext) {
  const auto t = graph.addVariable(type, {plan.numPartitions(), perBucket}, debugContext);
  mapBuckets(graph, plan, t);
  return t;
}

Tensor asBuckets(const SparsePlan& plan, const Tensor& t, std::size_t perBucket) {
  if (t.numElements() != plan.numPartitions() * perBucket)
    throw poputil::poplibs_error("popsparse: a tensor of " + std::to_string(t.numElements()) +
                                 " elements is not of the plan that these parameters and options "
                                 "give, which has " +
                                 std::to_string(plan.numPartitions() * perBucket));
  return t.reshape({plan.numPartitions(), perBucket});
}

void checkRows(const Tensor& t, std::size_t rows, const char* what) {
  if (t.rank() != 2 || t.dim(0) != rows)
    throw poputil::poplibs_error(std::string("popsparse: the ") + what + " is of shape " +
                                 t.shapeToString() + ", but has to have " + std::to_string(rows) +
                                 " rows");
}

// Buckets lend values to others, so each partition has to see the buckets after its own, as many as
// the meta information says: `visit` is run after each move of the travelling buckets by one place.
// Those that `come back` are moved to where they were afterwards.
void addVisits(Graph& graph, const SparsePlan& plan, const Tensor& metaInfo,
               const std::vector<Tensor>& travelling, const std::vector<Tensor>& comeBack,
               const Sequence& visit, Sequence& prog, const DebugContext& debugContext) {
  const auto numBuckets = plan.numPartitions();
  const auto move = [&](const std::vector<Tensor>& tensors, std::size_t places) {
    Sequence moves({}, debugContext);
    for (const auto& t : tensors) {
      const auto beside = graph.clone(t, debugContext);
      const auto moved = poplar::concat(t.slice(places, numBuckets), t.slice(0, places));
      moves.add(Copy(moved, beside, false, debugContext));
      moves.add(Copy(beside, t, false, debugContext));
    }
    return moves;
  };
  auto round = move(travelling, 1);
  round.add(visit);
  const auto rotations =
      popops::cast(graph, metaInfo[0][0].reshape({1}), poplar::UNSIGNED_INT, prog, debugContext)[0];
  prog.add(popops::countedForLoop(graph, 0, rotations, 1, round, debugContext));
  if (!comeBack.empty())
    prog.add(popops::countedForLoop(graph, 0, rotations, 1, move(comeBack, numBuckets - 1),
                                    debugContext));
}

Tensor copyOf(Graph& graph, const Tensor& t, Sequence& prog, const DebugContext& debugContext) {
  const auto copy = graph.clone(t, debugContext);
  prog.add(Copy(t, copy, false, debugContext));
  return copy;
}

// A dense operand in many pieces, for instance because it is transposed, is laid out anew: else
// each of the partitions that use a piece would gather its elements one by one.
Tensor arranged(Graph& graph, const SparsePlan& plan, const Tensor& dense, Sparse orientation,
                Sequence& prog, const DebugContext& debugContext) {
  if (dense.getContiguousRegions().size() <= 2 * dense.dim(0) * plan.columnParts)
    return dense;
  const auto copy =
      createDense(graph, dense.elementType(), plan, orientation, dense.dim(1), debugContext);
  prog.add(Copy(dense, copy, false, debugContext));
  return copy;
}

void setSizes(Graph& graph, const SparsePlan& plan, const poplar::VertexRef& v,
              std::size_t partition, std::size_t columns, std::size_t part) {
  graph.setInitialValue(v["partition"], static_cast<unsigned>(partition));
  graph.setInitialValue(v["columns"], static_cast<unsigned>(columns));
  graph.setInitialValue(v["blockRows"], static_cast<unsigned>(plan.shape.blockRows));
  graph.setInitialValue(v["blockColumns"], static_cast<unsigned>(plan.shape.blockColumns));
  graph.setTileMapping(v, plan.tile(partition, part));
}

std::vector<Tensor> rowsOf(const Tensor& t) {
  std::vector<Tensor> rows;
  for (std::size_t i = 0; i != t.dim(0); ++i)
    rows.push_back(t[i]);
  return rows;
}

// Partial results, which have to be added up.
Tensor sumOf(Graph& graph, std::vector<Tensor> parts, Sequence& prog,
             const DebugContext& debugContext) {
  if (parts.size() == 1)
    return parts[0];
  for (auto& part : parts)
    part = part.expand({0});
  return popops::reduce(graph, poplar::concat(parts), poplar::FLOAT, {0},
                        popops::ReduceParams(popops::Operation::ADD), prog, {debugContext, "sum"});
}

// Dense operand as vertices take it.
Tensor checkedDense(Graph& graph, const SparsePlan& plan, const poplar::Type& type,
                    const Tensor& dense, Sparse orientation, Sequence& prog,
                    const DebugContext& debugContext) {
  checkRows(dense, orientation == Sparse::Transposed ? plan.shape.rows : plan.shape.inner,
            "dense operand");
  if (type != dense.elementType())
    throw poputil::poplibs_error("popsparse: values and dense operand are of different types");
  return arranged(graph, plan, dense, orientation, prog, {debugContext, "arranged"});
}

// Adds the products of the partitions' own data to prog, and to `visit` those of what visits them,
// if anything does. Gives one [outputs][n] for each part of what is summed over.
std::vector<Tensor> addProducts(Graph& graph, const SparsePlan& plan, const PartitionData& own,
                                const PartitionData& visiting, const Tensor& dense,
                                Sparse orientation, Sequence& prog, Sequence& visit,
                                const DebugContext& debugContext) {
  const bool transposed = orientation == Sparse::Transposed;
  const auto outParts = transposed ? plan.innerParts : plan.rowParts;
  const auto sumParts = transposed ? plan.rowParts : plan.innerParts;
  const auto ownSet = graph.addComputeSet({debugContext, "SparseDense"});
  const auto visitSet = graph.addComputeSet({debugContext, "SparseDenseVisit"});
  std::vector<Tensor> sums;
  for (std::size_t s = 0; s != sumParts; ++s) {
    std::vector<Tensor> rows;
    for (std::size_t o = 0; o != outParts; ++o) {
      const auto x = transposed ? s : o, y = transposed ? o : s;
      const auto p = x * plan.innerParts + y;
      const auto from = transposed ? plan.rows(x) : plan.inner(y);
      const auto to = transposed ? plan.inner(y) : plan.rows(x);
      std::vector<Tensor> blocks;
      for (std::size_t z = 0; z != plan.columnParts; ++z) {
        const auto columns = partOf(dense.dim(1), plan.columnParts, z);
        const auto out = graph.addVariable(poplar::FLOAT, {to.size(), columns.size()},
                                           {debugContext, "partials"});
        graph.setTileMapping(out, plan.tile(p, z));
        blocks.push_back(out);
        if (out.numElements() == 0)
          continue;
        const auto operand = dense.slice(from).slice(columns, 1).flatten();
        for (const auto* data : {&own, &visiting}) {
          if (data->meta.empty())
            continue;
          const auto v =
              graph.addVertex(data == &own ? ownSet : visitSet,
                              poputil::templateVertex("popsparse::SparseDense", dense.elementType(),
                                                      transposed, data != &own),
                              {{"meta", data->meta[p]},
                               {"nonZeros", data->values[p]},
                               {"dense", operand},
                               {"out", out.flatten()}});
          setSizes(graph, plan, v, p, columns.size(), z);
        }
      }
      rows.push_back(poplar::concat(blocks, 1));
    }
    sums.push_back(poplar::concat(rows));
  }
  prog.add(Execute(ownSet, debugContext));
  visit.add(Execute(visitSet, debugContext));
  return sums;
}

} // namespace

dynamic::SparseTensor createBuckets(Graph& graph, const poplar::Type& type, const SparsePlan& plan,
                                    const DebugContext& debugContext) {
  const auto meta = addBuckets(graph, plan, poplar::UNSIGNED_SHORT, plan.metaPerBucket(),
                               {debugContext, "metaInfo"});
  const auto values =
      addBuckets(graph, plan, type, plan.valuesPerBucket(), {debugContext, "nzValues"});
  return {meta.flatten(), values.flatten(),
          poputil::TensorMetaData(std::make_unique<PlannedOperand>(plan))};
}

Tensor createDense(Graph& graph, const poplar::Type& type, const SparsePlan& plan,
                   Sparse orientation, std::size_t n, const DebugContext& debugContext) {
  const bool transposed = orientation == Sparse::Transposed;
  const auto parts = transposed ? plan.rowParts : plan.innerParts;
  const auto users = transposed ? plan.innerParts : plan.rowParts;
  std::vector<Tensor> rows;
  for (std::size_t part = 0; part != parts; ++part) {
    const auto range = transposed ? plan.rows(part) : plan.inner(part);
    std::vector<Tensor> blocks;
    for (std::size_t z = 0; z != plan.columnParts; ++z) {
      const auto columns = partOf(n, plan.columnParts, z);
      const auto block =
          graph.addVariable(type, {range.size(), columns.size()}, {debugContext, "dense"});
      const auto flat = block.flatten();
      for (std::size_t user = 0; user != users; ++user) { // those that use it share it
        const auto share = partOf(flat.numElements(), users, user);
        const auto partition =
            transposed ? part * plan.innerParts + user : user * plan.innerParts + part;
        if (share.size())
          graph.setTileMapping(flat.slice(share), plan.tile(partition, z));
      }
      blocks.push_back(block);
    }
    rows.push_back(poplar::concat(blocks, 1));
  }
  return poplar::concat(rows);
}

Tensor multiplySettled(Graph& graph, const SparsePlan& plan, const PartitionData& sparse,
                       const Tensor& dense, Sparse orientation, Sequence& prog,
                       const DebugContext& debugContext) {
  Sequence visit;
  const auto sums = addProducts(graph, plan, sparse, {},
                                checkedDense(graph, plan, sparse.values[0].elementType(), dense,
                                             orientation, prog, debugContext),
                                orientation, prog, visit, debugContext);
  return sumOf(graph, sums, prog, debugContext);
}

Tensor multiplySparse(Graph& graph, const SparsePlan& plan, const dynamic::SparseTensor& sparse,
                      const Tensor& dense, Sparse orientation, Sequence& prog,
                      const DebugContext& debugContext) {
  const auto meta = asBuckets(plan, sparse.getMetaInfoTensor(), plan.metaPerBucket());
  const auto values = asBuckets(plan, sparse.getNzValuesTensor(), plan.valuesPerBucket());
  const PartitionData own{rowsOf(meta), rowsOf(values)};
  if (plan.numPartitions() == 1)
    return multiplySettled(graph, plan, own, dense, orientation, prog, debugContext);
  const auto visitingMeta = copyOf(graph, meta, prog, {debugContext, "visiting"});
  const auto visitingValues = copyOf(graph, values, prog, {debugContext, "visiting"});
  Sequence visit;
  const auto sums = addProducts(
      graph, plan, own, {rowsOf(visitingMeta), rowsOf(visitingValues)},
      checkedDense(graph, plan, values.elementType(), dense, orientation, prog, debugContext),
      orientation, prog, visit, debugContext);
  addVisits(graph, plan, meta, {visitingMeta, visitingValues}, {}, visit, prog,
            {debugContext, "visits"});
  return sumOf(graph, sums, prog, debugContext);
}

Tensor sparseGradient(Graph& graph, const SparsePlan& plan, const Tensor& metaInfo,
                      const Tensor& gradientsOfOutput, const Tensor& inputs, Sequence& prog,
                      const DebugContext& debugContext) {
  checkRows(gradientsOfOutput, plan.shape.rows, "gradient of the output");
  checkRows(inputs, plan.shape.inner, "input");
  if (gradientsOfOutput.dim(1) != inputs.dim(1) ||
      gradientsOfOutput.elementType() != inputs.elementType())
    throw poputil::poplibs_error("popsparse: gradients " + gradientsOfOutput.shapeToString() +
                                 " and inputs " + inputs.shapeToString() + " do not fit together");
  const auto outer =
      arranged(graph, plan, gradientsOfOutput, Sparse::Transposed, prog, {debugContext, "outer"});
  const auto inner = arranged(graph, plan, inputs, Sparse::AsIs, prog, {debugContext, "inner"});
  const auto meta = asBuckets(plan, metaInfo, plan.metaPerBucket());
  const bool travels = plan.numPartitions() > 1;
  const auto visitingMeta = travels ? copyOf(graph, meta, prog, {debugContext, "visiting"}) : meta;
  const auto own = graph.addComputeSet({debugContext, "SparseGradient"});
  const auto visit = graph.addComputeSet({debugContext, "SparseGradientVisit"});
  std::vector<Tensor> parts;
  for (std::size_t z = 0; z != plan.columnParts; ++z) {
    const auto columns = partOf(inner.dim(1), plan.columnParts, z);
    if (columns.size() == 0)
      continue;
    const auto gradients = graph.addVariable(
        poplar::FLOAT, {plan.numPartitions(), plan.valuesPerBucket()}, {debugContext, "gradient"});
    for (std::size_t p = 0; p != plan.numPartitions(); ++p) {
      graph.setTileMapping(gradients[p], plan.tile(p, z));
      const auto rows = plan.rows(p / plan.innerParts), from = plan.inner(p % plan.innerParts);
      for (const bool visiting : {false, true}) {
        if (visiting && !travels)
          continue;
        const auto v = graph.addVertex(
            visiting ? visit : own,
            poputil::templateVertex("popsparse::SparseGradient", inner.elementType(), visiting),
            {{"meta", (visiting ? visitingMeta : meta)[p]},
             {"outer", outer.slice(rows).slice(columns, 1).flatten()},
             {"inner", inner.slice(from).slice(columns, 1).flatten()},
             {"gradients", gradients[p]}});
        setSizes(graph, plan, v, p, columns.size(), z);
      }
    }
    parts.push_back(gradients);
  }
  prog.add(Execute(own, debugContext));
  if (travels) {
    auto travelling = parts;
    travelling.push_back(visitingMeta);
    addVisits(graph, plan, meta, travelling, parts, Sequence({Execute(visit, debugContext)}), prog,
              {debugContext, "visits"});
  }
  for (auto& part : parts)
    part = part.flatten();
  return sumOf(graph, parts, prog, debugContext);
}

Tensor inType(Graph& graph, const Tensor& t, const poplar::Type& type, Sequence& prog,
              const DebugContext& debugContext) {
  return t.elementType() == type ? t : popops::cast(graph, t, type, prog, debugContext);
}

} // namespace popsparse
