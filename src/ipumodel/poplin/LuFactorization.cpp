#include "poplin/FactorRows.hpp"

#include <poplin/MatMul.hpp>
#include <poplin/experimental/LuFactorization.hpp>
#include <popops/Cast.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Encoding.hpp>
#include <popops/Loop.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace poplin {
namespace experimental {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;
namespace pe = popops::expr;

// Takes row k of U, times what makes their column k zero, from the rows below it; the factors are
// column k of L. `rows` counts the rows.
Sequence elimination(Graph& graph, const Tensor& L, const Tensor& U, const Tensor& rows,
                     const Tensor& k, const DebugContext& debugContext) {
  Sequence prog;
  const auto column = popops::dynamicSlice(graph, U, k, {1}, {1}, prog, debugContext);
  const auto row = popops::dynamicSlice(graph, U, k, {0}, {1}, prog, debugContext);
  const auto pivot = popops::dynamicSlice(graph, column, k, {0}, {1}, prog, debugContext).flatten();
  const auto factors =
      popops::map(graph, pe::Select(pe::_1 / pe::_2, pe::Const(0.0f), pe::_3 > pe::_4),
                  {column, pivot, rows, k}, prog, debugContext);
  matMulAcc(graph, U, -1.0f, factors, row, prog, debugContext);

  // What is known is written, so that no rounding error stays below the diagonal.
  const auto finished = popops::map(graph, pe::Select(pe::_1, pe::Const(0.0f), pe::_2 <= pe::_3),
                                    {column, rows, k}, prog, debugContext);
  popops::dynamicUpdate(graph, U, finished, k, {1}, {1}, prog, debugContext);
  const auto ofL = popops::map(graph, pe::Select(pe::Const(1.0f), pe::_1, pe::_2 == pe::_3),
                               {factors, rows, k}, prog, debugContext);
  popops::dynamicUpdate(graph, L, ofL, k, {1}, {1}, prog, debugContext);
  return prog;
}

} // namespace

std::pair<Tensor, Tensor> LUFactorization(Graph& graph, Tensor& input, Sequence& seq,
                                          const DebugContext& debugContext) {
  if (input.rank() != 2 || input.numElements() == 0)
    throw poputil::poplibs_error("LUFactorization: input of shape " + input.shapeToString() +
                                 "; it must be [M, N]");
  if (input.elementType() != poplar::FLOAT && input.elementType() != poplar::HALF)
    throw poputil::poplibs_error("LUFactorization: input must be FLOAT or HALF");
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(input));
  const DebugContext context{di, "LUFactorization"};
  const auto m = input.dim(0), n = input.dim(1);

  const auto L = createRows(graph, poplar::FLOAT, m, m, {context, "L"});
  const auto U = createRows(graph, poplar::FLOAT, m, n, {context, "U"});
  if (input.elementType() == poplar::FLOAT)
    seq.add(poplar::program::Copy(input, U, false, context));
  else
    seq.add(popops::cast(graph, input, U, context));
  const auto rows = createRows(graph, poplar::UNSIGNED_INT, m, 1, {context, "rows"});
  popops::iota(graph, rows.flatten(), 0u, seq, context);
  const auto columns = graph.addVariable(poplar::UNSIGNED_INT, {1, m}, {context, "columns"});
  poputil::mapTensorLinearly(graph, columns);
  seq.add(poplar::program::Copy(rows.flatten(), columns.flatten(), false, context));
  // Columns of L that no elimination writes, where there are more rows than columns, are the
  // identity's.
  popops::mapWithOutput(graph, pe::Select(pe::Const(1.0f), pe::Const(0.0f), pe::_1 == pe::_2),
                        {rows, columns}, L, seq, context);
  seq.add(popops::countedLoop(
      graph, std::min(m, n),
      [&](const Tensor& k) { return elimination(graph, L, U, rows, k, context); }, context));
  return {L, U};
}

} // namespace experimental
} // namespace poplin
