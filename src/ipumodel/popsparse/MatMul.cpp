#include "popsparse/SparseGraph.hpp"

#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

#include <popsparse/MatMul.hpp>
#include <popsparse/MatMulParams.hpp>

namespace popsparse {
namespace dynamic {

SparseTensor createSparseDenseMatMulLHS(poplar::Graph& graph, const poplar::Type& inputType,
                                        const MatMulParams& params,
                                        const poplar::DebugContext& debugContext,
                                        const poplar::OptionFlags& options, PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  return createBuckets(graph, inputType, planSparse(graph.getTarget(), inputType, params, options),
                       {di});
}

poplar::Tensor createSparseDenseMatMulRHS(poplar::Graph& graph, const poplar::Type& inputType,
                                          const MatMulParams& params,
                                          const poplar::DebugContext& debugContext,
                                          const poplar::OptionFlags& options, PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto plan = planSparse(graph.getTarget(), inputType, params, options);
  return createDense(graph, inputType, plan, Sparse::AsIs, plan.shape.columns, {di}).expand({0});
}

poplar::Tensor sparseDenseMatMul(poplar::Graph& graph, const SparseTensor& lhs,
                                 const poplar::Tensor& rhs, poplar::program::Sequence& prog,
                                 bool transposeLHS, bool transposeRHS,
                                 const poplar::DebugContext& debugContext,
                                 const poplar::OptionFlags&, PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto* made = dynamic_cast<const PlannedOperand*>(lhs.getOpMetaData().getData());
  if (made == nullptr)
    throw poputil::poplibs_error("sparseDenseMatMul: the left operand was not made by "
                                 "createSparseDenseMatMulLHS");
  if (rhs.rank() != 3 || rhs.dim(0) != 1)
    throw poputil::poplibs_error("sparseDenseMatMul: a right operand of shape " +
                                 rhs.shapeToString() + "; [1][k][n] is legal");
  const auto out =
      multiplySparse(graph, made->plan, lhs, transposeRHS ? rhs[0].transpose() : rhs[0],
                     transposeLHS ? Sparse::Transposed : Sparse::AsIs, prog, {di});
  return inType(graph, out, rhs.elementType(), prog, {di}).expand({0});
}

} // namespace dynamic
} // namespace popsparse
