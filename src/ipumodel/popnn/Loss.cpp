#include <popnn/Loss.hpp>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Encoding.hpp>
#include <popops/EncodingConstants.hpp>
#include <popops/Reduce.hpp>
#include <popops/TopK.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include <string>

namespace popnn {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Program;
using poplar::program::Sequence;

bool isLabels(const Tensor& expected) {
  return expected.elementType() == poplar::INT || expected.elementType() == poplar::UNSIGNED_INT;
}

// The expected distribution of each sample.
Tensor distribution(Graph& graph, const Tensor& modelOutputs, const Tensor& expected,
                    Sequence& prog, const DebugContext& debugContext) {
  if (modelOutputs.rank() != 2 || expected.dim(0) != modelOutputs.dim(0))
    throw poputil::poplibs_error("calcLoss: outputs of shape " + modelOutputs.shapeToString() +
                                 ", expected of shape " + expected.shapeToString());
  if (!isLabels(expected))
    return expected;
  const auto oneHot = graph.clone(modelOutputs, debugContext);
  popops::encodeOneHot(graph, expected, oneHot, prog, debugContext);
  return oneHot;
}

// What keeps the logarithm of a probability of zero finite.
float logOffset(const poplar::Type& type) {
  return type == poplar::HALF ? EPS_LOG_N_HALF : EPS_LOG_N_FLOAT;
}

namespace pe = popops::expr;

// Losses are small; to compile a codelet for them would take longer than they do.
const poplar::OptionFlags kNoCodelet{{"enableGenerateCodelet", "false"}};

// Of a HALF, whose few digits a scaled output would lose.
pe::Cast wide(const pe::PlaceHolder& t) {
  return pe::Cast(t, poplar::FLOAT);
}

// -target * log(output / scaling)
Tensor crossEntropy(Graph& graph, const Tensor& outputs, const Tensor& target,
                    const Tensor& scaling, Sequence& prog, const DebugContext& debugContext) {
  const auto logOfOutput =
      pe::Log(pe::Add(wide(pe::_1), pe::Const(logOffset(outputs.elementType()))));
  return popops::map(graph, pe::Mul(wide(pe::_2), pe::Sub(pe::Log(wide(pe::_3)), logOfOutput)),
                     {outputs, target, scaling}, prog, debugContext, kNoCodelet);
}

Tensor makeScalar(Graph& graph, const poplar::Type& type, float value,
                  const DebugContext& debugContext) {
  const auto t = graph.addConstant(type, {}, value, debugContext);
  graph.setTileMapping(t, 0);
  return t;
}

} // namespace

Program calcLoss(Graph& graph, const Tensor& modelOutputs, const Tensor& expected,
                 const Tensor& loss, const Tensor& deltas, const Tensor& deltasScale,
                 const Tensor& modelOutputScaling, LossType lossType,
                 const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  Sequence prog;
  const auto target = distribution(graph, modelOutputs, expected, prog, {di, "expected"});
  auto difference =
      popops::map(graph, pe::Sub(pe::Divide(wide(pe::_1), wide(pe::_3)), wide(pe::_2)),
                  {modelOutputs, target, modelOutputScaling}, prog, {di}, kNoCodelet);
  // A masked sample has no target and no gradient.
  if (isLabels(expected)) {
    const auto present =
        popops::reduce(graph, target, {1}, popops::Operation::ADD, prog, {di}).expand({1});
    popops::mapInPlace(graph, pe::Mul(pe::_1, wide(pe::_2)), {difference, present}, prog, {di},
                       kNoCodelet);
  }
  const auto perElement =
      lossType == CROSS_ENTROPY_LOSS
          ? crossEntropy(graph, modelOutputs, target, modelOutputScaling, prog, {di})
          : popops::map(graph, pe::Mul(pe::Square(pe::_1), pe::Const(0.5f)), {difference}, prog,
                        {di}, kNoCodelet);
  popops::mapWithOutput(graph, pe::Cast(pe::Mul(pe::_1, wide(pe::_2)), deltas.elementType()),
                        {difference, deltasScale}, deltas, prog, {di}, kNoCodelet);
  popops::reduceWithOutput(graph, perElement, loss, {1}, popops::Operation::ADD, prog, {di});
  return prog;
}

Program calcLoss(Graph& graph, const Tensor& modelOutputs, const Tensor& expected,
                 const Tensor& loss, const Tensor& deltas, LossType lossType,
                 const DebugContext& debugContext) {
  const auto one = makeScalar(graph, modelOutputs.elementType(), 1, debugContext);
  return calcLoss(graph, modelOutputs, expected, loss, deltas, one, one, lossType, debugContext);
}

Program calcLoss(Graph& graph, const Tensor& modelOutputs, const Tensor& expected,
                 const Tensor& loss, const Tensor& deltas, const Tensor& numCorrect,
                 LossType lossType, const DebugContext& debugContext) {
  Sequence prog;
  prog.add(calcLoss(graph, modelOutputs, expected, loss, deltas, lossType, debugContext));
  prog.add(calcAccuracy(graph, modelOutputs, expected, numCorrect, debugContext));
  return prog;
}

Program calcAccuracy(Graph& graph, const Tensor& modelOutputs, const Tensor& expected,
                     const Tensor& numCorrect, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  Sequence prog;
  const auto predicted = argMax(graph, modelOutputs, prog, {di});
  const auto labels = isLabels(expected) ? expected.reinterpret(poplar::UNSIGNED_INT)
                                         : argMax(graph, expected, prog, {di});
  const auto correct = popops::cast(graph, popops::eq(graph, predicted, labels, prog, {di}),
                                    poplar::UNSIGNED_INT, prog, {di});
  popops::reduceWithOutput(graph, correct, numCorrect.reshape({}), {0},
                           {popops::Operation::ADD, true}, prog, {di});
  return prog;
}

namespace {

std::pair<Tensor, Tensor> bestOfRows(Graph& graph, const Tensor& input, bool largest,
                                     Sequence& prog, const DebugContext& debugContext) {
  if (input.rank() != 2)
    throw poputil::poplibs_error(std::string(largest ? "argMax" : "argMin") +
                                 ": the tensor has shape " + input.shapeToString() +
                                 "; it must be a matrix");
  const popops::TopKParams one(1, largest, popops::SortOrder::NONE);
  const auto best = popops::topKWithPermutation(graph, prog, input, one, debugContext);
  return {best.first.flatten(), best.second.flatten()};
}

} // namespace

Tensor argMax(Graph& graph, const Tensor& input, Sequence& prog, const DebugContext& debugContext) {
  return bestOfRows(graph, input, true, prog, debugContext).second;
}
Tensor argMin(Graph& graph, const Tensor& input, Sequence& prog, const DebugContext& debugContext) {
  return bestOfRows(graph, input, false, prog, debugContext).second;
}

std::pair<Tensor, Tensor> maxAndArgMax(Graph& graph, const Tensor& input, Sequence& prog,
                                       const DebugContext& debugContext) {
  return bestOfRows(graph, input, true, prog, debugContext);
}

std::pair<Tensor, Tensor> minAndArgMin(Graph& graph, const Tensor& input, Sequence& prog,
                                       const DebugContext& debugContext) {
  return bestOfRows(graph, input, false, prog, debugContext);
}

Tensor topK(Graph& graph, const Tensor& input, Tensor& indices, unsigned K, bool sort,
            Sequence& prog, const DebugContext& debugContext) {
  const popops::TopKParams params(K, true,
                                  sort ? popops::SortOrder::DESCENDING : popops::SortOrder::NONE);
  const auto best = popops::topKWithPermutation(graph, prog, input, params, debugContext);
  indices = best.second;
  return best.first;
}

} // namespace popnn
