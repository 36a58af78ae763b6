// Cholesky factors of symmetric positive definite matrices. Dimensions before the last two are a
// batch. FLOAT and HALF. Options: blockSize (default 64), and those of matMul().
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplin/MatMul.hpp>

#include <utility>
#include <vector>

namespace poplin {

/// A tensor of that shape, [...][N][N], mapped to tiles.
poplar::Tensor createCholeskyInput(poplar::Graph& graph, const poplar::Type& type,
                                   const std::vector<std::size_t>& shape, bool lower,
                                   const poplar::DebugContext& debugContext,
                                   const poplar::OptionFlags& options = {},
                                   PlanningCache* cache = nullptr);

/// L with a = L L^T if lower, otherwise U with a = U^T U. The other triangle is zero.
poplar::Tensor cholesky(poplar::Graph& graph, const poplar::Tensor& a, bool lower,
                        poplar::program::Sequence& prog,
                        const poplar::DebugContext& debugContext = {},
                        poplar::OptionFlags options = {}, PlanningCache* cache = nullptr);
void choleskyInPlace(poplar::Graph& graph, const poplar::Tensor& a, bool lower,
                     poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                     poplar::OptionFlags options = {}, PlanningCache* cache = nullptr);

/// The matrix products in it.
std::vector<std::pair<MatMulParams, poplar::OptionFlags>>
getCholeskyMatMulPrePlanParameters(const poplar::Type& type, const std::vector<std::size_t>& shape,
                                   bool lower, poplar::OptionFlags options);

} // namespace poplin
