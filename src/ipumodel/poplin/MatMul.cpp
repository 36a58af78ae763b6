#include "poplin/MatMulPlan.hpp"
#include "poplin/PlanOptions.hpp"
#include "poplin/PlanningKeys.hpp"
#include "poputil/LibraryFolder.hpp"

#include <poplar/exceptions.hpp>
#include <poplin/MatMul.hpp>
#include <poplin/codelets.hpp>
#include <popops/Cast.hpp>
#include <popops/Operation.hpp>
#include <popops/ScaledAdd.hpp>
#include <popops/codelets.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VarStructure.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <ostream>

namespace poplin {
namespace {

const char kInThisLibrary = 0;

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::Type;
using poplar::program::Sequence;
using Sizes = std::vector<std::size_t>;

MatMulShape shapeOf(const Sizes& a, const Sizes& b) {
  if (a.size() != 3 || b.size() != 3 || a[0] != b[0] || a[2] != b[1]) {
    std::string text = "matMul: shapes";
    for (const auto* shape : {&a, &b}) {
      text += " {";
      for (std::size_t i = 0; i != shape->size(); ++i)
        text += (i ? "," : "") + std::to_string((*shape)[i]);
      text += "}";
    }
    throw poputil::poplibs_error(text + " (with groups first) do not fit together");
  }
  return {a[0], a[1], a[2], b[2]};
}

Sizes grouped(Sizes shape) {
  shape.insert(shape.begin(), 1);
  return shape;
}

// Part i of n elements in `parts` parts.
poplar::Interval part(std::size_t n, std::size_t parts, std::size_t i) {
  return {(i * n + parts - 1) / parts, ((i + 1) * n + parts - 1) / parts};
}

// Spreads a block over the tiles that use it.
void mapBlock(Graph& graph, const Tensor& block, const std::vector<unsigned>& tiles) {
  const auto flat = block.flatten();
  for (std::size_t i = 0; i != tiles.size(); ++i) {
    const auto share = part(flat.numElements(), tiles.size(), i);
    if (share.size())
      graph.setTileMapping(flat.slice(share), tiles[i]);
  }
}

enum class Side { Left, Right };

Tensor createInput(Graph& graph, const Type& type, const Sizes& aShape, const Sizes& bShape,
                   Side side, const DebugContext& debugContext, const OptionFlags& options) {
  checkMatMulOptions(options);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto shape = shapeOf(aShape, bShape);
  const auto plan = planMatMul(graph.getTarget(), type, shape);
  const auto numTiles = graph.getTarget().getNumTiles();
  const Sizes parts = side == Side::Left ? Sizes{shape.groups, plan.rowParts, plan.innerParts}
                                         : Sizes{shape.groups, plan.innerParts, plan.columnParts};
  const auto t = poputil::createPartitionableTensor(
      graph, type, side == Side::Left ? aShape : bShape, parts, {di});
  poputil::iterateTensorPartitions(t, parts, [&](const Sizes& i, const Tensor& block) {
    std::vector<unsigned> users;
    if (side == Side::Left)
      for (std::size_t column = 0; column != plan.columnParts; ++column)
        users.push_back(plan.tile(i[0], i[1], i[2], column, numTiles));
    else
      for (std::size_t row = 0; row != plan.rowParts; ++row)
        users.push_back(plan.tile(i[0], row, i[1], i[2], numTiles));
    mapBlock(graph, block, users);
  });
  return t;
}

Tensor createOutput(Graph& graph, const Type& inputType, const Type& outputType,
                    const Sizes& aShape, const Sizes& bShape, const DebugContext& debugContext) {
  const auto shape = shapeOf(aShape, bShape);
  const auto plan = planMatMul(graph.getTarget(), inputType, shape);
  const auto numTiles = graph.getTarget().getNumTiles();
  const Sizes parts{shape.groups, plan.rowParts, plan.columnParts};
  const auto t = poputil::createPartitionableTensor(
      graph, outputType, {shape.groups, shape.rows, shape.columns}, parts, debugContext);
  poputil::iterateTensorPartitions(t, parts, [&](const Sizes& i, const Tensor& block) {
    std::vector<unsigned> tiles;
    for (std::size_t inner = 0; inner != plan.innerParts; ++inner)
      tiles.push_back(plan.tile(i[0], i[1], inner, i[2], numTiles));
    mapBlock(graph, block, tiles);
  });
  return t;
}

// An operand whose blocks lie in pieces, for instance because it is transposed, is laid out anew
// when each block serves several tiles: moving single elements is dear, and so happens once.
Tensor arranged(Graph& graph, const Tensor& t, const Sizes& aShape, const Sizes& bShape, Side side,
                const MatMulPlan& plan, Sequence& prog, const DebugContext& debugContext) {
  const bool isLeft = side == Side::Left;
  const auto users = isLeft ? plan.columnParts : plan.rowParts;
  const auto rowsOfBlocks = t.dim(0) * t.dim(1) * (isLeft ? plan.innerParts : plan.columnParts);
  if (users == 1 || t.getContiguousRegions().size() <= 2 * rowsOfBlocks)
    return t;
  const auto copy = createInput(graph, t.elementType(), aShape, bShape, side, debugContext, {});
  prog.add(poplar::program::Copy(t, copy, false, debugContext));
  return copy;
}

void multiply(Graph& graph, const Tensor& left, const Tensor& right, const Tensor& out,
              Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  checkMatMulOptions(options);
  if (left.hasMetadata() && right.hasMetadata()) { // products of QUARTER are exact in FLOAT
    const auto a = popops::cast(graph, left, poplar::FLOAT, prog, debugContext);
    const auto b = popops::cast(graph, right, poplar::FLOAT, prog, debugContext);
    return multiply(graph, a, b, out, prog, debugContext, options);
  }
  const auto inputType = left.elementType();
  if (inputType != right.elementType() || (inputType != poplar::FLOAT && inputType != poplar::HALF))
    throw poputil::poplibs_error("matMul: operands of types " +
                                 inputType.toString().cloneAsString() + " and " +
                                 right.elementType().toString().cloneAsString() +
                                 "; both FLOAT, both HALF or both QUARTER are legal");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto shape = shapeOf(left.shape(), right.shape());
  const auto numTiles = graph.getTarget().getNumTiles();
  const auto plan = planMatMul(graph.getTarget(), inputType, shape);
  const auto rearranged = [&](const Tensor& t, Side side) {
    return arranged(graph, t, left.shape(), right.shape(), side, plan, prog, {di, "arranged"});
  };
  const auto A = rearranged(left, Side::Left), B = rearranged(right, Side::Right);
  const bool summed = plan.innerParts > 1;
  const auto cs = graph.addComputeSet({di, "MatMul"});

  // Each block serves several vertices; it is cut out once.
  const auto blocksOf = [](const Tensor& t, const Sizes& parts) {
    std::vector<Tensor> blocks;
    poputil::iterateTensorPartitions(
        t, parts, [&](const Sizes&, const Tensor& block) { blocks.push_back(block.flatten()); });
    return blocks;
  };
  const auto blocksOfA = blocksOf(A, {shape.groups, plan.rowParts, plan.innerParts});
  const auto blocksOfB = blocksOf(B, {shape.groups, plan.innerParts, plan.columnParts});

  const auto reduceCs = summed ? graph.addComputeSet({di, "Reduce"}) : cs;
  const Sizes outParts{shape.groups, plan.rowParts, plan.columnParts};
  poputil::iterateTensorPartitions(out, outParts, [&](const Sizes& i, const Tensor& block) {
    const auto n = block.numElements();
    if (n == 0)
      return;
    const auto flat = block.flatten();
    std::vector<Tensor> partials;
    std::vector<unsigned> tiles;
    for (std::size_t inner = 0; inner != plan.innerParts; ++inner) {
      const auto& a = blocksOfA[(i[0] * plan.rowParts + i[1]) * plan.innerParts + inner];
      const auto& b = blocksOfB[(i[0] * plan.innerParts + inner) * plan.columnParts + i[2]];
      if (a.numElements() == 0 && shape.inner != 0)
        continue; // where the inner dimension has fewer pieces than parts
      tiles.push_back(plan.tile(i[0], i[1], inner, i[2], numTiles));
      auto result = flat;
      if (summed) {
        result = graph.addVariable(poplar::FLOAT, {n}, {di, "partials"});
        graph.setTileMapping(result, tiles.back());
        partials.push_back(result.expand({0}));
      }
      const auto v = graph.addVertex(
          cs, poputil::templateVertex("poplin::MatMulBlock", inputType, result.elementType()),
          {{"a", a}, {"b", b}, {"out", result}});
      graph.setInitialValue(v["rows"], static_cast<unsigned>(block.dim(1)));
      graph.setInitialValue(v["columns"], static_cast<unsigned>(block.dim(2)));
      graph.setInitialValue(v["inner"], static_cast<unsigned>(a.numElements() / block.dim(1)));
      graph.setTileMapping(v, tiles.back());
    }
    // The tiles of a block share the sum of its partial products.
    for (std::size_t w = 0; summed && w != tiles.size(); ++w) {
      const auto share = part(n, tiles.size(), w);
      if (share.size() == 0)
        continue;
      const auto v = graph.addVertex(
          reduceCs,
          poputil::templateVertex("popops::ReduceColumns", poplar::FLOAT, out.elementType()),
          {{"in", poplar::concat(partials).slice(share, 1).flatten()}, {"out", flat.slice(share)}});
      graph.setInitialValue(v["op"], static_cast<unsigned char>(popops::Operation::ADD));
      graph.setTileMapping(v, tiles[w]);
    }
  });
  prog.add(poplar::program::Execute(cs, {di}));
  if (summed)
    prog.add(poplar::program::Execute(reduceCs, {di}));
}

Tensor product(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog, const Type& type,
               const DebugContext& debugContext, const OptionFlags& options) {
  const auto out = createOutput(graph, A.elementType(), type, A.shape(), B.shape(), debugContext);
  multiply(graph, A, B, out, prog, debugContext, options);
  return out;
}

} // namespace

void addCodelets(Graph& graph) {
  popops::addCodelets(graph);
  if (!graph.hasCodelet("poplin::MatMulBlock<float,float>"))
    graph.addCodelets(poputil::libraryFolder(&kInThisLibrary) + "poplin_codelets.gp");
}

Tensor matMulGrouped(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog,
                     const Type& outputType, const DebugContext& debugContext,
                     const OptionFlags& options, PlanningCache*) {
  return product(graph, A, B, prog, outputType, debugContext, options);
}
void matMulGroupedWithOutput(Graph& graph, const Tensor& A, const Tensor& B, Tensor& out,
                             Sequence& prog, const DebugContext& debugContext,
                             const OptionFlags& options, PlanningCache*) {
  if (!out.intersectsWith(A) && !out.intersectsWith(B))
    return multiply(graph, A, B, out, prog, debugContext, options);
  const auto beside = product(graph, A, B, prog, out.elementType(), debugContext, options);
  prog.add(poplar::program::Copy(beside, out, false, debugContext));
}
Tensor matMul(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog,
              const Type& outputType, const DebugContext& debugContext, const OptionFlags& options,
              PlanningCache*) {
  return product(graph, A.expand({0}), B.expand({0}), prog, outputType, debugContext, options)[0];
}
Tensor matMul(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog,
              const DebugContext& debugContext, const OptionFlags& options, PlanningCache* cache) {
  return matMul(graph, A, B, prog, A.elementType(), debugContext, options, cache);
}
void matMulWithOutput(Graph& graph, const Tensor& A, const Tensor& B, Tensor& out, Sequence& prog,
                      const DebugContext& debugContext, const OptionFlags& options,
                      PlanningCache* cache) {
  Tensor group = out.expand({0});
  matMulGroupedWithOutput(graph, A.expand({0}), B.expand({0}), group, prog, debugContext, options,
                          cache);
}

void matMulGroupedAcc(Graph& graph, const Tensor& C, float k, const Tensor& A, const Tensor& B,
                      Sequence& prog, const DebugContext& debugContext, const OptionFlags& options,
                      PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto ab = product(graph, A, B, prog, C.elementType(), {di}, options);
  popops::scaledAddTo(graph, C, ab, k, prog, {di});
}
void matMulGroupedAcc(Graph& graph, const Tensor& C, const Tensor& k, const Tensor& A,
                      const Tensor& B, Sequence& prog, const DebugContext& debugContext,
                      const OptionFlags& options, PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto ab = product(graph, A, B, prog, C.elementType(), {di}, options);
  popops::scaledAddTo(graph, C, ab, k, prog, {di});
}
void matMulAcc(Graph& graph, const Tensor& C, float k, const Tensor& A, const Tensor& B,
               Sequence& prog, const DebugContext& debugContext, const OptionFlags& options,
               PlanningCache* cache) {
  matMulGroupedAcc(graph, C.expand({0}), k, A.expand({0}), B.expand({0}), prog, debugContext,
                   options, cache);
}
void matMulAcc(Graph& graph, const Tensor& C, const Tensor& k, const Tensor& A, const Tensor& B,
               Sequence& prog, const DebugContext& debugContext, const OptionFlags& options,
               PlanningCache* cache) {
  matMulGroupedAcc(graph, C.expand({0}), k, A.expand({0}), B.expand({0}), prog, debugContext,
                   options, cache);
}

Tensor createMatMulGroupedInputLHS(Graph& graph, const Type& inputType, const Type&,
                                   const Sizes& aShape, const Sizes& bShape,
                                   const DebugContext& debugContext, const OptionFlags& options,
                                   PlanningCache*) {
  return createInput(graph, inputType, aShape, bShape, Side::Left, debugContext, options);
}
Tensor createMatMulGroupedInputRHS(Graph& graph, const Type& inputType, const Type&,
                                   const Sizes& aShape, const Sizes& bShape,
                                   const DebugContext& debugContext, const OptionFlags& options,
                                   PlanningCache*) {
  return createInput(graph, inputType, aShape, bShape, Side::Right, debugContext, options);
}
Tensor createMatMulGroupedOutput(Graph& graph, const Type& inputType, const Type& outputType,
                                 const Sizes& aShape, const Sizes& bShape,
                                 const DebugContext& debugContext, const OptionFlags& options,
                                 PlanningCache*) {
  checkMatMulOptions(options);
  return createOutput(graph, inputType, outputType, aShape, bShape, debugContext);
}
Tensor createMatMulInputLHS(Graph& graph, const Type& inputType, const Type& outputType,
                            const Sizes& aShape, const Sizes& bShape,
                            const DebugContext& debugContext, const OptionFlags& options,
                            PlanningCache* cache) {
  return createMatMulGroupedInputLHS(graph, inputType, outputType, grouped(aShape), grouped(bShape),
                                     debugContext, options, cache)[0];
}
Tensor createMatMulInputLHS(Graph& graph, const Type& dataType, const Sizes& aShape,
                            const Sizes& bShape, const DebugContext& debugContext,
                            const OptionFlags& options, PlanningCache* cache) {
  return createMatMulInputLHS(graph, dataType, dataType, aShape, bShape, debugContext, options,
                              cache);
}
Tensor createMatMulInputRHS(Graph& graph, const Type& inputType, const Type& outputType,
                            const Sizes& aShape, const Sizes& bShape,
                            const DebugContext& debugContext, const OptionFlags& options,
                            PlanningCache* cache) {
  return createMatMulGroupedInputRHS(graph, inputType, outputType, grouped(aShape), grouped(bShape),
                                     debugContext, options, cache)[0];
}
Tensor createMatMulInputRHS(Graph& graph, const Type& dataType, const Sizes& aShape,
                            const Sizes& bShape, const DebugContext& debugContext,
                            const OptionFlags& options, PlanningCache* cache) {
  return createMatMulInputRHS(graph, dataType, dataType, aShape, bShape, debugContext, options,
                              cache);
}
Tensor createMatMulOutput(Graph& graph, const Type& inputType, const Type& outputType,
                          const Sizes& aShape, const Sizes& bShape,
                          const DebugContext& debugContext, const OptionFlags& options,
                          PlanningCache* cache) {
  return createMatMulGroupedOutput(graph, inputType, outputType, grouped(aShape), grouped(bShape),
                                   debugContext, options, cache)[0];
}

Tensor preArrangeMatMulGroupedInputRHS(Graph& graph, const Sizes& aShape, const Tensor& B,
                                       Sequence& prog, const Type& outputType,
                                       const DebugContext& debugContext, const OptionFlags& options,
                                       PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto arranged = createMatMulGroupedInputRHS(graph, B.elementType(), outputType, aShape,
                                                    B.shape(), {di, "rhs"}, options, cache);
  prog.add(poplar::program::Copy(B, arranged, false, {di}));
  return arranged;
}
Tensor preArrangeMatMulInputRHS(Graph& graph, const Sizes& aShape, const Tensor& B, Sequence& prog,
                                const Type& outputType, const DebugContext& debugContext,
                                const OptionFlags& options, PlanningCache* cache) {
  return preArrangeMatMulGroupedInputRHS(graph, grouped(aShape), B.expand({0}), prog, outputType,
                                         debugContext, options, cache)[0];
}
Tensor preArrangeMatMulInputRHS(Graph& graph, const Sizes& aShape, const Tensor& B, Sequence& prog,
                                const DebugContext& debugContext, const OptionFlags& options,
                                PlanningCache* cache) {
  return preArrangeMatMulInputRHS(graph, aShape, B, prog, B.elementType(), debugContext, options,
                                  cache);
}

void preplanMatMuls(const std::set<MatMulPlanParams>& matmuls, PlanningCache& cache) {
  for (const auto& [target, params, options] : matmuls) {
    checkMatMulOptions(*options);
    cache.add(describe(params, *options));
  }
}

void matMulReportPlan(std::ostream& out, const Graph& graph, const Type& inputType, const Type&,
                      const Sizes& aShape, const Sizes& bShape, const OptionFlags& options,
                      PlanningCache*) {
  checkMatMulOptions(options);
  const auto shape = shapeOf(aShape.size() == 2 ? grouped(aShape) : aShape,
                             bShape.size() == 2 ? grouped(bShape) : bShape);
  const auto plan = planMatMul(graph.getTarget(), inputType, shape);
  out << "Matrix product of " << shape.groups << " x [" << shape.rows << ", " << shape.inner
      << "] x [" << shape.inner << ", " << shape.columns << "]: " << plan.rowParts << " x "
      << plan.innerParts << " x " << plan.columnParts << " parts, " << plan.tilesUsed()
      << " tiles a group, estimated cycles " << plan.cycles << "\n";
}

void matMulGroupedReportPlan(std::ostream& out, const Graph& graph, const Type& inputType,
                             const Type& outputType, const Sizes& aShape, const Sizes& bShape,
                             const OptionFlags& options, PlanningCache* cache) {
  matMulReportPlan(out, graph, inputType, outputType, aShape, bShape, options, cache);
}

Tensor transposeGroupedMatrix(const Tensor& A) {
  return A.dimShuffle({0, 2, 1});
}

} // namespace poplin
