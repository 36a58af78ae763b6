#include "popnn/RnnSteps.hpp"

#include <popnn/Lstm.hpp>
#include <popnn/NonLinearity.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Zero.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace popnn {
namespace lstm {
namespace {

using namespace steps;
using poplar::OptionFlags;
using poplin::PlanningCache;
namespace pe = popops::expr;

constexpr std::size_t kUnits = BASIC_LSTM_CELL_NUM_UNITS;

// What the backward pass needs of a step: activated gates, the activated cell state, and the state
// before the step.
enum Kept { kForget, kInput, kCandidate, kOutput, kActivatedCell, kOldCell, kOldOutput, kNumKept };

void check(const LstmParams& params, const OptionFlags& options) {
  checkOptions(options);
  checkLayer(params.rnn, params.activation, params.recurrentActivation);
  if (!params.doInputWeightCalc)
    throw poputil::poplibs_error("lstm: doInputWeightCalc = false is not supported");
  auto order = params.cellOrder;
  std::sort(order.begin(), order.end());
  if (order != getDefaultBasicLstmCellOrder())
    throw poputil::poplibs_error("lstm: cellOrder must name each of the four units once");
}

// Where a unit stands among the weights.
std::size_t place(const LstmParams& params, BasicLstmCellUnit unit) {
  return static_cast<std::size_t>(
      std::find(params.cellOrder.begin(), params.cellOrder.end(), unit) - params.cellOrder.begin());
}

std::vector<std::size_t> stateShape(const LstmParams& params) {
  return {params.rnn.batchSize, params.rnn.layerSizes[1]};
}

// [input + output size][4 * output size]
Tensor weightMatrix(const LstmWeights& weights) {
  return asMatrix(poplar::concat(weights.inputWeights, weights.outputWeights, 1));
}

Tensor createState(Graph& graph, const LstmParams& params, const DebugContext& debugContext) {
  const auto t = graph.addVariable(params.rnn.dataType, stateShape(params), debugContext);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

struct Gradients { // of one step
  Tensor units;    // [4][batch][output], before the activations
  LstmState previous;
};

// Back through one step. `grad`: of its output and of its cell state.
Gradients backStep(Graph& graph, const LstmParams& params, const Tensor& kept,
                   const LstmState& grad, Sequence& prog, const DebugContext& debugContext) {
  const auto slope = [&](NonLinearityType type, Kept what, const Tensor& g) {
    return nonLinearityInputGradient(graph, type, kept[what], g, prog, debugContext);
  };
  const auto product = [&](const Tensor& a, const Tensor& b) {
    return popops::mul(graph, a, b, prog, debugContext);
  };
  const auto recurrent = params.recurrentActivation, activation = params.activation;
  const auto output = slope(recurrent, kOutput, product(grad.output, kept[kActivatedCell]));
  const auto cell = slope(activation, kActivatedCell, product(grad.output, kept[kOutput]));
  popops::addInPlace(graph, cell, grad.cellState, prog, debugContext);
  std::vector<Tensor> units(kUnits);
  units[place(params, BASIC_LSTM_CELL_OUTPUT_GATE)] = output;
  units[place(params, BASIC_LSTM_CELL_FORGET_GATE)] =
      slope(recurrent, kForget, product(cell, kept[kOldCell]));
  units[place(params, BASIC_LSTM_CELL_INPUT_GATE)] =
      slope(recurrent, kInput, product(cell, kept[kCandidate]));
  units[place(params, BASIC_LSTM_CELL_CANDIDATE)] =
      slope(activation, kCandidate, product(cell, kept[kInput]));
  return {stacked(units), {{}, product(cell, kept[kForget])}};
}

// The gradients of the weights, summed over the steps: as a matrix, and of the biases.
struct WeightSums {
  Tensor matrix, biases;

  WeightSums(Graph& graph, const LstmWeights& weights, Sequence& prog,
             const DebugContext& debugContext)
      : matrix(zeroLike(graph, weightMatrix(weights), prog, debugContext)),
        biases(zeroLike(graph, weights.biases, prog, debugContext)) {}

  void add(Graph& graph, const Tensor& in, const Tensor& oldOutput, const Tensor& units,
           Sequence& prog, const DebugContext& debugContext, PlanningCache* cache) const {
    poplin::matMulAcc(graph, matrix, 1.0f, poplar::concat(in, oldOutput, 1).transpose(),
                      batchFirst(units), prog, debugContext, {}, cache);
    addBatchSum(graph, units, biases, prog, debugContext);
  }
  LstmWeights get(const LstmParams& params) const {
    const auto inputSize = params.rnn.layerSizes[0];
    const auto units = asUnits(matrix, kUnits);
    return {units.slice(0, inputSize, 1), units.slice(inputSize, units.dim(1), 1), biases};
  }
};

LstmState backward(Graph& graph, const LstmParams& params, Sequence& prog,
                   const Tensor& fwdIntermediates, const LstmWeights& weights, const Tensor& input,
                   const Tensor& outputGrad, const LastStateGrad& lastStateGrad, Tensor* inputGrad,
                   Tensor* bwdIntermediates, const WeightSums* sums,
                   const DebugContext& debugContext, PlanningCache* cache) {
  const auto& r = params.rnn;
  const auto inputSize = r.layerSizes[0], outputSize = r.layerSizes[1];
  const auto like = fwdIntermediates[0][kOldOutput];
  const auto& last = lastStateGrad.get();
  const LstmState grad = {copyOrZero(graph, last.output, like, prog, debugContext),
                          copyOrZero(graph, last.cellState, like, prog, debugContext)};
  if (!params.outputFullSequence)
    popops::addInPlace(graph, grad.output, outputGrad, prog, debugContext);
  if (inputGrad && params.calcInputGradients)
    *inputGrad = createSequence(graph, r.dataType, r.maxTimeSteps, {r.batchSize, inputSize},
                                {debugContext, "inputGrad"});
  if (bwdIntermediates)
    *bwdIntermediates =
        createSequence(graph, r.dataType, r.maxTimeSteps, {kUnits, r.batchSize, outputSize},
                       {debugContext, "bwdIntermediates"});
  const auto transposed = weightMatrix(weights).transpose();
  forEachStep(
      graph, r.maxTimeSteps, Order::Descending, prog,
      [&](const Tensor& step, Sequence& body) {
        const auto kept = takeStep(graph, fwdIntermediates, step, body, debugContext);
        const auto valid = validity(graph, r, step, body, debugContext);
        auto output = grad.output;
        if (params.outputFullSequence)
          output = popops::add(graph, output, takeStep(graph, outputGrad, step, body, debugContext),
                               body, debugContext);
        const LstmState atStep = {whereValid(graph, output, valid, body, debugContext),
                                  whereValid(graph, grad.cellState, valid, body, debugContext)};
        const auto back = backStep(graph, params, kept, atStep, body, debugContext);
        const auto both = poplin::matMul(graph, batchFirst(back.units), transposed, body,
                                         debugContext, {}, cache);
        if (inputGrad && params.calcInputGradients)
          putStep(graph, *inputGrad, both.slice(0, inputSize, 1), step, body, debugContext);
        if (bwdIntermediates)
          putStep(graph, *bwdIntermediates, back.units, step, body, debugContext);
        if (sums)
          sums->add(graph, takeStep(graph, input, step, body, debugContext), kept[kOldOutput],
                    back.units, body, debugContext, cache);
        const auto oldOutput = whereValid(graph, both.slice(inputSize, both.dim(1), 1), grad.output,
                                          valid, body, debugContext);
        const auto oldCell =
            whereValid(graph, back.previous.cellState, grad.cellState, valid, body, debugContext);
        body.add(poplar::program::Copy(oldOutput, grad.output, false, debugContext));
        body.add(poplar::program::Copy(oldCell, grad.cellState, false, debugContext));
      },
      debugContext);
  return grad;
}

} // namespace

const std::vector<BasicLstmCellUnit> getDefaultBasicLstmCellOrder() {
  return {BASIC_LSTM_CELL_FORGET_GATE, BASIC_LSTM_CELL_INPUT_GATE, BASIC_LSTM_CELL_CANDIDATE,
          BASIC_LSTM_CELL_OUTPUT_GATE};
}

LstmParams::LstmParams(poplar::Type type, std::size_t batch, std::size_t steps,
                       std::vector<std::size_t> sizes, NonLinearityType act,
                       NonLinearityType recurrentAct)
    : rnn(type, batch, steps, sizes),
      dataType(type),
      batchSize(batch),
      timeSteps(steps),
      layerSizes(std::move(sizes)),
      activation(act),
      recurrentActivation(recurrentAct) {}

LstmParams::LstmParams(poplar::Type type, std::size_t batch, std::size_t maxSteps,
                       const Tensor& steps, std::vector<std::size_t> sizes, NonLinearityType act,
                       NonLinearityType recurrentAct)
    : LstmParams(type, batch, maxSteps, sizes, act, recurrentAct) {
  rnn = rnn::RnnParams(type, batch, maxSteps, steps, std::move(sizes));
}

Tensor LstmState::getAsTensor() const {
  return poplar::concat(output.expand({0}), cellState.expand({0}));
}

// Two for each product and sum of the matrices; nine for the cell.
std::uint64_t getBasicLstmCellFwdFlops(const LstmParams& params) {
  const auto& r = params.rnn;
  const std::uint64_t elements = r.maxTimeSteps * r.batchSize * r.layerSizes[1];
  return elements * (2 * kUnits * (r.layerSizes[0] + r.layerSizes[1]) + kUnits + 9);
}

std::uint64_t getBasicLstmCellBwdFlops(const LstmParams& params) {
  const auto& r = params.rnn;
  const std::uint64_t elements = r.maxTimeSteps * r.batchSize * r.layerSizes[1];
  const auto inputs = params.calcInputGradients ? r.layerSizes[0] : 0;
  return elements * (2 * kUnits * (inputs + r.layerSizes[1]) + 17);
}

std::uint64_t getBasicLstmCellWuFlops(const LstmParams& params) {
  const auto& r = params.rnn;
  const std::uint64_t elements = r.maxTimeSteps * r.batchSize * r.layerSizes[1];
  return elements * kUnits * (2 * (r.layerSizes[0] + r.layerSizes[1]) + 1);
}

Tensor createInput(Graph& graph, const LstmParams& params, const DebugContext& debugContext,
                   const OptionFlags& options, PlanningCache*) {
  check(params, options);
  const auto& r = params.rnn;
  return createSequence(graph, r.dataType, r.maxTimeSteps, {r.batchSize, r.layerSizes[0]},
                        debugContext);
}

Tensor createInitialOutput(Graph& graph, const LstmParams& params, const DebugContext& debugContext,
                           const OptionFlags& options, PlanningCache*) {
  check(params, options);
  return createState(graph, params, debugContext);
}

Tensor createInitialCellState(Graph& graph, const LstmParams& params,
                              const DebugContext& debugContext, const OptionFlags& options,
                              PlanningCache*) {
  check(params, options);
  return createState(graph, params, debugContext);
}

LstmState createInitialState(Graph& graph, const LstmParams& params,
                             const DebugContext& debugContext, const OptionFlags& options,
                             PlanningCache* cache) {
  return {createInitialOutput(graph, params, {debugContext, "output"}, options, cache),
          createInitialCellState(graph, params, {debugContext, "cellState"}, options, cache)};
}

void zeroInitialState(Graph& graph, const LstmState& initialState, Sequence& prog,
                      const DebugContext& debugContext) {
  popops::zero(graph, initialState.getAsTensor(), prog, debugContext);
}

std::pair<Tensor, Tensor> createWeightsKernel(Graph& graph, const LstmParams& params,
                                              const DebugContext& debugContext,
                                              const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  const auto& r = params.rnn;
  const auto inputSize = r.layerSizes[0], depth = inputSize + r.layerSizes[1];
  const auto units = asUnits(poplin::createMatMulInputRHS(graph, r.dataType, {r.batchSize, depth},
                                                          {depth, kUnits * r.layerSizes[1]},
                                                          debugContext, {}, cache),
                             kUnits);
  return {units.slice(0, inputSize, 1), units.slice(inputSize, depth, 1)};
}

Tensor createWeightsBiases(Graph& graph, const LstmParams& params, const DebugContext& debugContext,
                           const OptionFlags& options, PlanningCache*) {
  check(params, options);
  const auto biases =
      graph.addVariable(params.rnn.dataType, {kUnits, params.rnn.layerSizes[1]}, debugContext);
  poputil::mapTensorLinearly(graph, biases);
  return biases;
}

LstmWeights createWeights(Graph& graph, const LstmParams& params, const DebugContext& debugContext,
                          const OptionFlags& options, PlanningCache* cache) {
  const auto kernel = createWeightsKernel(graph, params, {debugContext, "weights"}, options, cache);
  return {kernel.first, kernel.second,
          createWeightsBiases(graph, params, {debugContext, "biases"}, options, cache)};
}

std::pair<Tensor, Tensor> lstmFwd(Graph& graph, const LstmParams& params,
                                  const LstmState& stateInit, const Tensor& in,
                                  const LstmWeights& weights, Tensor* intermediates,
                                  Sequence& fwdProg, const DebugContext& debugContext,
                                  const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  const DebugContext di(info, "lstmFwd");
  const auto& r = params.rnn;
  const LstmState state = {copyOf(graph, stateInit.output, fwdProg, {di, "output"}),
                           copyOf(graph, stateInit.cellState, fwdProg, {di, "cellState"})};
  Tensor outputs;
  if (params.outputFullSequence)
    outputs =
        createSequence(graph, r.dataType, r.maxTimeSteps, stateShape(params), {di, "outputs"});
  if (intermediates)
    *intermediates =
        createSequence(graph, r.dataType, r.maxTimeSteps, {kNumKept, r.batchSize, r.layerSizes[1]},
                       {di, "intermediates"});
  const auto matrix = weightMatrix(weights);
  forEachStep(
      graph, r.maxTimeSteps, Order::Ascending, fwdProg,
      [&](const Tensor& step, Sequence& body) {
        const auto x = takeStep(graph, in, step, body, di);
        const auto units = unitsFirst(
            poplin::matMul(graph, poplar::concat(x, state.output, 1), matrix, body, di, {}, cache),
            kUnits);
        popops::addInPlace(graph, units, weights.biases.expand({1}), body, di);
        const auto unit = [&](BasicLstmCellUnit u) { return units[place(params, u)]; };
        const auto forget = unit(BASIC_LSTM_CELL_FORGET_GATE);
        const auto input = unit(BASIC_LSTM_CELL_INPUT_GATE);
        const auto candidate = unit(BASIC_LSTM_CELL_CANDIDATE);
        const auto output = unit(BASIC_LSTM_CELL_OUTPUT_GATE);
        nonLinearityInPlace(graph, params.recurrentActivation,
                            poplar::concat({forget, input, output}), body, di);
        nonLinearityInPlace(graph, params.activation, candidate, body, di);
        const auto cell = popops::map(graph, pe::_1 * pe::_2 + pe::_3 * pe::_4,
                                      {forget, state.cellState, input, candidate}, body, di);
        const auto activated = nonLinearity(graph, params.activation, cell, body, di);
        const auto result = popops::mul(graph, output, activated, body, di);
        if (intermediates)
          putStep(
              graph, *intermediates,
              stacked({forget, input, candidate, output, activated, state.cellState, state.output}),
              step, body, di);
        const auto valid = validity(graph, r, step, body, di);
        if (params.outputFullSequence)
          putStep(graph, outputs, whereValid(graph, result, valid, body, di), step, body, di);
        const auto newOutput = whereValid(graph, result, state.output, valid, body, di);
        const auto newCell = whereValid(graph, cell, state.cellState, valid, body, di);
        body.add(poplar::program::Copy(newOutput, state.output, false, di));
        body.add(poplar::program::Copy(newCell, state.cellState, false, di));
      },
      di);
  return {params.outputFullSequence ? outputs : state.output, state.cellState};
}

Tensor lstmFwd(Graph& graph, const LstmParams& params, Sequence& prog, const LstmState& stateInit,
               const LstmWeights& weights, const Tensor& in, Tensor* intermediates,
               const DebugContext& debugContext, const OptionFlags& options, PlanningCache* cache) {
  return lstmFwd(graph, params, stateInit, in, weights, intermediates, prog, debugContext, options,
                 cache)
      .first;
}

LstmState lstmBwd(Graph& graph, const LstmParams& params, Sequence& prog, const LstmState&,
                  const Tensor& fwdIntermediates, const LstmWeights& weights, const Tensor& input,
                  const Tensor&, const Tensor& outputGrad, LastStateGrad lastStateGrad,
                  Tensor* inputGrad, Tensor* bwdIntermediates, const DebugContext& debugContext,
                  const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  return backward(graph, params, prog, fwdIntermediates, weights, input, outputGrad, lastStateGrad,
                  inputGrad, bwdIntermediates, nullptr, {info, "lstmBwd"}, cache);
}

LstmWeights lstmWU(Graph& graph, const LstmParams& params, Sequence& prog, const LstmState&,
                   const Tensor& fwdIntermediates, const Tensor& bwdIntermediates,
                   const LstmWeights& weights, const Tensor& input, const Tensor&,
                   const DebugContext& debugContext, const OptionFlags& options,
                   PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  const DebugContext di(info, "lstmWU");
  const WeightSums sums(graph, weights, prog, di);
  forEachStep(
      graph, params.rnn.maxTimeSteps, Order::Ascending, prog,
      [&](const Tensor& step, Sequence& body) {
        const auto kept = takeStep(graph, fwdIntermediates, step, body, di);
        sums.add(graph, takeStep(graph, input, step, body, di), kept[kOldOutput],
                 takeStep(graph, bwdIntermediates, step, body, di), body, di, cache);
      },
      di);
  return sums.get(params);
}

LstmState lstmBwdWithWU(Graph& graph, const LstmParams& params, Sequence& prog, const LstmState&,
                        const Tensor& fwdIntermediates, const LstmWeights& weights,
                        const Tensor& input, const Tensor&, const Tensor& outputGrad,
                        LastStateGrad lastStateGrad, Tensor* inputGrad, LstmWeights& weightsGrad,
                        const DebugContext& debugContext, const OptionFlags& options,
                        PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  const DebugContext di(info, "lstmBwdWithWU");
  const WeightSums sums(graph, weights, prog, di);
  const auto grad = backward(graph, params, prog, fwdIntermediates, weights, input, outputGrad,
                             lastStateGrad, inputGrad, nullptr, &sums, di, cache);
  weightsGrad = sums.get(params);
  return grad;
}

} // namespace lstm
} // namespace popnn
