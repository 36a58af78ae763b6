#include "popsparse/MatrixForms.hpp"
#include "popsparse/SparseGraph.hpp"
#include "popsparse/StaticLayout.hpp"

#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

#include <popsparse/MatMul.hpp>

namespace popsparse {
namespace static_ {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;

struct LaidOutOperand : poputil::TensorMetaDataBase {
  explicit LaidOutOperand(StaticLayout l) : layout(std::move(l)) {}
  std::unique_ptr<TensorMetaDataBase> clone() const override {
    return std::make_unique<LaidOutOperand>(layout);
  }
  StaticLayout layout;
};

template <typename T>
StaticLayout layoutOf(const Graph& graph, const poplar::Type& type, const MatMulParams& params,
                      const CSRMatrix<T>& matrix, const OptionFlags& options) {
  checkStaticOptions(options);
  return layOutStatic(graph.getTarget(), type, params, matrix.getBlockDimensions(),
                      positionsOf(toCOO(matrix)));
}

SparseTensor createSparse(Graph& graph, const poplar::Type& type, StaticLayout layout,
                          const DebugContext& debugContext) {
  const auto& plan = layout.plan;
  const auto size = plan.shape.blockSize();
  const auto values =
      graph.addVariable(type, {layout.slots.size() * size}, {debugContext, "nzValues"});
  for (std::size_t p = 0; p != plan.numPartitions(); ++p) {
    const auto& blocks = layout.blocks[p];
    const auto own = values.slice(blocks.begin() * size, blocks.end() * size);
    for (std::size_t z = 0; z != plan.columnParts; ++z) {
      const auto share = partOf(own.numElements(), plan.columnParts, z);
      if (share.size())
        graph.setTileMapping(own.slice(share), plan.tile(p, z));
    }
  }
  return {values, poputil::TensorMetaData(std::make_unique<LaidOutOperand>(std::move(layout)))};
}

Tensor multiply(Graph& graph, const SparseTensor& sparse, const Tensor& dense, Sparse orientation,
                Sequence& prog, const DebugContext& debugContext) {
  const auto* made = dynamic_cast<const LaidOutOperand*>(sparse.getOpMetaData().getData());
  if (made == nullptr)
    throw poputil::poplibs_error("popsparse: the sparse operand was not made by a function of "
                                 "popsparse::static_");
  const auto& layout = made->layout;
  const auto size = layout.plan.shape.blockSize();
  PartitionData data;
  for (std::size_t p = 0; p != layout.plan.numPartitions(); ++p) {
    const auto& meta = layout.metaInfo[p];
    data.meta.push_back(graph.addConstant(poplar::UNSIGNED_SHORT, {meta.size()}, meta.data(),
                                          {debugContext, "metaInfo"}));
    graph.setTileMapping(data.meta.back(), layout.plan.tile(p, 0));
    data.values.push_back(sparse.getNzValuesTensor().slice(layout.blocks[p].begin() * size,
                                                           layout.blocks[p].end() * size));
  }
  const auto out =
      multiplySettled(graph, layout.plan, data, dense, orientation, prog, debugContext);
  return inType(graph, out, dense.elementType(), prog, debugContext);
}

Tensor oneGroup(const Tensor& t) {
  if (t.rank() != 3 || t.dim(0) != 1)
    throw poputil::poplibs_error("popsparse: a dense operand of shape " + t.shapeToString() +
                                 "; three dimensions, the first of one group, are legal");
  return t[0];
}

} // namespace

template <typename T>
SparseTensor createSparseDenseMatMulLHS(Graph& graph, const poplar::Type& inputType,
                                        const MatMulParams& params, const CSRMatrix<T>& matrix,
                                        const DebugContext& debugContext,
                                        const OptionFlags& options, PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  return createSparse(graph, inputType, layoutOf(graph, inputType, params, matrix, options), {di});
}
template <typename T>
SparseTensor createDenseSparseMatMulRHS(Graph& graph, const poplar::Type& inputType,
                                        const MatMulParams& params, const CSRMatrix<T>& matrix,
                                        const DebugContext& debugContext,
                                        const OptionFlags& options, PlanningCache* cache) {
  return createSparseDenseMatMulLHS(graph, inputType, params, matrix, debugContext, options, cache);
}
template <typename T>
Tensor createSparseDenseMatMulRHS(Graph& graph, const poplar::Type& inputType,
                                  const MatMulParams& params, const CSRMatrix<T>& matrix,
                                  const DebugContext& debugContext, const OptionFlags& options,
                                  PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto plan = layoutOf(graph, inputType, params, matrix, options).plan;
  return createDense(graph, inputType, plan, Sparse::AsIs, params.getN(), {di}).expand({0});
}
template <typename T>
Tensor createDenseSparseMatMulLHS(Graph& graph, const poplar::Type& inputType,
                                  const MatMulParams& params, const CSRMatrix<T>& matrix,
                                  const DebugContext& debugContext, const OptionFlags& options,
                                  PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto plan = layoutOf(graph, inputType, params, matrix, options).plan;
  return createDense(graph, inputType, plan, Sparse::Transposed, params.getN(), {di})
      .transpose()
      .expand({0});
}

Tensor sparseDenseMatMul(Graph& graph, const SparseTensor& lhs, const Tensor& rhs, Sequence& prog,
                         bool transposeLHS, bool transposeRHS, const DebugContext& debugContext,
                         const OptionFlags& options, PlanningCache*) {
  checkStaticOptions(options);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto dense = oneGroup(rhs);
  return multiply(graph, lhs, transposeRHS ? dense.transpose() : dense,
                  transposeLHS ? Sparse::Transposed : Sparse::AsIs, prog, {di})
      .expand({0});
}

// x * S = (S' * x')'.
Tensor denseSparseMatMul(Graph& graph, const Tensor& lhs, const SparseTensor& rhs, Sequence& prog,
                         bool transposeLHS, bool transposeRHS, const DebugContext& debugContext,
                         const OptionFlags& options, PlanningCache*) {
  checkStaticOptions(options);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto dense = oneGroup(lhs);
  return multiply(graph, rhs, transposeLHS ? dense : dense.transpose(),
                  transposeRHS ? Sparse::AsIs : Sparse::Transposed, prog, {di})
      .transpose()
      .expand({0});
}

template SparseTensor createSparseDenseMatMulLHS(Graph&, const poplar::Type&, const MatMulParams&,
                                                 const CSRMatrix<float>&, const DebugContext&,
                                                 const OptionFlags&, PlanningCache*);
template SparseTensor createSparseDenseMatMulLHS(Graph&, const poplar::Type&, const MatMulParams&,
                                                 const CSRMatrix<double>&, const DebugContext&,
                                                 const OptionFlags&, PlanningCache*);
template SparseTensor createDenseSparseMatMulRHS(Graph&, const poplar::Type&, const MatMulParams&,
                                                 const CSRMatrix<float>&, const DebugContext&,
                                                 const OptionFlags&, PlanningCache*);
template SparseTensor createDenseSparseMatMulRHS(Graph&, const poplar::Type&, const MatMulParams&,
                                                 const CSRMatrix<double>&, const DebugContext&,
                                                 const OptionFlags&, PlanningCache*);
template Tensor createSparseDenseMatMulRHS(Graph&, const poplar::Type&, const MatMulParams&,
                                           const CSRMatrix<float>&, const DebugContext&,
                                           const OptionFlags&, PlanningCache*);
template Tensor createSparseDenseMatMulRHS(Graph&, const poplar::Type&, const MatMulParams&,
                                           const CSRMatrix<double>&, const DebugContext&,
                                           const OptionFlags&, PlanningCache*);
template Tensor createDenseSparseMatMulLHS(Graph&, const poplar::Type&, const MatMulParams&,
                                           const CSRMatrix<float>&, const DebugContext&,
                                           const OptionFlags&, PlanningCache*);
template Tensor createDenseSparseMatMulLHS(Graph&, const poplar::Type&, const MatMulParams&,
                                           const CSRMatrix<double>&, const DebugContext&,
                                           const OptionFlags&, PlanningCache*);

} // namespace static_
} // namespace popsparse
