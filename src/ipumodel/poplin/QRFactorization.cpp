#include "poplin/FactorRows.hpp"

#include <poplar/exceptions.hpp>
#include <poplin/MatMul.hpp>
#include <poplin/experimental/QRFactorization.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Encoding.hpp>
#include <popops/Loop.hpp>
#include <popops/Reduce.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace poplin {
namespace experimental {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;
namespace pe = popops::expr;

void check(const Tensor& A, const Tensor& Q, const OptionFlags& options) {
  const auto fits =
      A.rank() == 2 && A.dim(0) >= A.dim(1) && Q.shape() == std::vector<std::size_t>(2, A.dim(0));
  if (!fits)
    throw poputil::poplibs_error("QRFactorization: A of shape " + A.shapeToString() +
                                 " and Q of shape " + Q.shapeToString() +
                                 "; they must be [M, N] and [M, M] with M >= N");
  if (A.elementType() != poplar::FLOAT || Q.elementType() != poplar::FLOAT)
    throw poputil::poplibs_error("QRFactorization: A and Q must be FLOAT");
  for (const auto& option : options)
    if (option.first != "rowsPerIteration" && option.first != "allocProperlyMappedTensors")
      throw poplar::invalid_option("QRFactorization has no option '" + option.first + "'");
}

// One of Householder's reflections: makes column k of A zero below the diagonal. `rows` counts the
// rows of A. With the column x from row k on, and alpha = -sign(x_k) |x|, the reflection is
// 1 - v v^T / (|x|^2 - alpha x_k), where v = x - alpha e_k.
Sequence reflection(Graph& graph, const Tensor& A, const Tensor& Q, const Tensor& rows,
                    const Tensor& k, const DebugContext& debugContext) {
  Sequence prog;
  const auto column = popops::dynamicSlice(graph, A, k, {1}, {1}, prog, debugContext);
  const auto x = popops::map(graph, pe::Select(pe::_1, pe::Const(0.0f), pe::_2 >= pe::_3),
                             {column, rows, k}, prog, debugContext);
  const auto square =
      popops::reduce(graph, x, {0}, popops::Operation::SQUARE_ADD, prog, debugContext);
  const auto xk = popops::dynamicSlice(graph, column, k, {0}, {1}, prog, debugContext).flatten();
  const auto alpha =
      popops::map(graph, pe::Select(-pe::Sqrt(pe::_1), pe::Sqrt(pe::_1), pe::_2 >= 0.0f),
                  {square, xk}, prog, debugContext);
  const auto v = popops::map(graph, pe::_1 - pe::Select(pe::_2, pe::Const(0.0f), pe::_3 == pe::_4),
                             {x, alpha, rows, k}, prog, debugContext);
  // A column of zeros stays as it is.
  const auto scaled = popops::map(
      graph, pe::Select(pe::_1 / (pe::_2 - pe::_3 * pe::_4), pe::Const(0.0f), pe::_2 > 0.0f),
      {v, square, alpha, xk}, prog, debugContext);

  const auto products = matMul(graph, v.transpose(), A, prog, debugContext);
  matMulAcc(graph, A, -1.0f, scaled, products, prog, debugContext);
  const auto ofQ = matMul(graph, Q, v, prog, debugContext);
  matMulAcc(graph, Q, -1.0f, ofQ, scaled.transpose(), prog, debugContext);

  // What is known is written, so that no rounding error stays below the diagonal.
  const auto finished = popops::map(
      graph,
      pe::Select(pe::_1, pe::Select(pe::_2, pe::Const(0.0f), pe::_3 == pe::_4), pe::_3 < pe::_4),
      {column, alpha, rows, k}, prog, debugContext);
  popops::dynamicUpdate(graph, A, finished, k, {1}, {1}, prog, debugContext);
  return prog;
}

} // namespace

std::array<Tensor, 2> createQRFactorizationMatrices(Graph& graph, const poplar::Type& type,
                                                    std::size_t m, std::size_t n,
                                                    const DebugContext& debugContext) {
  return {createRows(graph, type, m, n, {debugContext, "A"}),
          createRows(graph, type, m, m, {debugContext, "Q"})};
}

void QRFactorization(Graph& graph, Tensor& A, Tensor& Q, Sequence& prog,
                     const DebugContext& debugContext, const OptionFlags& options) {
  check(A, Q, options);
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(A, Q));
  const DebugContext context{di, "QRFactorization"};
  const auto steps = std::min(A.dim(0) - 1, A.dim(1));
  if (steps == 0)
    return;
  const auto rows = createRows(graph, poplar::UNSIGNED_INT, A.dim(0), 1, {context, "rows"});
  popops::iota(graph, rows.flatten(), 0u, prog, context);
  prog.add(popops::countedLoop(
      graph, steps, [&](const Tensor& k) { return reflection(graph, A, Q, rows, k, context); },
      context));
}

} // namespace experimental
} // namespace poplin
