// Products of a sparse and a dense matrix.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>

#include <popsparse/PlanningCache.hpp>
#include <popsparse/SparseStorageFormats.hpp>
#include <popsparse/SparseTensor.hpp>

namespace popsparse {
namespace dynamic {

class MatMulParams;

/// [m][k], for createSparsityDataImpl of a Partitioner to fill. Options: those of
/// createFullyConnectedWeights.
SparseTensor createSparseDenseMatMulLHS(poplar::Graph& graph, const poplar::Type& inputType,
                                        const MatMulParams& params,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {},
                                        PlanningCache* cache = nullptr);
/// [groups][k][n].
poplar::Tensor createSparseDenseMatMulRHS(poplar::Graph& graph, const poplar::Type& inputType,
                                          const MatMulParams& params,
                                          const poplar::DebugContext& debugContext = {},
                                          const poplar::OptionFlags& options = {},
                                          PlanningCache* cache = nullptr);
/// [groups][m][n] of an lhs made above and an rhs [groups][k][n]; with transposeLHS [groups][k][n]
/// of an rhs [groups][m][n]. transposeRHS: the last two dimensions of the rhs are swapped.
poplar::Tensor sparseDenseMatMul(poplar::Graph& graph, const SparseTensor& lhs,
                                 const poplar::Tensor& rhs, poplar::program::Sequence& prog,
                                 bool transposeLHS = false, bool transposeRHS = false,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {},
                                 PlanningCache* cache = nullptr);

} // namespace dynamic

namespace static_ {

class MatMulParams;

/// The sparse operand, with values where `matrix` has blocks; T is float or double. Option:
/// availableMemoryProportion, which has no effect. One group; FLOAT and HALF.
template <typename T>
SparseTensor createSparseDenseMatMulLHS(poplar::Graph& graph, const poplar::Type& inputType,
                                        const MatMulParams& params, const CSRMatrix<T>& matrix,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {},
                                        PlanningCache* cache = nullptr);
template <typename T>
SparseTensor createDenseSparseMatMulRHS(poplar::Graph& graph, const poplar::Type& inputType,
                                        const MatMulParams& params, const CSRMatrix<T>& matrix,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {},
                                        PlanningCache* cache = nullptr);
/// The dense operand: [groups][k][n], and [groups][n][k].
template <typename T>
poplar::Tensor createSparseDenseMatMulRHS(poplar::Graph& graph, const poplar::Type& inputType,
                                          const MatMulParams& params, const CSRMatrix<T>& matrix,
                                          const poplar::DebugContext& debugContext = {},
                                          const poplar::OptionFlags& options = {},
                                          PlanningCache* cache = nullptr);
template <typename T>
poplar::Tensor createDenseSparseMatMulLHS(poplar::Graph& graph, const poplar::Type& inputType,
                                          const MatMulParams& params, const CSRMatrix<T>& matrix,
                                          const poplar::DebugContext& debugContext = {},
                                          const poplar::OptionFlags& options = {},
                                          PlanningCache* cache = nullptr);

/// As dynamic::sparseDenseMatMul.
poplar::Tensor sparseDenseMatMul(poplar::Graph& graph, const SparseTensor& lhs,
                                 const poplar::Tensor& rhs, poplar::program::Sequence& prog,
                                 bool transposeLHS = false, bool transposeRHS = false,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {},
                                 PlanningCache* cache = nullptr);
/// [groups][n][m] of [groups][n][k] and a sparse [groups][k][m].
poplar::Tensor denseSparseMatMul(poplar::Graph& graph, const poplar::Tensor& lhs,
                                 const SparseTensor& rhs, poplar::program::Sequence& prog,
                                 bool transposeLHS = false, bool transposeRHS = false,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {},
                                 PlanningCache* cache = nullptr);

} // namespace static_
} // namespace popsparse
