#include "popnn/CtcPlan.hpp"
#include "popnn/codelets/CtcBeamScratch.hpp"

#include <poplar/exceptions.hpp>
#include <popnn/CTCInference.hpp>
#include <popnn/LogSoftmax.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace popnn::ctc_infer {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::UNSIGNED_INT;
using poplar::program::Sequence;

void check(const Tensor& data, const Tensor& dataLengths, unsigned blankClass, unsigned beamwidth,
           unsigned topPaths, const ctc::Plan& plan, const OptionFlags& options) {
  ctc::requirePurpose(plan, ctc::Purpose::Inference);
  for (const auto& option : options)
    throw poplar::invalid_option("Unrecognised option '" + option.first + "' of a beam search");
  ctc::checkRealType(data.elementType());
  if (data.rank() != 3 || dataLengths.numElements() != data.dim(1))
    throw poputil::poplibs_error("ctc_infer: data of shape " + data.shapeToString() + ", " +
                                 std::to_string(dataLengths.numElements()) + " lengths");
  if (blankClass >= data.dim(2))
    throw poputil::poplibs_error("ctc_infer: blank class " + std::to_string(blankClass) + " of " +
                                 std::to_string(data.dim(2)));
  if (topPaths == 0 || topPaths > beamwidth)
    throw poputil::poplibs_error("ctc_infer: " + std::to_string(topPaths) + " paths of " +
                                 std::to_string(beamwidth) +
                                 " beams; 1 to the number of beams are"
                                 " legal");
}

std::tuple<Tensor, Tensor, Tensor> search(Graph& graph, const Tensor& data,
                                          const Tensor& dataLengths, Sequence& prog,
                                          unsigned blankClass, unsigned beamwidth,
                                          unsigned topPaths, const DebugContext& di) {
  const auto batch = data.dim(1), steps = data.dim(0), classes = data.dim(2);
  const auto lengths = ctc::asUnsigned(graph, dataLengths, prog, di).flatten();
  const auto probs =
      ctc::createPerSample(graph, data.elementType(), batch, {topPaths}, {di, "labelProbs"});
  const auto labelLengths =
      ctc::createPerSample(graph, UNSIGNED_INT, batch, {topPaths}, {di, "labelLengths"});
  const auto labels =
      ctc::createPerSample(graph, UNSIGNED_INT, batch, {topPaths, steps}, {di, "labels"});
  const auto floats = ctc::createPerSample(graph, poplar::FLOAT, batch, {beamFloats(beamwidth)},
                                           {di, "probabilities"});
  const auto numbers = ctc::createPerSample(graph, UNSIGNED_INT, batch,
                                            {beamNumbers(beamwidth, static_cast<unsigned>(steps))},
                                            {di, "prefixes"});
  const auto cs = graph.addComputeSet({di, "beamSearch"});
  for (std::size_t sample = 0; sample != batch; ++sample) {
    const auto v =
        graph.addVertex(cs, poputil::templateVertex("popnn::CtcBeamSearch", data.elementType()),
                        {{"logProbs", data.slice(sample, sample + 1, 1).flatten()},
                         {"dataLength", lengths[sample]},
                         {"labelProbs", probs[sample]},
                         {"labelLengths", labelLengths[sample]},
                         {"labels", labels[sample].flatten()},
                         {"floats", floats[sample]},
                         {"numbers", numbers[sample]}});
    graph.setInitialValue(v["numClasses"], static_cast<unsigned>(classes));
    graph.setInitialValue(v["blank"], blankClass);
    graph.setInitialValue(v["beamwidth"], beamwidth);
    graph.setTileMapping(v, ctc::tileOf(graph, sample));
  }
  prog.add(poplar::program::Execute(cs, di));
  return std::make_tuple(probs, labelLengths, labels);
}

} // namespace

ctc::Plan plan(const Graph&, const poplar::Type& inType, unsigned batchSize, unsigned maxTime,
               unsigned numClasses, unsigned beamwidth, const OptionFlags& options) {
  ctc::checkPlanOptions(options, ctc::Purpose::Inference);
  ctc::checkRealType(inType);
  auto impl = std::make_unique<ctc::Plan::Impl>();
  impl->purpose = ctc::Purpose::Inference;
  impl->sizes = {batchSize, maxTime, numClasses, beamwidth};
  return ctc::Plan(std::move(impl));
}

Tensor createDataInput(Graph& graph, const poplar::Type& type, std::size_t batchSize,
                       std::size_t maxTime, std::size_t numClasses, const ctc::Plan& plan,
                       const DebugContext& debugContext) {
  ctc::requirePurpose(plan, ctc::Purpose::Inference);
  return ctc::createData(graph, type, batchSize, maxTime, numClasses, debugContext);
}

std::tuple<Tensor, Tensor, Tensor>
beamSearchDecoderLogProbabilities(Graph& graph, const Tensor& logProbs, const Tensor& dataLengths,
                                  Sequence& prog, unsigned blankClass, unsigned beamwidth,
                                  unsigned topPaths, const ctc::Plan& plan,
                                  const DebugContext& debugContext, const OptionFlags& options) {
  check(logProbs, dataLengths, blankClass, beamwidth, topPaths, plan, options);
  poputil::PoplibsOpDebugInfo di(debugContext);
  return search(graph, logProbs, dataLengths, prog, blankClass, beamwidth, topPaths,
                {di, "ctcBeamSearch"});
}

std::tuple<Tensor, Tensor, Tensor>
beamSearchDecoderLogits(Graph& graph, const Tensor& logits, const Tensor& dataLengths,
                        Sequence& prog, unsigned blankClass, unsigned beamwidth, unsigned topPaths,
                        const ctc::Plan& plan, const DebugContext& debugContext,
                        const OptionFlags& options) {
  check(logits, dataLengths, blankClass, beamwidth, topPaths, plan, options);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto logProbs = logSoftmax(graph, logits, prog, {di, "logSoftmax"});
  return search(graph, logProbs, dataLengths, prog, blankClass, beamwidth, topPaths,
                {di, "ctcBeamSearch"});
}

} // namespace popnn::ctc_infer
