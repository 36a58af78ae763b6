// Matrix products, tiled over the machine.
//
// A product of [M, K] and [K, N] is cut into blocks; each tile multiplies a block of rows of A with
// a block of columns of B over a part of K, and parts of K are summed afterwards. Sums are FLOAT;
// the result is rounded once to the output type. FLOAT and HALF.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplin/PlanningCache.hpp>

#include <iosfwd>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

namespace poplin {
/// A times B. Options: fullyConnectedPass, partialsType, availableMemoryProportion,
/// inputRHSIsPreArranged, use128BitConvUnitLoad, enableMultiStageReduce, enableFastReduce,
/// enableSingleInputReduce, remapOutputTensor, partialsType, planConstraints, gatherConvOutput;
/// only their names are checked.
poplar::Tensor matMul(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,
                      poplar::program::Sequence& prog, const poplar::Type& outputType,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
poplar::Tensor matMul(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
void matMulWithOutput(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,
                      poplar::Tensor& out, poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

/// C += k * A * B.
void matMulAcc(poplar::Graph& graph, const poplar::Tensor& C, float k, const poplar::Tensor& A,
               const poplar::Tensor& B, poplar::program::Sequence& prog,
               const poplar::DebugContext& debugContext = {},
               const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
void matMulAcc(poplar::Graph& graph, const poplar::Tensor& C, const poplar::Tensor& k,
               const poplar::Tensor& A, const poplar::Tensor& B, poplar::program::Sequence& prog,
               const poplar::DebugContext& debugContext = {},
               const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

/// For each g: A[g] times B[g], in parallel.
poplar::Tensor matMulGrouped(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,
                             poplar::program::Sequence& prog, const poplar::Type& outputType,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);
void matMulGroupedWithOutput(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,
                             poplar::Tensor& out, poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);
void matMulGroupedAcc(poplar::Graph& graph, const poplar::Tensor& C, const poplar::Tensor& k,
                      const poplar::Tensor& A, const poplar::Tensor& B,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
void matMulGroupedAcc(poplar::Graph& graph, const poplar::Tensor& C, float k,
                      const poplar::Tensor& A, const poplar::Tensor& B,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

/// Tensors laid out for a product of those shapes: each element on a tile that uses it.
poplar::Tensor createMatMulInputLHS(poplar::Graph& graph, const poplar::Type& inputType,
                                    const poplar::Type& outputType,
                                    const std::vector<std::size_t>& aShape,
                                    const std::vector<std::size_t>& bShape,
                                    const poplar::DebugContext& debugContext,
                                    const poplar::OptionFlags& options = {},
                                    PlanningCache* cache = nullptr);
poplar::Tensor createMatMulInputLHS(poplar::Graph& graph, const poplar::Type& dataType,
                                    const std::vector<std::size_t>& aShape,
                                    const std::vector<std::size_t>& bShape,
                                    const poplar::DebugContext& debugContext,
                                    const poplar::OptionFlags& options = {},
                                    PlanningCache* cache = nullptr);
poplar::Tensor createMatMulInputRHS(poplar::Graph& graph, const poplar::Type& inputType,
                                    const poplar::Type& outputType,
                                    const std::vector<std::size_t>& aShape,
                                    const std::vector<std::size_t>& bShape,
                                    const poplar::DebugContext& debugContext,
                                    const poplar::OptionFlags& options = {},
                                    PlanningCache* cache = nullptr);
poplar::Tensor createMatMulInputRHS(poplar::Graph& graph, const poplar::Type& dataType,
                                    const std::vector<std::size_t>& aShape,
                                    const std::vector<std::size_t>& bShape,
                                    const poplar::DebugContext& debugContext,
                                    const poplar::OptionFlags& options = {},
                                    PlanningCache* cache = nullptr);
poplar::Tensor
createMatMulOutput(poplar::Graph& graph, const poplar::Type& inputType,
                   const poplar::Type& outputType, const std::vector<std::size_t>& aShape,
                   const std::vector<std::size_t>& bShape, const poplar::DebugContext& debugContext,
                   const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
poplar::Tensor createMatMulGroupedInputLHS(poplar::Graph& graph, const poplar::Type& inputType,
                                           const poplar::Type& outputType,
                                           const std::vector<std::size_t>& aShape,
                                           const std::vector<std::size_t>& bShape,
                                           const poplar::DebugContext& debugContext,
                                           const poplar::OptionFlags& options = {},
                                           PlanningCache* cache = nullptr);
poplar::Tensor createMatMulGroupedInputRHS(poplar::Graph& graph, const poplar::Type& inputType,
                                           const poplar::Type& outputType,
                                           const std::vector<std::size_t>& aShape,
                                           const std::vector<std::size_t>& bShape,
                                           const poplar::DebugContext& debugContext,
                                           const poplar::OptionFlags& options = {},
                                           PlanningCache* cache = nullptr);
poplar::Tensor createMatMulGroupedOutput(poplar::Graph& graph, const poplar::Type& inputType,
                                         const poplar::Type& outputType,
                                         const std::vector<std::size_t>& aShape,
                                         const std::vector<std::size_t>& bShape,
                                         const poplar::DebugContext& debugContext,
                                         const poplar::OptionFlags& options = {},
                                         PlanningCache* cache = nullptr);

/// B copied to a tensor that createMatMulInputRHS would make for it.
poplar::Tensor preArrangeMatMulInputRHS(poplar::Graph& graph,
                                        const std::vector<std::size_t>& aShape,
                                        const poplar::Tensor& B, poplar::program::Sequence& prog,
                                        const poplar::Type& outputType,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {},
                                        PlanningCache* cache = nullptr);
poplar::Tensor preArrangeMatMulInputRHS(poplar::Graph& graph,
                                        const std::vector<std::size_t>& aShape,
                                        const poplar::Tensor& B, poplar::program::Sequence& prog,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {},
                                        PlanningCache* cache = nullptr);
poplar::Tensor preArrangeMatMulGroupedInputRHS(
    poplar::Graph& graph, const std::vector<std::size_t>& aShape, const poplar::Tensor& B,
    poplar::program::Sequence& prog, const poplar::Type& outputType,
    const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {},
    PlanningCache* cache = nullptr);

/// What to plan in advance. Plans are made when they are needed, so that preplanMatMuls() only
/// checks options.
struct MatMulParams {
  poplar::Type inputType;
  poplar::Type outputType;
  std::vector<std::size_t> aShape;
  std::vector<std::size_t> bShape;
  friend bool operator<(const MatMulParams& a, const MatMulParams& b) {
    return std::tie(a.inputType, a.outputType, a.aShape, a.bShape) <
           std::tie(b.inputType, b.outputType, b.aShape, b.bShape);
  }
};
using MatMulPlanParams =
    std::tuple<const poplar::Target*, const MatMulParams, const poplar::OptionFlags*>;
void preplanMatMuls(const std::set<MatMulPlanParams>& matmuls, PlanningCache& cache);

/// Says how the product would be tiled.
void matMulReportPlan(std::ostream& out, const poplar::Graph& graph, const poplar::Type& inputType,
                      const poplar::Type& outputType, const std::vector<std::size_t>& aShape,
                      const std::vector<std::size_t>& bShape,
                      const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

void matMulGroupedReportPlan(std::ostream& out, const poplar::Graph& graph,
                             const poplar::Type& inputType, const poplar::Type& outputType,
                             const std::vector<std::size_t>& aShape,
                             const std::vector<std::size_t>& bShape,
                             const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);

/// The last two dimensions exchanged, as a view.
poplar::Tensor transposeGroupedMatrix(const poplar::Tensor& A);

} // namespace poplin
