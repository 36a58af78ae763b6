#include "popnn/CtcPlan.hpp"

#include <popnn/CTCLoss.hpp>
#include <popnn/LogSoftmax.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace popnn::ctc {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;

bool parseIncludeSoftmax(const OptionFlags& options) {
  bool include = true;
  const poplibs::OptionSpec spec{
      {"includeSoftmaxGradient", poplibs::OptionHandler::createWithBool(include)}};
  for (const auto& option : options)
    spec.parse(option.first, option.second);
  return include;
}

void checkTypes(const poplar::Type& inType, const poplar::Type& outType) {
  checkRealType(inType);
  checkRealType(outType);
  if (inType == poplar::FLOAT && outType == poplar::HALF)
    throw poputil::poplibs_error("ctc: results of type HALF for data of type FLOAT");
}

void checkShapes(const Tensor& data, const Tensor& labels, const Tensor& dataLengths,
                 const Tensor& labelLengths, unsigned blankClass) {
  if (data.rank() != 3 || labels.rank() != 2 || labels.dim(0) != data.dim(1) ||
      dataLengths.numElements() != data.dim(1) || labelLengths.numElements() != data.dim(1))
    throw poputil::poplibs_error("ctc: data of shape " + data.shapeToString() + ", labels of " +
                                 labels.shapeToString() + ", " +
                                 std::to_string(dataLengths.numElements()) + " and " +
                                 std::to_string(labelLengths.numElements()) + " lengths");
  if (blankClass >= data.dim(2))
    throw poputil::poplibs_error("ctc: blank class " + std::to_string(blankClass) + " of " +
                                 std::to_string(data.dim(2)));
}

std::pair<Tensor, Tensor> lossAndGradient(Graph& graph, const poplar::Type& outType,
                                          const Tensor& data, const Tensor& labelTensor,
                                          const Tensor& dataLengths, const Tensor& labelLengths,
                                          Sequence& prog, unsigned blankClass, bool includeSoftmax,
                                          const DebugContext& di) {
  checkTypes(data.elementType(), outType);
  checkShapes(data, labelTensor, dataLengths, labelLengths, blankClass);
  const auto batch = data.dim(1), steps = data.dim(0), classes = data.dim(2);
  const auto labels = asUnsigned(graph, labelTensor, prog, di);
  const auto numSteps = asUnsigned(graph, dataLengths, prog, di).flatten();
  const auto numLabels = asUnsigned(graph, labelLengths, prog, di).flatten();
  const auto loss = createPerSample(graph, outType, batch, {}, {di, "loss"});
  const auto gradient = createData(graph, outType, batch, steps, classes, {di, "gradient"});
  // Forward sums of all steps, backward sums of two, and a row of the gradient.
  const auto places = 2 * labels.dim(1) + 1;
  const auto scratch = createPerSample(graph, poplar::FLOAT, batch,
                                       {(steps + 2) * places + classes}, {di, "scratch"});
  const auto cs = graph.addComputeSet({di, "ctcLoss"});
  for (std::size_t sample = 0; sample != batch; ++sample) {
    const auto v =
        graph.addVertex(cs, poputil::templateVertex("popnn::CtcLoss", data.elementType(), outType),
                        {{"logProbs", data.slice(sample, sample + 1, 1).flatten()},
                         {"labels", labels[sample]},
                         {"dataLength", numSteps[sample]},
                         {"labelLength", numLabels[sample]},
                         {"loss", loss[sample]},
                         {"gradient", gradient.slice(sample, sample + 1, 1).flatten()},
                         {"scratch", scratch[sample]}});
    graph.setInitialValue(v["numClasses"], static_cast<unsigned>(classes));
    graph.setInitialValue(v["blank"], blankClass);
    graph.setInitialValue(v["includeSoftmax"], includeSoftmax);
    graph.setTileMapping(v, tileOf(graph, sample));
  }
  prog.add(poplar::program::Execute(cs, di));
  return {loss, gradient};
}

} // namespace

Plan plan(const Graph&, const poplar::Type& inType, const poplar::Type& outType, unsigned batchSize,
          unsigned maxTime, unsigned maxLabelLength, unsigned numClasses,
          const OptionFlags& options) {
  checkPlanOptions(options, Purpose::Loss);
  checkTypes(inType, outType);
  auto impl = std::make_unique<Plan::Impl>();
  impl->purpose = Purpose::Loss;
  impl->sizes = {batchSize, maxTime, numClasses, maxLabelLength};
  return Plan(std::move(impl));
}

Tensor createDataInput(Graph& graph, const poplar::Type& type, std::size_t batchSize,
                       std::size_t maxTime, std::size_t numClasses, const Plan& plan,
                       const DebugContext& debugContext) {
  requirePurpose(plan, Purpose::Loss);
  return createData(graph, type, batchSize, maxTime, numClasses, debugContext);
}

Tensor createLabelsInput(Graph& graph, const poplar::Type& type, std::size_t batchSize,
                         std::size_t maxLabelLength, const Plan& plan,
                         const DebugContext& debugContext) {
  requirePurpose(plan, Purpose::Loss);
  return createPerSample(graph, type, batchSize, {maxLabelLength}, debugContext);
}

std::pair<Tensor, Tensor> calcLossAndGradientLogProbabilities(
    Graph& graph, const poplar::Type& outType, const Tensor& logProbs, const Tensor& labels,
    const Tensor& dataLengths, const Tensor& labelLengths, Sequence& prog, unsigned blankClass,
    const Plan& plan, const DebugContext& debugContext, const OptionFlags& options) {
  requirePurpose(plan, Purpose::Loss);
  const auto includeSoftmax = parseIncludeSoftmax(options);
  poputil::PoplibsOpDebugInfo di(debugContext);
  return lossAndGradient(graph, outType, logProbs, labels, dataLengths, labelLengths, prog,
                         blankClass, includeSoftmax, {di, "ctcLoss"});
}

std::pair<Tensor, Tensor> calcLossAndGradientLogits(
    Graph& graph, const poplar::Type& outType, const Tensor& logits, const Tensor& labels,
    const Tensor& dataLengths, const Tensor& labelLengths, Sequence& prog, unsigned blankClass,
    const Plan& plan, const DebugContext& debugContext, const OptionFlags& options) {
  requirePurpose(plan, Purpose::Loss);
  if (!parseIncludeSoftmax(options))
    throw poputil::poplibs_error("ctc: the gradient of logits always includes that of the softmax");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto logProbs = logSoftmax(graph, logits, prog, {di, "logSoftmax"});
  return lossAndGradient(graph, outType, logProbs, labels, dataLengths, labelLengths, prog,
                         blankClass, true, {di, "ctcLoss"});
}

} // namespace popnn::ctc
