#include "popnn/RnnSteps.hpp"

#include <popnn/Gru.hpp>
#include <popnn/NonLinearity.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace popnn {
namespace gru {
namespace {

using namespace steps;
using poplar::OptionFlags;
using poplin::PlanningCache;
namespace pe = popops::expr;

constexpr std::size_t kUnits = BASIC_GRU_CELL_NUM_UNITS;

// What the backward pass needs of a step: activated gates, the state before the step, and what the
// reset gate multiplies: that state, or with resetAfter h U + b1 of the candidate.
enum Kept { kReset, kUpdate, kCandidate, kOldOutput, kReseted, kNumKept };

void check(const GruParams& params, const OptionFlags& options) {
  checkOptions(options);
  checkLayer(params.rnn, params.activation, params.recurrentActivation);
  auto order = params.cellOrder;
  std::sort(order.begin(), order.end());
  if (order != getDefaultBasicGruCellOrder())
    throw poputil::poplibs_error("gru: cellOrder must name each of the three units once");
}

std::size_t place(const GruParams& params, BasicGruCellUnit unit) {
  return static_cast<std::size_t>(
      std::find(params.cellOrder.begin(), params.cellOrder.end(), unit) - params.cellOrder.begin());
}

// The weights in the order reset, update, candidate.
GruWeights inOrder(const GruParams& params, const GruWeights& weights) {
  const auto sorted = [&](const Tensor& t) {
    std::vector<Tensor> units;
    for (const auto unit : getDefaultBasicGruCellOrder())
      units.push_back(t[place(params, unit)]);
    return stacked(units);
  };
  return {sorted(weights.inputWeights), sorted(weights.outputWeights), sorted(weights.biases)};
}

// And back in the order of the layer.
GruWeights inCellOrder(const GruParams& params, const GruWeights& weights) {
  const auto ordered = [&](const Tensor& t) {
    std::vector<Tensor> units;
    for (const auto unit : params.cellOrder)
      units.push_back(t[unit]);
    return stacked(units);
  };
  return {ordered(weights.inputWeights), ordered(weights.outputWeights), ordered(weights.biases)};
}

// The gradients of one step with respect to the units before their activations: what meets the
// input, and what meets the recurrent weights (they differ in the candidate with resetAfter).
struct UnitGrads {
  Tensor input, recurrent; // [3][batch][output]
};

struct WeightSums { // in the order reset, update, candidate
  GruWeights sums;

  WeightSums(Graph& graph, const GruWeights& ordered, Sequence& prog,
             const DebugContext& debugContext)
      : sums{zeroLike(graph, ordered.inputWeights, prog, debugContext),
             zeroLike(graph, ordered.outputWeights, prog, debugContext),
             zeroLike(graph, ordered.biases, prog, debugContext)} {}

  void add(Graph& graph, const GruParams& params, const Tensor& in, const Tensor& kept,
           const UnitGrads& grads, Sequence& prog, const DebugContext& di,
           PlanningCache* cache) const {
    const auto acc = [&](const Tensor& units, const Tensor& left, const Tensor& g) {
      poplin::matMulAcc(graph, asMatrix(units), 1.0f, left.transpose(), batchFirst(g), prog, di, {},
                        cache);
    };
    acc(sums.inputWeights, in, grads.input);
    if (params.resetAfter) {
      acc(sums.outputWeights, kept[kOldOutput], grads.recurrent);
      addBatchSum(graph, grads.input, sums.biases.slice(0, 1, 1).squeeze({1}), prog, di);
      addBatchSum(graph, grads.recurrent, sums.biases.slice(1, 2, 1).squeeze({1}), prog, di);
      return;
    }
    acc(sums.outputWeights.slice(0, 2), kept[kOldOutput], grads.recurrent.slice(0, 2));
    const auto passed = popops::mul(graph, kept[kReset], kept[kOldOutput], prog, di);
    acc(sums.outputWeights.slice(2, 3), passed, grads.recurrent.slice(2, 3));
    addBatchSum(graph, grads.input, sums.biases, prog, di);
  }
};

// Back through one step: the units' gradients, and adds to `old` that of the state before the step.
UnitGrads backStep(Graph& graph, const GruParams& params, const Tensor& recurrentWeights,
                   const Tensor& kept, const Tensor& grad, Tensor& old, Sequence& prog,
                   const DebugContext& di, PlanningCache* cache) {
  const auto slope = [&](NonLinearityType type, Kept what, const Tensor& g) {
    return nonLinearityInputGradient(graph, type, kept[what], g, prog, di);
  };
  const auto candidate =
      slope(params.activation, kCandidate,
            popops::map(graph, pe::_1 - pe::_1 * pe::_2, {grad, kept[kUpdate]}, prog, di));
  const auto update = slope(params.recurrentActivation, kUpdate,
                            popops::map(graph, pe::_1 * (pe::_2 - pe::_3),
                                        {grad, kept[kOldOutput], kept[kCandidate]}, prog, di));
  old = popops::mul(graph, grad, kept[kUpdate], prog, di);
  const auto back = [&](const Tensor& g, const Tensor& units) {
    return poplin::matMul(graph, batchFirst(g), asMatrix(units).transpose(), prog, di, {}, cache);
  };
  if (params.resetAfter) {
    const auto reset = slope(params.recurrentActivation, kReset,
                             popops::mul(graph, candidate, kept[kReseted], prog, di));
    const auto behind = popops::mul(graph, candidate, kept[kReset], prog, di);
    const auto recurrent = stacked({reset, update, behind});
    popops::addInPlace(graph, old, back(recurrent, recurrentWeights), prog, di);
    return {stacked({reset, update, candidate}), recurrent};
  }
  const auto passed = back(candidate.expand({0}), recurrentWeights.slice(2, 3));
  const auto reset = slope(params.recurrentActivation, kReset,
                           popops::mul(graph, passed, kept[kReseted], prog, di));
  const auto units = stacked({reset, update, candidate});
  popops::mapInPlace(
      graph, pe::_1 + pe::_2 * pe::_3 + pe::_4,
      {old, passed, kept[kReset], back(units.slice(0, 2), recurrentWeights.slice(0, 2))}, prog, di);
  return {units, units};
}

Tensor backward(Graph& graph, const GruParams& params, Sequence& prog,
                const Tensor& fwdIntermediates, const GruWeights& ordered, const Tensor& input,
                const Tensor& outputGrad, Tensor* inputGrad, Tensor* bwdIntermediates,
                const WeightSums* sums, const DebugContext& di, PlanningCache* cache) {
  const auto& r = params.rnn;
  const auto grad = copyOrZero(graph, params.outputFullSequence ? Tensor() : outputGrad,
                               fwdIntermediates[0][kOldOutput], prog, di);
  if (inputGrad && params.calcInputGradients)
    *inputGrad = createSequence(graph, r.dataType, r.maxTimeSteps, {r.batchSize, r.layerSizes[0]},
                                {di, "inputGrad"});
  if (bwdIntermediates)
    *bwdIntermediates =
        createSequence(graph, r.dataType, r.maxTimeSteps,
                       {2 * kUnits, r.batchSize, r.layerSizes[1]}, {di, "bwdIntermediates"});
  forEachStep(
      graph, r.maxTimeSteps, Order::Descending, prog,
      [&](const Tensor& step, Sequence& body) {
        const auto kept = takeStep(graph, fwdIntermediates, step, body, di);
        const auto valid = validity(graph, r, step, body, di);
        auto output = grad;
        if (params.outputFullSequence)
          output =
              popops::add(graph, output, takeStep(graph, outputGrad, step, body, di), body, di);
        Tensor old;
        const auto units =
            backStep(graph, params, ordered.outputWeights, kept,
                     whereValid(graph, output, valid, body, di), old, body, di, cache);
        if (inputGrad && params.calcInputGradients)
          putStep(graph, *inputGrad,
                  poplin::matMul(graph, batchFirst(units.input),
                                 asMatrix(ordered.inputWeights).transpose(), body, di, {}, cache),
                  step, body, di);
        if (bwdIntermediates)
          putStep(graph, *bwdIntermediates, poplar::concat(units.input, units.recurrent), step,
                  body, di);
        if (sums)
          sums->add(graph, params, takeStep(graph, input, step, body, di), kept, units, body, di,
                    cache);
        body.add(
            poplar::program::Copy(whereValid(graph, old, grad, valid, body, di), grad, false, di));
      },
      di);
  return grad;
}

std::uint64_t numOutputs(const GruParams& params) {
  return params.rnn.maxTimeSteps * params.rnn.batchSize * params.rnn.layerSizes[1];
}

} // namespace

const std::vector<BasicGruCellUnit> getDefaultBasicGruCellOrder() {
  return {BASIC_GRU_CELL_RESET_GATE, BASIC_GRU_CELL_UPDATE_GATE, BASIC_GRU_CELL_CANDIDATE};
}

GruParams::GruParams(poplar::Type type, std::size_t batch, std::size_t steps,
                     std::vector<std::size_t> sizes, NonLinearityType act,
                     NonLinearityType recurrentAct)
    : rnn(type, batch, steps, sizes),
      dataType(type),
      batchSize(batch),
      timeSteps(steps),
      layerSizes(std::move(sizes)),
      activation(act),
      recurrentActivation(recurrentAct) {}

GruParams::GruParams(poplar::Type type, std::size_t batch, std::size_t maxSteps,
                     const Tensor& steps, std::vector<std::size_t> sizes, NonLinearityType act,
                     NonLinearityType recurrentAct)
    : GruParams(type, batch, maxSteps, sizes, act, recurrentAct) {
  rnn = rnn::RnnParams(type, batch, maxSteps, steps, std::move(sizes));
}

// Two for each product and sum of the matrices; nine for the cell.
std::uint64_t getBasicGruCellFwdFlops(const GruParams& params) {
  const auto& sizes = params.rnn.layerSizes;
  return numOutputs(params) * (2 * kUnits * (sizes[0] + sizes[1]) + kUnits + 9);
}

std::uint64_t getBasicGruCellBwdFlops(const GruParams& params) {
  const auto& sizes = params.rnn.layerSizes;
  const auto inputs = params.calcInputGradients ? sizes[0] : 0;
  return numOutputs(params) * (2 * kUnits * (inputs + sizes[1]) + 15);
}

std::uint64_t getBasicGruCellWuFlops(const GruParams& params) {
  const auto& sizes = params.rnn.layerSizes;
  return numOutputs(params) * kUnits * (2 * (sizes[0] + sizes[1]) + 1);
}

Tensor createInput(Graph& graph, const GruParams& params, const DebugContext& debugContext,
                   const OptionFlags& options, PlanningCache*) {
  check(params, options);
  const auto& r = params.rnn;
  return createSequence(graph, r.dataType, r.maxTimeSteps, {r.batchSize, r.layerSizes[0]},
                        debugContext);
}

Tensor createInitialState(Graph& graph, const GruParams& params, const DebugContext& debugContext,
                          const OptionFlags& options, PlanningCache*) {
  check(params, options);
  const auto t = graph.addVariable(params.rnn.dataType,
                                   {params.rnn.batchSize, params.rnn.layerSizes[1]}, debugContext);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

std::pair<Tensor, Tensor> createWeightsKernel(Graph& graph, const GruParams& params,
                                              const DebugContext& debugContext,
                                              const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  const auto& r = params.rnn;
  const auto create = [&](std::size_t depth, const char* name) {
    return asUnits(poplin::createMatMulInputRHS(graph, r.dataType, {r.batchSize, depth},
                                                {depth, kUnits * r.layerSizes[1]},
                                                {debugContext, name}, {}, cache),
                   kUnits);
  };
  return {create(r.layerSizes[0], "inputWeights"), create(r.layerSizes[1], "outputWeights")};
}

Tensor createWeightsBiases(Graph& graph, const GruParams& params, const DebugContext& debugContext,
                           const OptionFlags& options, PlanningCache*) {
  check(params, options);
  std::vector<std::size_t> shape = {kUnits, params.rnn.layerSizes[1]};
  if (params.resetAfter)
    shape.insert(shape.begin() + 1, 2);
  const auto biases = graph.addVariable(params.rnn.dataType, shape, debugContext);
  poputil::mapTensorLinearly(graph, biases);
  return biases;
}

GruWeights createWeights(Graph& graph, const GruParams& params, const DebugContext& debugContext,
                         const OptionFlags& options, PlanningCache* cache) {
  const auto kernel = createWeightsKernel(graph, params, {debugContext, "weights"}, options, cache);
  return {kernel.first, kernel.second,
          createWeightsBiases(graph, params, {debugContext, "biases"}, options, cache)};
}

Tensor gruFwd(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
              const GruWeights& weights, Tensor* intermediates, Sequence& fwdProg,
              const DebugContext& debugContext, const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  const DebugContext di(info, "gruFwd");
  const auto& r = params.rnn;
  const auto state = copyOf(graph, stateInit, fwdProg, {di, "state"});
  Tensor outputs;
  if (params.outputFullSequence)
    outputs = createSequence(graph, r.dataType, r.maxTimeSteps, {r.batchSize, r.layerSizes[1]},
                             {di, "outputs"});
  if (intermediates)
    *intermediates =
        createSequence(graph, r.dataType, r.maxTimeSteps, {kNumKept, r.batchSize, r.layerSizes[1]},
                       {di, "intermediates"});
  const auto ordered = inOrder(params, weights);
  const auto multiply = [&](const Tensor& left, const Tensor& units, Sequence& body) {
    return unitsFirst(poplin::matMul(graph, left, asMatrix(units), body, di, {}, cache),
                      units.dim(0));
  };
  forEachStep(
      graph, r.maxTimeSteps, Order::Ascending, fwdProg,
      [&](const Tensor& step, Sequence& body) {
        const auto units =
            multiply(takeStep(graph, in, step, body, di), ordered.inputWeights, body);
        Tensor reseted = state;
        if (params.resetAfter) {
          const auto recurrent = multiply(state, ordered.outputWeights, body);
          popops::addInPlace(graph, units, ordered.biases.slice(0, 1, 1), body, di);
          popops::addInPlace(graph, recurrent, ordered.biases.slice(1, 2, 1), body, di);
          popops::addInPlace(graph, units.slice(0, 2), recurrent.slice(0, 2), body, di);
          reseted = recurrent[kCandidate];
        } else {
          popops::addInPlace(graph, units, ordered.biases.expand({1}), body, di);
          popops::addInPlace(graph, units.slice(0, 2),
                             multiply(state, ordered.outputWeights.slice(0, 2), body), body, di);
        }
        nonLinearityInPlace(graph, params.recurrentActivation, units.slice(0, 2), body, di);
        const auto reset = units[kReset], update = units[kUpdate], candidate = units[kCandidate];
        auto passed = popops::mul(graph, reset, reseted, body, di);
        if (!params.resetAfter)
          passed = multiply(passed, ordered.outputWeights.slice(2, 3), body)[0];
        popops::addInPlace(graph, candidate, passed, body, di);
        nonLinearityInPlace(graph, params.activation, candidate, body, di);
        const auto result =
            popops::map(graph, pe::_1 * pe::_2 + (pe::Const(1.0f) - pe::_1) * pe::_3,
                        {update, state, candidate}, body, di);
        if (intermediates)
          putStep(graph, *intermediates, stacked({reset, update, candidate, state, reseted}), step,
                  body, di);
        const auto valid = validity(graph, r, step, body, di);
        if (params.outputFullSequence)
          putStep(graph, outputs, whereValid(graph, result, valid, body, di), step, body, di);
        body.add(poplar::program::Copy(whereValid(graph, result, state, valid, body, di), state,
                                       false, di));
      },
      di);
  return params.outputFullSequence ? outputs : state;
}

Tensor gruFwd(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
              const Tensor& realTimeSteps, const GruWeights& weights, Tensor* intermediates,
              Sequence& fwdProg, const DebugContext& debugContext, const OptionFlags& options,
              PlanningCache* cache) {
  auto withSteps = params;
  withSteps.rnn.varTimeSteps = realTimeSteps;
  return gruFwd(graph, withSteps, stateInit, in, weights, intermediates, fwdProg, debugContext,
                options, cache);
}

Tensor gruBwd(Graph& graph, const GruParams& params, Sequence& prog, const Tensor&,
              const Tensor& fwdIntermediatesSeq, const GruWeights& weights,
              const Tensor& fwdInputSeq, const Tensor&, const Tensor& gradLayerNext,
              Tensor* inputGrad, Tensor* bwdIntermediates, const DebugContext& debugContext,
              const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  return backward(graph, params, prog, fwdIntermediatesSeq, inOrder(params, weights), fwdInputSeq,
                  gradLayerNext, inputGrad, bwdIntermediates, nullptr, {info, "gruBwd"}, cache);
}

GruWeights gruWU(Graph& graph, const GruParams& params, Sequence& prog, const Tensor&,
                 const Tensor& fwdIntermediates, const Tensor& bwdIntermediates,
                 const GruWeights& weights, const Tensor& input, const Tensor&,
                 const DebugContext& debugContext, const OptionFlags& options,
                 PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  const DebugContext di(info, "gruWU");
  const WeightSums sums(graph, inOrder(params, weights), prog, di);
  forEachStep(
      graph, params.rnn.maxTimeSteps, Order::Ascending, prog,
      [&](const Tensor& step, Sequence& body) {
        const auto grads = takeStep(graph, bwdIntermediates, step, body, di);
        sums.add(graph, params, takeStep(graph, input, step, body, di),
                 takeStep(graph, fwdIntermediates, step, body, di),
                 {grads.slice(0, kUnits), grads.slice(kUnits, 2 * kUnits)}, body, di, cache);
      },
      di);
  return inCellOrder(params, sums.sums);
}

Tensor gruBwdWithWU(Graph& graph, const GruParams& params, Sequence& prog, const Tensor&,
                    const Tensor& fwdIntermediates, const GruWeights& weights, const Tensor& input,
                    const Tensor&, const Tensor& outputGrad, Tensor* inputGrad,
                    GruWeights& weightsGrad, const DebugContext& debugContext,
                    const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  const DebugContext di(info, "gruBwdWithWU");
  const auto ordered = inOrder(params, weights);
  const WeightSums sums(graph, ordered, prog, di);
  const auto grad = backward(graph, params, prog, fwdIntermediates, ordered, input, outputGrad,
                             inputGrad, nullptr, &sums, di, cache);
  weightsGrad = inCellOrder(params, sums.sums);
  return grad;
}

} // namespace gru
} // namespace popnn
