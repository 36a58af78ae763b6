#include "popnn/GruCell.hpp"

#include <popnn/Gru.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>

namespace popnn {
namespace gru {
namespace {

using namespace steps;
using poplar::OptionFlags;
using poplin::PlanningCache;

std::uint64_t numOutputs(const GruParams& params) {
  return params.rnn.maxTimeSteps * params.rnn.batchSize * params.rnn.layerSizes[1];
}

GruParams withSteps(GruParams params, const Tensor& realTimeSteps) {
  params.rnn.varTimeSteps = realTimeSteps;
  return params;
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

Tensor createAttention(Graph& graph, const GruParams& params, const DebugContext& debugContext,
                       const OptionFlags& options) {
  check(params, options);
  const auto& r = params.rnn;
  return createSequence(graph, r.dataType, r.maxTimeSteps, {r.batchSize}, debugContext).transpose();
}

Tensor gruFwd(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
              const GruWeights& weights, Tensor* intermediates, Sequence& fwdProg,
              const DebugContext& debugContext, const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  return forward(graph, params, stateInit, in, inOrder(params, weights), intermediates, Tensor(),
                 fwdProg, {info, "gruFwd"}, cache);
}

Tensor gruFwd(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
              const Tensor& realTimeSteps, const GruWeights& weights, Tensor* intermediates,
              Sequence& fwdProg, const DebugContext& debugContext, const OptionFlags& options,
              PlanningCache* cache) {
  return gruFwd(graph, withSteps(params, realTimeSteps), stateInit, in, weights, intermediates,
                fwdProg, debugContext, options, cache);
}

Tensor auGruFwd(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
                const GruWeights& weights, Tensor* intermediates, const Tensor& attScores,
                Sequence& fwdProg, const DebugContext& debugContext, const OptionFlags& options,
                PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  return forward(graph, params, stateInit, in, inOrder(params, weights), intermediates, attScores,
                 fwdProg, {info, "auGruFwd"}, cache);
}

Tensor auGruFwd(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
                const Tensor& realTimeSteps, const GruWeights& weights, Tensor* intermediates,
                const Tensor& attScores, Sequence& fwdProg, const DebugContext& debugContext,
                const OptionFlags& options, PlanningCache* cache) {
  return auGruFwd(graph, withSteps(params, realTimeSteps), stateInit, in, weights, intermediates,
                  attScores, fwdProg, debugContext, options, cache);
}

Tensor gruBwd(Graph& graph, const GruParams& params, Sequence& prog, const Tensor&,
              const Tensor& fwdIntermediatesSeq, const GruWeights& weights,
              const Tensor& fwdInputSeq, const Tensor&, const Tensor& gradLayerNext,
              Tensor* inputGrad, Tensor* bwdIntermediates, const DebugContext& debugContext,
              const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  return backward(graph, params, prog, fwdIntermediatesSeq, inOrder(params, weights), fwdInputSeq,
                  gradLayerNext, Tensor(), {inputGrad, bwdIntermediates, nullptr}, {info, "gruBwd"},
                  cache);
}

Tensor gruBwd(Graph& graph, const GruParams& params, Sequence& prog, const Tensor& fwdOutputInit,
              const Tensor& fwdIntermediatesSeq, const GruWeights& weights,
              const Tensor& fwdInputSeq, const Tensor& realTimeSteps, const Tensor& fwdOutput,
              const Tensor& gradLayerNext, Tensor* inputGrad, Tensor* bwdIntermediates,
              const DebugContext& debugContext, const OptionFlags& options, PlanningCache* cache) {
  return gruBwd(graph, withSteps(params, realTimeSteps), prog, fwdOutputInit, fwdIntermediatesSeq,
                weights, fwdInputSeq, fwdOutput, gradLayerNext, inputGrad, bwdIntermediates,
                debugContext, options, cache);
}

Tensor auGruBwd(Graph& graph, const GruParams& params, Sequence& prog, const Tensor&,
                const Tensor& fwdIntermediatesSeq, const GruWeights& weights,
                const Tensor& fwdInputSeq, const Tensor&, const Tensor& gradLayerNext,
                Tensor* inputGrad, Tensor* bwdIntermediates, const Tensor& attentions,
                Tensor* attentionsGrad, const DebugContext& debugContext,
                const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  return backward(graph, params, prog, fwdIntermediatesSeq, inOrder(params, weights), fwdInputSeq,
                  gradLayerNext, attentions, {inputGrad, bwdIntermediates, nullptr, attentionsGrad},
                  {info, "auGruBwd"}, cache);
}

Tensor auGruBwd(Graph& graph, const GruParams& params, Sequence& prog, const Tensor& fwdOutputInit,
                const Tensor& fwdIntermediatesSeq, const GruWeights& weights,
                const Tensor& fwdInputSeq, const Tensor& realTimeSteps, const Tensor& fwdOutput,
                const Tensor& gradLayerNext, Tensor* inputGrad, Tensor* bwdIntermediates,
                const Tensor& attentions, Tensor* attentionsGrad, const DebugContext& debugContext,
                const OptionFlags& options, PlanningCache* cache) {
  return auGruBwd(graph, withSteps(params, realTimeSteps), prog, fwdOutputInit, fwdIntermediatesSeq,
                  weights, fwdInputSeq, fwdOutput, gradLayerNext, inputGrad, bwdIntermediates,
                  attentions, attentionsGrad, debugContext, options, cache);
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

GruWeights auGruWU(Graph& graph, const GruParams& params, Sequence& prog,
                   const Tensor& fwdOutputInit, const Tensor& fwdIntermediates,
                   const Tensor& bwdIntermediates, const GruWeights& weights, const Tensor& input,
                   const Tensor& output, const DebugContext& debugContext,
                   const OptionFlags& options, PlanningCache* cache) {
  return gruWU(graph, params, prog, fwdOutputInit, fwdIntermediates, bwdIntermediates, weights,
               input, output, debugContext, options, cache);
}

namespace {

// Backwards with the weights' gradients summed on the way.
Tensor backwardWithSums(Graph& graph, const GruParams& params, Sequence& prog,
                        const Tensor& fwdIntermediates, const GruWeights& weights,
                        const Tensor& input, const Tensor& outputGrad, Tensor* inputGrad,
                        GruWeights& weightsGrad, const Tensor& attentions, Tensor* attentionsGrad,
                        const DebugContext& di, PlanningCache* cache) {
  const auto ordered = inOrder(params, weights);
  const WeightSums sums(graph, ordered, prog, di);
  const auto grad = backward(graph, params, prog, fwdIntermediates, ordered, input, outputGrad,
                             attentions, {inputGrad, nullptr, &sums, attentionsGrad}, di, cache);
  weightsGrad = inCellOrder(params, sums.sums);
  return grad;
}

} // namespace

Tensor gruBwdWithWU(Graph& graph, const GruParams& params, Sequence& prog, const Tensor&,
                    const Tensor& fwdIntermediates, const GruWeights& weights, const Tensor& input,
                    const Tensor&, const Tensor& outputGrad, Tensor* inputGrad,
                    GruWeights& weightsGrad, const DebugContext& debugContext,
                    const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  const DebugContext di(info, "gruBwdWithWU");
  return backwardWithSums(graph, params, prog, fwdIntermediates, weights, input, outputGrad,
                          inputGrad, weightsGrad, Tensor(), nullptr, di, cache);
}

Tensor gruBwdWithWU(Graph& graph, const GruParams& params, Sequence& prog,
                    const Tensor& fwdOutputInit, const Tensor& fwdIntermediates,
                    const GruWeights& weights, const Tensor& input, const Tensor& realTimeSteps,
                    const Tensor& output, const Tensor& outputGrad, Tensor* inputGrad,
                    GruWeights& weightsGrad, const DebugContext& debugContext,
                    const OptionFlags& options, PlanningCache* cache) {
  return gruBwdWithWU(graph, withSteps(params, realTimeSteps), prog, fwdOutputInit,
                      fwdIntermediates, weights, input, output, outputGrad, inputGrad, weightsGrad,
                      debugContext, options, cache);
}

Tensor auGruBwdWithWU(Graph& graph, const GruParams& params, Sequence& prog, const Tensor&,
                      const Tensor& fwdIntermediates, const GruWeights& weights,
                      const Tensor& input, const Tensor&, const Tensor& outputGrad,
                      Tensor* inputGrad, GruWeights& weightsGrad, const Tensor& attentions,
                      Tensor* attentionsGrad, const DebugContext& debugContext,
                      const OptionFlags& options, PlanningCache* cache) {
  check(params, options);
  poputil::PoplibsOpDebugInfo info(debugContext);
  const DebugContext di(info, "auGruBwdWithWU");
  return backwardWithSums(graph, params, prog, fwdIntermediates, weights, input, outputGrad,
                          inputGrad, weightsGrad, attentions, attentionsGrad, di, cache);
}

Tensor auGruBwdWithWU(Graph& graph, const GruParams& params, Sequence& prog,
                      const Tensor& fwdOutputInit, const Tensor& fwdIntermediates,
                      const GruWeights& weights, const Tensor& input, const Tensor& realTimeSteps,
                      const Tensor& output, const Tensor& outputGrad, Tensor* inputGrad,
                      GruWeights& weightsGrad, const Tensor& attentions, Tensor* attentionsGrad,
                      const DebugContext& debugContext, const OptionFlags& options,
                      PlanningCache* cache) {
  return auGruBwdWithWU(graph, withSteps(params, realTimeSteps), prog, fwdOutputInit,
                        fwdIntermediates, weights, input, output, outputGrad, inputGrad,
                        weightsGrad, attentions, attentionsGrad, debugContext, options, cache);
}

} // namespace gru
} // namespace popnn
