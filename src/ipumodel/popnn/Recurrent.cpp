#include "popnn/RnnSteps.hpp"

#include <popnn/Recurrent.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/Zero.hpp>
#include <poputil/DebugInfo.hpp>

namespace popnn {
namespace rnn {
namespace {

using namespace steps;
using poplar::Type;
using poplin::PlanningCache;

std::uint64_t multiplyAdds(std::uint64_t rows, std::uint64_t inner, std::uint64_t columns) {
  return rows * columns * (2 * inner - 1);
}

// The output of one step from x Wi.
Tensor forwardStep(Graph& graph, const Tensor& weightedIn, const Tensor& state,
                   const Tensor& feedbackWeights, const Tensor& biases, Sequence& prog,
                   NonLinearityType type, const DebugContext& debugContext, PlanningCache* cache) {
  const auto y = poplin::matMul(graph, state, feedbackWeights, prog, debugContext, {}, cache);
  popops::mapInPlace(graph, popops::expr::_1 + popops::expr::_2 + popops::expr::_3,
                     {y, weightedIn, biases}, prog, debugContext);
  nonLinearityInPlace(graph, type, y, prog, debugContext);
  return y;
}

} // namespace

std::uint64_t getFwdFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                          unsigned outputSize, bool weightInput) {
  const auto rows = std::uint64_t{sequenceSize} * batchSize;
  const auto sums = std::uint64_t{2} * sequenceSize * outputSize;
  return multiplyAdds(rows, outputSize, outputSize) + sums +
         (weightInput ? multiplyAdds(rows, inputSize, outputSize) : 0);
}

std::uint64_t getBwdFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                          unsigned outputSize, bool calcInputGrad) {
  const auto rows = std::uint64_t{sequenceSize} * batchSize;
  return multiplyAdds(rows, outputSize, outputSize) +
         (calcInputGrad ? multiplyAdds(rows, inputSize, outputSize) : 0);
}

std::uint64_t getWuFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                         unsigned outputSize) {
  const auto rows = std::uint64_t{sequenceSize} * batchSize;
  const std::uint64_t weights = (std::uint64_t{inputSize} + outputSize + 1) * outputSize;
  return multiplyAdds(inputSize, rows, outputSize) + multiplyAdds(outputSize, rows, outputSize) +
         (rows - 1) * outputSize + weights;
}

Tensor createInput(Graph& graph, unsigned numSteps, unsigned batchSize, unsigned inputSize,
                   unsigned, const Type& dType, const Type&, bool, const DebugContext& debugContext,
                   PlanningCache*) {
  return createSequence(graph, dType, numSteps, {batchSize, inputSize}, debugContext);
}

Tensor createFwdState(Graph& graph, const Type& dType, unsigned batchSize, unsigned outputSize,
                      Sequence& prog, bool initState, bool, const DebugContext& debugContext,
                      PlanningCache* cache) {
  const auto state = poplin::createMatMulInputLHS(
      graph, dType, {batchSize, outputSize}, {outputSize, outputSize}, debugContext, {}, cache);
  if (initState)
    popops::zero(graph, state, prog, debugContext);
  return state;
}

Tensor getOutputFromFwdState(const Tensor& fwdState) {
  return fwdState;
}

Tensor createWeightsInput(Graph& graph, unsigned, unsigned batchSize, unsigned inputSize,
                          unsigned outputSize, const Type& dType, const Type&, bool,
                          const DebugContext& debugContext, PlanningCache* cache) {
  return poplin::createMatMulInputRHS(graph, dType, {batchSize, inputSize}, {inputSize, outputSize},
                                      debugContext, {}, cache);
}

Tensor createWeightsFeedback(Graph& graph, unsigned batchSize, unsigned outputSize,
                             const Type& dType, const Type&, bool, const DebugContext& debugContext,
                             PlanningCache* cache) {
  return poplin::createMatMulInputRHS(graph, dType, {batchSize, outputSize},
                                      {outputSize, outputSize}, debugContext, {}, cache);
}

Tensor forwardWeightInput(Graph& graph, const Tensor& actIn, const Tensor& weights, Sequence& prog,
                          const Type&, bool, const DebugContext& debugContext,
                          PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  return poplin::matMul(graph, actIn.flatten(0, 2), weights, prog, {di, "weightedInput"}, {}, cache)
      .reshape({actIn.dim(0), actIn.dim(1), weights.dim(1)});
}

Tensor forwardIterate(Graph& graph, const Tensor& feedFwdIn, const Tensor& initState,
                      const Tensor& feedbackWeights, const Tensor& biases, Sequence& prog,
                      NonLinearityType nonLinearityType, const Type&, bool,
                      const DebugContext& debugContext, PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  std::vector<Tensor> outputs;
  for (std::size_t step = 0; step != feedFwdIn.dim(0); ++step)
    outputs.push_back(forwardStep(graph, feedFwdIn[step], step == 0 ? initState : outputs.back(),
                                  feedbackWeights, biases, prog, nonLinearityType, {di, "step"},
                                  cache));
  return stacked(outputs);
}

Tensor createBwdState(Graph& graph, const Type& dType, unsigned batchSize, unsigned outputSize,
                      Sequence& prog, const DebugContext& debugContext, PlanningCache* cache) {
  return createFwdState(graph, dType, batchSize, outputSize, prog, true, false, debugContext,
                        cache);
}

Tensor backwardGradientStep(Graph& graph, const Tensor& nextLayerGrad, const Tensor& bwdState,
                            const Tensor& actOut, const Tensor& weightsFeedback, Sequence& prog,
                            NonLinearityType nonLinearityType, const Type&,
                            const DebugContext& debugContext, PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto grad = poplin::matMul(graph, bwdState, weightsFeedback.transpose(), prog,
                                   {di, "feedbackGradient"}, {}, cache);
  popops::addInPlace(graph, grad, nextLayerGrad, prog, {di});
  return nonLinearityInputGradient(graph, nonLinearityType, actOut, grad, prog, {di});
}

std::pair<Tensor, Tensor>
backwardGradientStep(Graph& graph, const Tensor& nextLayerGrad, const Tensor& bwdState,
                     const Tensor& actOut, const Tensor& weightsInput,
                     const Tensor& weightsFeedback, Sequence& prog,
                     NonLinearityType nonLinearityType, const Type& partialsType,
                     const DebugContext& debugContext, PlanningCache* cache) {
  const auto state =
      backwardGradientStep(graph, nextLayerGrad, bwdState, actOut, weightsFeedback, prog,
                           nonLinearityType, partialsType, debugContext, cache);
  return {poplin::matMul(graph, state, weightsInput.transpose(), prog, debugContext, {}, cache),
          state};
}

void paramDeltaUpdate(Graph& graph, const Tensor& bwdState, const Tensor& actIn,
                      const Tensor& prevOut, Tensor& weightsInputDeltasAcc,
                      Tensor& weightsFeedbackDeltasAcc, Tensor& biasDeltasAcc, Sequence& prog,
                      const Type&, const DebugContext& debugContext, PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  poplin::matMulAcc(graph, weightsInputDeltasAcc, 1.0f, actIn.transpose(), bwdState, prog,
                    {di, "inputWeights"}, {}, cache);
  poplin::matMulAcc(graph, weightsFeedbackDeltasAcc, 1.0f, prevOut.transpose(), bwdState, prog,
                    {di, "feedbackWeights"}, {}, cache);
  const auto sum = popops::reduce(graph, bwdState, {0}, popops::Operation::ADD, prog, {di});
  popops::addInPlace(graph, biasDeltasAcc, sum, prog, {di});
}

Tensor rnnFwdSequence(Graph& graph, Sequence& prog, const Tensor& fwdStateInit,
                      const Tensor* weightedIn, const Tensor& biases, const Tensor& feedFwdWeights,
                      const Tensor& feedbackWeights, const Tensor& prevLayerActs,
                      const NonLinearityType& nonLinearityType, const Type&, bool,
                      const DebugContext& debugContext, PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo info(debugContext);
  const DebugContext di(info, "rnnFwdSequence");
  const auto in = weightedIn ? *weightedIn : prevLayerActs;
  const auto state = copyOf(graph, fwdStateInit, prog, {di, "state"});
  const auto outputs = createSequence(graph, fwdStateInit.elementType(), in.dim(0),
                                      fwdStateInit.shape(), {di, "outputs"});
  forEachStep(
      graph, in.dim(0), Order::Ascending, prog,
      [&](const Tensor& step, Sequence& body) {
        auto x = takeStep(graph, in, step, body, di);
        if (!weightedIn)
          x = poplin::matMul(graph, x, feedFwdWeights, body, di, {}, cache);
        const auto y = forwardStep(graph, x, state, feedbackWeights, biases, body, nonLinearityType,
                                   di, cache);
        putStep(graph, outputs, y, step, body, di);
        body.add(poplar::program::Copy(y, state, false, di));
      },
      di);
  return outputs;
}

std::tuple<Tensor, Tensor, Tensor, Tensor>
rnnBwdSequence(Graph& graph, bool doWU, bool ignoreInputGradientCalc, Sequence& prog,
               const Tensor& fwdStateInit, const Tensor& fwdState, const Tensor& biases,
               const Tensor& feedFwdWeights, const Tensor& feedbackWeights,
               const Tensor& outGradient, const Tensor& actIn,
               const NonLinearityType& nonLinearityType, const Type& partialsType,
               const DebugContext& debugContext, PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo info(debugContext);
  const DebugContext di(info, "rnnBwdSequence");
  const auto numSteps = actIn.dim(0);
  const auto state = zeroLike(graph, fwdStateInit, prog, {di, "state"});
  const auto before = // the output of the step before each step
      poplar::concat(fwdStateInit.expand({0}), fwdState.slice(0, numSteps - 1));
  const auto outGradients = outGradient.dimShuffle({1, 0, 2});
  Tensor inputGrad, inputWeights, feedback, bias;
  if (!ignoreInputGradientCalc)
    inputGrad = createSequence(graph, actIn.elementType(), numSteps, actIn[0].shape(),
                               {di, "inputGradient"});
  if (doWU) {
    inputWeights = zeroLike(graph, feedFwdWeights, prog, {di, "inputWeights"});
    feedback = zeroLike(graph, feedbackWeights, prog, {di, "feedbackWeights"});
    bias = zeroLike(graph, biases, prog, {di, "biases"});
  }
  forEachStep(
      graph, numSteps, Order::Descending, prog,
      [&](const Tensor& step, Sequence& body) {
        const auto atSum =
            backwardGradientStep(graph, takeStep(graph, outGradients, step, body, di), state,
                                 takeStep(graph, fwdState, step, body, di), feedbackWeights, body,
                                 nonLinearityType, partialsType, di, cache);
        if (!ignoreInputGradientCalc)
          putStep(graph, inputGrad,
                  poplin::matMul(graph, atSum, feedFwdWeights.transpose(), body, di, {}, cache),
                  step, body, di);
        if (doWU)
          paramDeltaUpdate(graph, atSum, takeStep(graph, actIn, step, body, di),
                           takeStep(graph, before, step, body, di), inputWeights, feedback, bias,
                           body, partialsType, di, cache);
        body.add(poplar::program::Copy(atSum, state, false, di));
      },
      di);
  return std::make_tuple(inputGrad, inputWeights, feedback, bias);
}

} // namespace rnn
} // namespace popnn
