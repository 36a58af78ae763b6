#include "popnn/RnnSteps.hpp"

#include <poplar/exceptions.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Loop.hpp>
#include <popops/Reduce.hpp>
#include <popops/Zero.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <iterator>

namespace popnn::steps {

namespace pe = popops::expr;

void checkOptions(const poplar::OptionFlags& options) {
  static const char* const known[] = {"inferenceOnly",     "preCalcWeights",
                                      "partialsType",      "weightAccumulatorsType",
                                      "recomputationMode", "availableMemoryProportion",
                                      "numShards",         "rnnCodeReuse",
                                      "rnnStepsPerWU",     "disableWUPartialInterleaving"};
  for (const auto& option : options)
    if (std::find(std::begin(known), std::end(known), option.first) == std::end(known))
      throw poplar::invalid_option("Unrecognised option '" + option.first +
                                   "' of a recurrent layer");
}

void checkLayer(const rnn::RnnParams& params, NonLinearityType activation,
                NonLinearityType recurrentActivation) {
  if (params.layerSizes.size() != 2)
    throw poputil::poplibs_error("recurrent layer: " + std::to_string(params.layerSizes.size()) +
                                 " layer sizes were given; an input and an output size are needed");
  if (params.maxTimeSteps == 0 || params.batchSize == 0)
    throw poputil::poplibs_error("recurrent layer: the batch or the number of steps is 0");
  for (const auto type : {activation, recurrentActivation})
    if (type != NonLinearityType::SIGMOID && type != NonLinearityType::HARD_SIGMOID &&
        type != NonLinearityType::TANH && type != NonLinearityType::RELU)
      throw poputil::poplibs_error("recurrent layer: this activation is not supported; sigmoid, "
                                   "hard_sigmoid, tanh and relu are");
}

Tensor createSequence(Graph& graph, const poplar::Type& type, std::size_t numSteps,
                      const std::vector<std::size_t>& shape, const DebugContext& debugContext) {
  std::vector<std::size_t> full(1, numSteps);
  full.insert(full.end(), shape.begin(), shape.end());
  return popops::createSliceableTensor(graph, type, full, {0}, {1}, 0, debugContext);
}

Tensor takeStep(Graph& graph, const Tensor& sequence, const Tensor& step, Sequence& prog,
                const DebugContext& debugContext) {
  return popops::dynamicSlice(graph, sequence, step, {0}, {1}, prog, debugContext).squeeze({0});
}

void putStep(Graph& graph, const Tensor& sequence, const Tensor& value, const Tensor& step,
             Sequence& prog, const DebugContext& debugContext) {
  popops::dynamicUpdate(graph, sequence, value.expand({0}), step, {0}, {1}, prog, debugContext);
}

void forEachStep(Graph& graph, std::size_t numSteps, Order order, Sequence& prog,
                 const std::function<void(const Tensor&, Sequence&)>& f,
                 const DebugContext& debugContext) {
  prog.add(popops::countedLoop(
      graph, numSteps,
      [&](const Tensor& counter) {
        Sequence body;
        auto step = counter.flatten();
        if (order == Order::Descending)
          step = popops::map(graph, pe::Const(static_cast<unsigned>(numSteps - 1)) - pe::_1, {step},
                             body, debugContext);
        f(step, body);
        return body;
      },
      debugContext));
}

Tensor validity(Graph& graph, const rnn::RnnParams& params, const Tensor& step, Sequence& body,
                const DebugContext& debugContext) {
  if (!params.variableTimeSteps())
    return {};
  return popops::lt(graph, step, params.varTimeSteps.flatten(), body, debugContext).expand({1});
}

Tensor whereValid(Graph& graph, const Tensor& value, const Tensor& valid, Sequence& body,
                  const DebugContext& debugContext) {
  if (!valid.valid())
    return value;
  return popops::map(graph, pe::Select(pe::_1, pe::Const(0.0f), pe::_2), {value, valid}, body,
                     debugContext);
}

Tensor whereValid(Graph& graph, const Tensor& value, const Tensor& otherwise, const Tensor& valid,
                  Sequence& body, const DebugContext& debugContext) {
  if (!valid.valid())
    return value;
  return popops::map(graph, pe::Select(pe::_1, pe::_2, pe::_3), {value, otherwise, valid}, body,
                     debugContext);
}

Tensor asMatrix(const Tensor& units) {
  return units.dimShuffle({1, 0, 2}).flatten(1, 3);
}

Tensor asUnits(const Tensor& matrix, std::size_t numUnits) {
  return unitsFirst(matrix, numUnits);
}

Tensor unitsFirst(const Tensor& matrix, std::size_t numUnits) {
  return matrix.reshapePartial(1, 2, {numUnits, matrix.dim(1) / numUnits}).dimShuffle({1, 0, 2});
}

Tensor stacked(const std::vector<Tensor>& units) {
  std::vector<Tensor> expanded;
  for (const auto& unit : units)
    expanded.push_back(unit.expand({0}));
  return poplar::concat(expanded);
}

Tensor batchFirst(const Tensor& units) {
  return units.dimShuffle({1, 0, 2}).flatten(1, 3);
}

Tensor copyOf(Graph& graph, const Tensor& t, Sequence& prog, const DebugContext& debugContext) {
  return poputil::duplicate(graph, t, prog, debugContext);
}

Tensor zeroLike(Graph& graph, const Tensor& t, Sequence& prog, const DebugContext& debugContext) {
  const auto zeros = graph.clone(t, debugContext);
  popops::zero(graph, zeros, prog, debugContext);
  return zeros;
}

Tensor copyOrZero(Graph& graph, const Tensor& t, const Tensor& like, Sequence& prog,
                  const DebugContext& debugContext) {
  const auto result = zeroLike(graph, like, prog, debugContext);
  if (t.valid())
    prog.add(poplar::program::Copy(t, result, false, debugContext));
  return result;
}

void addBatchSum(Graph& graph, const Tensor& grads, const Tensor& sum, Sequence& prog,
                 const DebugContext& debugContext) {
  const auto added = popops::reduce(graph, grads, {1}, popops::Operation::ADD, prog, debugContext);
  popops::addInPlace(graph, sum, added, prog, debugContext);
}

} // namespace popnn::steps
