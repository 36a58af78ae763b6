#include "popnn/GruCell.hpp"

#include <popnn/NonLinearity.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace popnn::gru {
namespace {

using namespace steps;
using poplar::OptionFlags;
using poplin::PlanningCache;
namespace pe = popops::expr;

// What the backward pass needs of a step: activated gates, the state before the step, and what the
// reset gate multiplies: that state, or with resetAfter h U + b1 of the candidate.
enum Kept { kReset, kUpdate, kCandidate, kOldOutput, kReseted, kNumKept };

std::size_t place(const GruParams& params, BasicGruCellUnit unit) {
  return static_cast<std::size_t>(
      std::find(params.cellOrder.begin(), params.cellOrder.end(), unit) - params.cellOrder.begin());
}

// The scores of a step as [batch][1]; invalid without attention.
Tensor attentionOf(Graph& graph, const Tensor& attention, const Tensor& step, Sequence& prog,
                   const DebugContext& di) {
  if (!attention.valid())
    return {};
  return takeStep(graph, attention.transpose(), step, prog, di).expand({1});
}

// What attention leaves of the update gate: (1 - a) * u.
Tensor attended(Graph& graph, const Tensor& update, const Tensor& attention, Sequence& prog,
                const DebugContext& di) {
  if (!attention.valid())
    return update;
  return popops::map(graph, pe::_1 - pe::_1 * pe::_2, {update, attention}, prog, di);
}

// Back through one step: the units' gradients, and sets `old` to that of the state before the step
// and `attentionGrad`, if there is attention, to its gradient.
UnitGrads backStep(Graph& graph, const GruParams& params, const Tensor& recurrentWeights,
                   const Tensor& kept, const Tensor& attention, const Tensor& grad, Tensor& old,
                   Tensor& attentionGrad, Sequence& prog, const DebugContext& di,
                   PlanningCache* cache) {
  const auto share = attended(graph, kept[kUpdate], attention, prog, di);
  const auto slope = [&](NonLinearityType type, Kept what, const Tensor& g) {
    return nonLinearityInputGradient(graph, type, kept[what], g, prog, di);
  };
  const auto candidate =
      slope(params.activation, kCandidate,
            popops::map(graph, pe::_1 - pe::_1 * pe::_2, {grad, share}, prog, di));
  const auto shareGrad = popops::map(graph, pe::_1 * (pe::_2 - pe::_3),
                                     {grad, kept[kOldOutput], kept[kCandidate]}, prog, di);
  if (attention.valid())
    attentionGrad = popops::reduce(
        graph, popops::map(graph, -pe::_1 * pe::_2, {shareGrad, kept[kUpdate]}, prog, di), {1},
        popops::Operation::ADD, prog, di);
  const auto update =
      slope(params.recurrentActivation, kUpdate, attended(graph, shareGrad, attention, prog, di));
  old = popops::mul(graph, grad, share, prog, di);
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

} // namespace

void check(const GruParams& params, const OptionFlags& options) {
  checkOptions(options);
  checkLayer(params.rnn, params.activation, params.recurrentActivation);
  auto order = params.cellOrder;
  std::sort(order.begin(), order.end());
  if (order != getDefaultBasicGruCellOrder())
    throw poputil::poplibs_error("gru: cellOrder must name each of the three units once");
}

GruWeights inOrder(const GruParams& params, const GruWeights& weights) {
  const auto sorted = [&](const Tensor& t) {
    std::vector<Tensor> units;
    for (const auto unit : getDefaultBasicGruCellOrder())
      units.push_back(t[place(params, unit)]);
    return stacked(units);
  };
  return {sorted(weights.inputWeights), sorted(weights.outputWeights), sorted(weights.biases)};
}

GruWeights inCellOrder(const GruParams& params, const GruWeights& weights) {
  const auto ordered = [&](const Tensor& t) {
    std::vector<Tensor> units;
    for (const auto unit : params.cellOrder)
      units.push_back(t[unit]);
    return stacked(units);
  };
  return {ordered(weights.inputWeights), ordered(weights.outputWeights), ordered(weights.biases)};
}

WeightSums::WeightSums(Graph& graph, const GruWeights& ordered, Sequence& prog,
                       const DebugContext& debugContext)
    : sums{zeroLike(graph, ordered.inputWeights, prog, debugContext),
           zeroLike(graph, ordered.outputWeights, prog, debugContext),
           zeroLike(graph, ordered.biases, prog, debugContext)} {}

void WeightSums::add(Graph& graph, const GruParams& params, const Tensor& in, const Tensor& kept,
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

Tensor forward(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
               const GruWeights& ordered, Tensor* intermediates, const Tensor& attention,
               Sequence& prog, const DebugContext& di, PlanningCache* cache) {
  const auto& r = params.rnn;
  const auto state = copyOf(graph, stateInit, prog, {di, "state"});
  Tensor outputs;
  if (params.outputFullSequence)
    outputs = createSequence(graph, r.dataType, r.maxTimeSteps, {r.batchSize, r.layerSizes[1]},
                             {di, "outputs"});
  if (intermediates)
    *intermediates =
        createSequence(graph, r.dataType, r.maxTimeSteps, {kNumKept, r.batchSize, r.layerSizes[1]},
                       {di, "intermediates"});
  const auto multiply = [&](const Tensor& left, const Tensor& units, Sequence& body) {
    return unitsFirst(poplin::matMul(graph, left, asMatrix(units), body, di, {}, cache),
                      units.dim(0));
  };
  forEachStep(
      graph, r.maxTimeSteps, Order::Ascending, prog,
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
        const auto result = popops::map(
            graph, pe::_1 * pe::_2 + (pe::Const(1.0f) - pe::_1) * pe::_3,
            {attended(graph, update, attentionOf(graph, attention, step, body, di), body, di),
             state, candidate},
            body, di);
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

Tensor backward(Graph& graph, const GruParams& params, Sequence& prog,
                const Tensor& fwdIntermediates, const GruWeights& ordered, const Tensor& input,
                const Tensor& outputGrad, const Tensor& attention, const BackwardResults& results,
                const DebugContext& di, PlanningCache* cache) {
  const auto [inputGrad, bwdIntermediates, sums, attentionGrad] = results;
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
  Tensor attentionGrads;
  if (attention.valid())
    attentionGrads =
        createSequence(graph, r.dataType, r.maxTimeSteps, {r.batchSize}, {di, "attentionGrad"});
  forEachStep(
      graph, r.maxTimeSteps, Order::Descending, prog,
      [&, inputGrad = inputGrad, bwdIntermediates = bwdIntermediates,
       sums = sums](const Tensor& step, Sequence& body) {
        const auto kept = takeStep(graph, fwdIntermediates, step, body, di);
        const auto valid = validity(graph, r, step, body, di);
        auto output = grad;
        if (params.outputFullSequence)
          output =
              popops::add(graph, output, takeStep(graph, outputGrad, step, body, di), body, di);
        Tensor old, ofAttention;
        const auto units =
            backStep(graph, params, ordered.outputWeights, kept,
                     attentionOf(graph, attention, step, body, di),
                     whereValid(graph, output, valid, body, di), old, ofAttention, body, di, cache);
        if (attention.valid())
          putStep(graph, attentionGrads, ofAttention, step, body, di);
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
  if (attentionGrad && attention.valid())
    *attentionGrad = attentionGrads.transpose();
  return grad;
}

} // namespace popnn::gru
