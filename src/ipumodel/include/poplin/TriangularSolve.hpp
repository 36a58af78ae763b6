// Linear equations with triangular matrices. Dimensions before the last two are a batch. FLOAT and
// HALF. The option blockSize (default 64) is the largest block that one vertex solves; the others
// are those of matMul().
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplin/MatMul.hpp>

#include <string>
#include <utility>
#include <vector>

namespace poplin {

/// The matrix (right-hand side) of triangularSolve(), mapped to tiles. aShape is [...][N][N],
/// bShape
/// [...][N][K] if leftSide, otherwise [...][K][N].
poplar::Tensor createTriangularSolveInputLHS(poplar::Graph& graph, const poplar::Type& inputType,
                                             const poplar::Type& outputType,
                                             const std::vector<std::size_t>& aShape,
                                             const std::vector<std::size_t>& bShape, bool leftSide,
                                             const poplar::DebugContext& debugContext,
                                             const poplar::OptionFlags& options = {},
                                             PlanningCache* cache = nullptr);
poplar::Tensor createTriangularSolveInputRHS(poplar::Graph& graph, const poplar::Type& inputType,
                                             const poplar::Type& outputType,
                                             const std::vector<std::size_t>& aShape,
                                             const std::vector<std::size_t>& bShape, bool leftSide,
                                             const poplar::DebugContext& debugContext,
                                             const poplar::OptionFlags& options = {},
                                             PlanningCache* cache = nullptr);

/// A copy of `a` with zeros outside its lower (upper) triangle, and ones on the diagonal if
/// unitDiagonal.
poplar::Tensor triangularMask(poplar::Graph& graph, const poplar::Tensor& a, bool lower,
                              bool unitDiagonal, poplar::program::Sequence& prog,
                              const poplar::DebugContext& debugContext = {});

/// X with A X = B if leftSide, otherwise with X A = B, where A is the lower (upper) triangle of
/// `a`; the rest of `a` is not read, nor is its diagonal if unitDiagonal.
poplar::Tensor triangularSolve(poplar::Graph& graph, const poplar::Tensor& a,
                               const poplar::Tensor& b, bool leftSide, bool lower,
                               bool unitDiagonal, poplar::program::Sequence& prog,
                               const poplar::DebugContext& debugContext = {},
                               const poplar::OptionFlags& options = {},
                               PlanningCache* cache = nullptr);

/// The matrix products in it.
std::vector<std::pair<MatMulParams, poplar::OptionFlags>> getTriangularSolveMatMulPrePlanParameters(
    const poplar::Type& inputType, const poplar::Type& outputType,
    const std::vector<std::size_t>& aShape, const std::vector<std::size_t>& bShape, bool leftSide,
    bool lower, const poplar::OptionFlags& options);

// The same with the block size as an argument, as older programs give it.

inline poplar::OptionFlags withBlockSize(poplar::OptionFlags options, std::size_t blockSize) {
  options.set("blockSize", std::to_string(blockSize));
  return options;
}

inline poplar::Tensor createTriangularSolveInputLHS(
    poplar::Graph& graph, const poplar::Type& inputType, const poplar::Type& outputType,
    const std::vector<std::size_t>& aShape, const std::vector<std::size_t>& bShape, bool leftSide,
    std::size_t blockSize, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr) {
  return createTriangularSolveInputLHS(graph, inputType, outputType, aShape, bShape, leftSide,
                                       debugContext, withBlockSize(options, blockSize), cache);
}
inline poplar::Tensor createTriangularSolveInputRHS(
    poplar::Graph& graph, const poplar::Type& inputType, const poplar::Type& outputType,
    const std::vector<std::size_t>& aShape, const std::vector<std::size_t>& bShape, bool leftSide,
    std::size_t blockSize, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr) {
  return createTriangularSolveInputRHS(graph, inputType, outputType, aShape, bShape, leftSide,
                                       debugContext, withBlockSize(options, blockSize), cache);
}
inline poplar::Tensor
triangularSolve(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                bool leftSide, bool lower, bool unitDiagonal, std::size_t blockSize,
                poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr) {
  return triangularSolve(graph, a, b, leftSide, lower, unitDiagonal, prog, debugContext,
                         withBlockSize(options, blockSize), cache);
}
inline std::vector<std::pair<MatMulParams, poplar::OptionFlags>>
getTriangularSolveMatMulPrePlanParameters(const poplar::Type& inputType,
                                          const poplar::Type& outputType,
                                          const std::vector<std::size_t>& aShape,
                                          const std::vector<std::size_t>& bShape, bool leftSide,
                                          bool lower, std::size_t blockSize,
                                          const poplar::OptionFlags& options) {
  return getTriangularSolveMatMulPrePlanParameters(inputType, outputType, aShape, bShape, leftSide,
                                                   lower, withBlockSize(options, blockSize));
}

} // namespace poplin
