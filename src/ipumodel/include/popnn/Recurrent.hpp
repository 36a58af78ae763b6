// Plain recurrent layers: forward, backward, and the gradients of the weights.
//
//   y_t = nonLinearity(x_t Wi + y_(t-1) Wf + b)
//
// x is [steps][batch][input size]; Wi is [input size][output size], Wf [output size][output size],
// b [output size]; a state is the output of a step, [batch][output size]. FLOAT and HALF. Products
// are summed in FLOAT whatever `partialsType`; inferenceOnly and the cache change nothing.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplin/MatMul.hpp>
#include <popnn/NonLinearity.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace popnn {
namespace rnn {

/// The matrix products of the layer.
std::vector<std::pair<poplin::MatMulParams, poplar::OptionFlags>>
getMatMulPrePlanParameters(std::size_t numSteps, std::size_t batchSize, std::size_t inputSize,
                           std::size_t outputSize, const poplar::Type& dType,
                           const poplar::Type& partialsType = poplar::FLOAT,
                           bool inferenceOnly = false, bool hasFeedforwardWeights = true);

/// Multiplications and additions; those of the input's weights only if asked for.
std::uint64_t getFwdFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                          unsigned outputSize, bool weightInput = true);
std::uint64_t getBwdFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                          unsigned outputSize, bool calcInputGrad = true);
std::uint64_t getWuFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                         unsigned outputSize);

/// Tensors of the shapes above, laid out for the layer.
poplar::Tensor createInput(poplar::Graph& graph, unsigned numSteps, unsigned batchSize,
                           unsigned inputSize, unsigned outputSize, const poplar::Type& dType,
                           const poplar::Type& partialsType = poplar::FLOAT,
                           bool inferenceOnly = false,
                           const poplar::DebugContext& debugContext = {},
                           poplin::PlanningCache* planningCache = nullptr);
/// Set to zero if initState.
poplar::Tensor createFwdState(poplar::Graph& graph, const poplar::Type& dType, unsigned batchSize,
                              unsigned outputSize, poplar::program::Sequence& prog, bool initState,
                              bool inferenceOnly, const poplar::DebugContext& debugContext = {},
                              poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor getOutputFromFwdState(const poplar::Tensor& fwdState);
poplar::Tensor createWeightsInput(poplar::Graph& graph, unsigned sequenceSize, unsigned batchSize,
                                  unsigned inputSize, unsigned outputSize,
                                  const poplar::Type& dType,
                                  const poplar::Type& partialsType = poplar::FLOAT,
                                  bool inferenceOnly = false,
                                  const poplar::DebugContext& debugContext = {},
                                  poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createWeightsFeedback(poplar::Graph& graph, unsigned batchSize, unsigned outputSize,
                                     const poplar::Type& dType,
                                     const poplar::Type& partialsType = poplar::FLOAT,
                                     bool inferenceOnly = false,
                                     const poplar::DebugContext& debugContext = {},
                                     poplin::PlanningCache* planningCache = nullptr);

/// x Wi of all steps.
poplar::Tensor forwardWeightInput(poplar::Graph& graph, const poplar::Tensor& actIn,
                                  const poplar::Tensor& weights, poplar::program::Sequence& prog,
                                  const poplar::Type& partialsType = poplar::FLOAT,
                                  bool inferenceOnly = false,
                                  const poplar::DebugContext& debugContext = {},
                                  poplin::PlanningCache* planningCache = nullptr);
/// The outputs of all steps, [steps][batch][output size], from x Wi. The steps are unrolled.
poplar::Tensor forwardIterate(poplar::Graph& graph, const poplar::Tensor& feedFwdIn,
                              const poplar::Tensor& initState,
                              const poplar::Tensor& feedbackWeights, const poplar::Tensor& biases,
                              poplar::program::Sequence& prog, NonLinearityType nonLinearityType,
                              const poplar::Type& partialsType = poplar::FLOAT,
                              bool inferenceOnly = false,
                              const poplar::DebugContext& debugContext = {},
                              poplin::PlanningCache* planningCache = nullptr);

/// The gradient at the sum of a step behind the last one: zeros.
poplar::Tensor createBwdState(poplar::Graph& graph, const poplar::Type& dType, unsigned batchSize,
                              unsigned outputSize, poplar::program::Sequence& prog,
                              const poplar::DebugContext& debugContext = {},
                              poplin::PlanningCache* planningCache = nullptr);
/// One step back: the gradients at the input and at the sum, which is the state for the step
/// before, from the gradient at the output of the step, the state and the output itself.
std::pair<poplar::Tensor, poplar::Tensor> backwardGradientStep(
    poplar::Graph& graph, const poplar::Tensor& nextLayerGrad, const poplar::Tensor& bwdState,
    const poplar::Tensor& actOut, const poplar::Tensor& weightsInput,
    const poplar::Tensor& weightsFeedback, poplar::program::Sequence& prog,
    NonLinearityType nonLinearityType, const poplar::Type& partialsType = poplar::FLOAT,
    const poplar::DebugContext& debugContext = {}, poplin::PlanningCache* planningCache = nullptr);
/// Only the gradient at the sum.
poplar::Tensor backwardGradientStep(poplar::Graph& graph, const poplar::Tensor& nextLayerGrad,
                                    const poplar::Tensor& bwdState, const poplar::Tensor& actOut,
                                    const poplar::Tensor& weightsFeedback,
                                    poplar::program::Sequence& prog,
                                    NonLinearityType nonLinearityType,
                                    const poplar::Type& partialsType = poplar::FLOAT,
                                    const poplar::DebugContext& debugContext = {},
                                    poplin::PlanningCache* planningCache = nullptr);

/// Adds the gradients of one step to the three sums. `prevOut` is the output of the step before.
void paramDeltaUpdate(poplar::Graph& graph, const poplar::Tensor& bwdState,
                      const poplar::Tensor& actIn, const poplar::Tensor& prevOut,
                      poplar::Tensor& weightsInputDeltasAcc,
                      poplar::Tensor& weightsFeedbackDeltasAcc, poplar::Tensor& biasDeltasAcc,
                      poplar::program::Sequence& prog,
                      const poplar::Type& partialsType = poplar::FLOAT,
                      const poplar::DebugContext& debugContext = {},
                      poplin::PlanningCache* planningCache = nullptr);

/// The outputs of all steps as a loop. The input is `weightedIn`, which is x Wi, unless that is
/// null; then it is prevLayerActs, which is x.
poplar::Tensor rnnFwdSequence(poplar::Graph& graph, poplar::program::Sequence& prog,
                              const poplar::Tensor& fwdStateInit, const poplar::Tensor* weightedIn,
                              const poplar::Tensor& biases, const poplar::Tensor& feedFwdWeights,
                              const poplar::Tensor& feedbackWeights,
                              const poplar::Tensor& prevLayerActs,
                              const NonLinearityType& nonLinearityType,
                              const poplar::Type& partialsType, bool inferenceOnly,
                              const poplar::DebugContext& debugContext = {},
                              poplin::PlanningCache* planningCache = nullptr);

/// The gradients of x (invalid if ignoreInputGradientCalc), Wi, Wf and b (invalid unless doWU).
/// `outGradient` is [batch][steps][output size]; fwdState is what rnnFwdSequence() gave.
std::tuple<poplar::Tensor, poplar::Tensor, poplar::Tensor, poplar::Tensor>
rnnBwdSequence(poplar::Graph& graph, bool doWU, bool ignoreInputGradientCalc,
               poplar::program::Sequence& prog, const poplar::Tensor& fwdStateInit,
               const poplar::Tensor& fwdState, const poplar::Tensor& biases,
               const poplar::Tensor& feedFwdWeights, const poplar::Tensor& feedbackWeights,
               const poplar::Tensor& outGradient, const poplar::Tensor& actIn,
               const NonLinearityType& nonLinearityType, const poplar::Type& partialsType,
               const poplar::DebugContext& debugContext = {},
               poplin::PlanningCache* planningCache = nullptr);

} // namespace rnn
} // namespace popnn
