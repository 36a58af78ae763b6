#include "poplin/TriangularBlocks.hpp"

#include <poplar/exceptions.hpp>
#include <poplin/TriangularSolve.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>

namespace poplin {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;
using Sizes = std::vector<std::size_t>;

Tensor transposed(const Tensor& t) {
  return t.dimShufflePartial({t.rank() - 1}, {t.rank() - 2});
}

Tensor createMapped(Graph& graph, const poplar::Type& type, const Sizes& shape,
                    const DebugContext& debugContext) {
  const auto t = graph.addVariable(type, shape, debugContext);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

// Columns of a block are independent: they are spread over the tiles.
void addSolveVertices(Graph& graph, const Tensor& A, const Tensor& B, Triangle triangle,
                      Diagonal diagonal, Sequence& prog, const DebugContext& debugContext) {
  const auto numTiles = graph.getTarget().getNumTiles();
  const auto cs = graph.addComputeSet({debugContext, "Solve"});
  const auto type = poputil::templateVertex("poplin::TriangularSolveBlock", A.elementType());
  const auto groups = static_cast<unsigned>(A.dim(0));
  const auto shares =
      poputil::splitRegions({poplar::Interval(0, B.dim(2))}, 1, std::max(numTiles / groups, 1u));
  unsigned tile = 0;
  for (unsigned group = 0; group != groups; ++group)
    for (const auto& share : shares) {
      const auto v = graph.addVertex(cs, type);
      graph.connect(v["a"], A[group].flatten());
      graph.connect(v["b"], B[group].slice(share.front(), 1).flatten());
      graph.setInitialValue(v["size"], static_cast<unsigned>(A.dim(1)));
      graph.setInitialValue(v["columns"], static_cast<unsigned>(share.front().size()));
      graph.setInitialValue(v["lower"], triangle == Triangle::Lower);
      graph.setInitialValue(v["unitDiagonal"], diagonal == Diagonal::Ones);
      graph.setTileMapping(v, tile++ % numTiles);
    }
  prog.add(poplar::program::Execute(cs, debugContext));
}

} // namespace

BlockOptions::BlockOptions(const OptionFlags& options) {
  for (const auto& flag : options) {
    if (flag.first != "blockSize") {
      matMul.set(flag.first, flag.second);
      continue;
    }
    char* end = nullptr;
    blockSize = std::strtoul(flag.second.c_str(), &end, 10);
    if (blockSize == 0 || *end != '\0')
      throw poplar::invalid_option("blockSize is '" + flag.second +
                                   "'; it must be a positive integer");
  }
}

std::size_t firstBlock(std::size_t size, const BlockOptions& options) {
  const auto half = (size + 1) / 2;
  return (half + options.blockSize - 1) / options.blockSize * options.blockSize;
}

Tensor asBatch(const Tensor& t, const char* function) {
  if (t.elementType() != poplar::FLOAT && t.elementType() != poplar::HALF)
    throw poputil::poplibs_error(std::string(function) + " of " +
                                 t.elementType().toString().cloneAsString() +
                                 "; FLOAT and HALF are supported");
  if (t.rank() < 2 || t.dim(t.rank() - 1) != t.dim(t.rank() - 2))
    throw poputil::poplibs_error(std::string(function) + ": the matrix has shape " +
                                 t.shapeToString() + "; the last two dimensions must be equal");
  return t.rank() == 2 ? t.expand({0}) : t.flatten(0, t.rank() - 2);
}

void solveInPlace(Graph& graph, const Tensor& A, const Tensor& B, Triangle triangle,
                  Diagonal diagonal, Sequence& prog, const BlockOptions& options,
                  const DebugContext& debugContext) {
  const auto n = A.dim(1);
  if (n <= options.blockSize)
    return addSolveVertices(graph, A, B, triangle, diagonal, prog, debugContext);
  const auto half = firstBlock(n, options);
  const bool lower = triangle == Triangle::Lower;
  // The half that depends on nothing else, then the other without what it takes from the first.
  const poplar::Interval first = lower ? poplar::Interval(0, half) : poplar::Interval(half, n);
  const poplar::Interval second = lower ? poplar::Interval(half, n) : poplar::Interval(0, half);
  const auto X1 = B.slice(first, 1), X2 = B.slice(second, 1);
  solveInPlace(graph, A.slice(first, 1).slice(first, 2), X1, triangle, diagonal, prog, options,
               debugContext);
  matMulGroupedAcc(graph, X2, -1.0f, A.slice(second, 1).slice(first, 2), X1, prog,
                   {debugContext, "Update"}, options.matMul);
  solveInPlace(graph, A.slice(second, 1).slice(second, 2), X2, triangle, diagonal, prog, options,
               debugContext);
}

Tensor createTriangularSolveInputLHS(Graph& graph, const poplar::Type& inputType,
                                     const poplar::Type&, const Sizes& aShape, const Sizes&, bool,
                                     const DebugContext& debugContext, const OptionFlags& options,
                                     PlanningCache*) {
  BlockOptions{options};
  return createMapped(graph, inputType, aShape, debugContext);
}
Tensor createTriangularSolveInputRHS(Graph& graph, const poplar::Type& inputType,
                                     const poplar::Type&, const Sizes&, const Sizes& bShape, bool,
                                     const DebugContext& debugContext, const OptionFlags& options,
                                     PlanningCache*) {
  BlockOptions{options};
  return createMapped(graph, inputType, bShape, debugContext);
}

Tensor triangularMask(Graph& graph, const Tensor& a, bool lower, bool unitDiagonal, Sequence& prog,
                      const DebugContext& debugContext) {
  const auto n = asBatch(a, "triangularMask").dim(1);
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(a, lower, unitDiagonal));
  std::vector<unsigned char> kept(n * n);
  std::vector<float> elsewhere(n * n);
  for (std::size_t row = 0; row != n; ++row)
    for (std::size_t column = 0; column != n; ++column) {
      kept[row * n + column] =
          row == column ? !unitDiagonal : (lower ? column < row : column > row);
      elsewhere[row * n + column] = row == column && unitDiagonal ? 1.0f : 0.0f;
    }
  const auto mask = graph.addConstant<unsigned char>(poplar::BOOL, {n, n}, kept, {di, "mask"});
  const auto others = graph.addConstant<float>(a.elementType(), {n, n}, elsewhere, {di, "others"});
  poputil::mapTensorLinearly(graph, mask);
  poputil::mapTensorLinearly(graph, others);
  return popops::select(graph, a, others, mask, prog, {di});
}

Tensor triangularSolve(Graph& graph, const Tensor& a, const Tensor& b, bool leftSide, bool lower,
                       bool unitDiagonal, Sequence& prog, const DebugContext& debugContext,
                       const OptionFlags& options, PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(a, b, leftSide, lower, unitDiagonal));
  // X A = B is A^T X^T = B^T.
  const auto matrix = leftSide ? a : transposed(a);
  const auto right = leftSide ? b : transposed(b);
  const auto A = asBatch(matrix, "triangularSolve");
  auto expected = matrix.shape();
  expected.back() = right.rank() ? right.dim(right.rank() - 1) : 0;
  if (right.shape() != expected || b.elementType() != a.elementType())
    throw poputil::poplibs_error("triangularSolve: a matrix of shape " + a.shapeToString() +
                                 " does not fit a right-hand side of shape " + b.shapeToString());
  const auto x = poputil::duplicate(graph, right, prog, {di, "x"});
  const auto X = x.rank() == 2 ? x.expand({0}) : x.flatten(0, x.rank() - 2);
  solveInPlace(graph, A, X, lower == leftSide ? Triangle::Lower : Triangle::Upper,
               unitDiagonal ? Diagonal::Ones : Diagonal::OfMatrix, prog, BlockOptions(options),
               {di, "TriangularSolve"});
  const auto result = leftSide ? x : transposed(x);
  di.addOutput(result);
  return result;
}

std::vector<std::pair<MatMulParams, OptionFlags>>
blockProducts(const Sizes& shape, const OptionFlags& options,
              const std::function<MatMulParams(std::size_t, std::size_t, std::size_t)>& product) {
  const BlockOptions blocks(options);
  std::size_t groups = 1;
  for (std::size_t d = 0; d + 2 < shape.size(); ++d)
    groups *= shape[d];
  std::vector<std::pair<MatMulParams, OptionFlags>> products;
  // From the largest on, so that each size is cut once.
  std::set<std::size_t> sizes{shape.back()};
  while (!sizes.empty()) {
    const auto n = sizes.extract(std::prev(sizes.end())).value();
    if (n <= blocks.blockSize)
      continue;
    const auto first = firstBlock(n, blocks), rest = n - first;
    products.emplace_back(product(groups, first, rest), blocks.matMul);
    sizes.insert({first, rest});
  }
  return products;
}

std::vector<std::pair<MatMulParams, OptionFlags>> getTriangularSolveMatMulPrePlanParameters(
    const poplar::Type& inputType, const poplar::Type& outputType, const Sizes& aShape,
    const Sizes& bShape, bool leftSide, bool lower, const OptionFlags& options) {
  const auto columns = leftSide ? bShape.back() : bShape[bShape.size() - 2];
  return blockProducts(
      aShape, options, [&](std::size_t groups, std::size_t first, std::size_t rest) {
        const auto from = lower == leftSide ? first : rest, to = first + rest - from;
        return MatMulParams{inputType, outputType, {groups, to, from}, {groups, from, columns}};
      });
}

} // namespace poplin
