// GRU layers: forward, backward, and the gradients of the weights.
//
//   r, u = recurrentActivation(x W + h U + b),  h' = u * h + (1 - u) * c
//   c = activation(x W + (r * h) U + b), or with resetAfter activation(x W + b0 + r * (h U + b1))
//
// x is [steps][batch][input size]; W is [3][input size][output size], U [3][output size][output
// size], b [3][output size], with resetAfter [3][2][output size]; their units in the order of
// GruParams::cellOrder. FLOAT and HALF. With run-time numbers of steps, outputs beyond them are 0
// and the last output is that of the last valid step. Options as in popnn/Lstm.hpp.
//
// With attention (AUGRU), (1 - a) * u stands for u in h', a being the step's score for the sample;
// scores and their gradients are [batch][steps].
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplin/MatMul.hpp>
#include <popnn/GruDef.hpp>
#include <popnn/NonLinearityDef.hpp>
#include <popnn/Rnn.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace popnn {
namespace gru {

/// Reset gate, update gate, candidate.
const std::vector<BasicGruCellUnit> getDefaultBasicGruCellOrder();

struct GruParams {
  rnn::RnnParams rnn;
  poplar::Type dataType; ///< an older name of what rnn holds, like the next three
  std::size_t batchSize = 0;
  std::size_t timeSteps = 0;
  std::vector<std::size_t> layerSizes;
  bool outputFullSequence = true; ///< otherwise only the last output
  bool calcInputGradients = true;
  std::vector<BasicGruCellUnit> cellOrder = getDefaultBasicGruCellOrder();
  bool resetAfter = false;
  NonLinearityType activation = NonLinearityType::TANH;
  NonLinearityType recurrentActivation = NonLinearityType::SIGMOID;

  GruParams() = default;
  /// layerSizes: input size, output size.
  GruParams(poplar::Type dataType, std::size_t batchSize, std::size_t timeSteps,
            std::vector<std::size_t> layerSizes,
            NonLinearityType activation = NonLinearityType::TANH,
            NonLinearityType recurrentActivation = NonLinearityType::SIGMOID);
  /// `timeSteps`: UNSIGNED_INT, one number for all samples or one for each.
  GruParams(poplar::Type dataType, std::size_t batchSize, std::size_t maxTimeSteps,
            const poplar::Tensor& timeSteps, std::vector<std::size_t> layerSizes,
            NonLinearityType activation = NonLinearityType::TANH,
            NonLinearityType recurrentActivation = NonLinearityType::SIGMOID);
};

/// Weights, or their gradients.
struct GruWeights {
  poplar::Tensor inputWeights;
  poplar::Tensor outputWeights;
  poplar::Tensor biases;
};

std::uint64_t getBasicGruCellFwdFlops(const GruParams& params);
std::uint64_t getBasicGruCellBwdFlops(const GruParams& params);
std::uint64_t getBasicGruCellWuFlops(const GruParams& params);

/// Tensors of the shapes above, laid out for the layer.
poplar::Tensor createInput(poplar::Graph& graph, const GruParams& params,
                           const poplar::DebugContext& debugContext,
                           const poplar::OptionFlags& options = {},
                           poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createInitialState(poplar::Graph& graph, const GruParams& params,
                                  const poplar::DebugContext& debugContext,
                                  const poplar::OptionFlags& options = {},
                                  poplin::PlanningCache* cache = nullptr);
/// inputWeights and outputWeights.
std::pair<poplar::Tensor, poplar::Tensor> createWeightsKernel(
    poplar::Graph& graph, const GruParams& params, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags& options = {}, poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createWeightsBiases(poplar::Graph& graph, const GruParams& params,
                                   const poplar::DebugContext& debugContext,
                                   const poplar::OptionFlags& options = {},
                                   poplin::PlanningCache* planningCache = nullptr);
GruWeights createWeights(poplar::Graph& graph, const GruParams& params,
                         const poplar::DebugContext& debugContext,
                         const poplar::OptionFlags& options = {},
                         poplin::PlanningCache* planningCache = nullptr);

/// Scores for auGruFwd().
poplar::Tensor createAttention(poplar::Graph& graph, const GruParams& params,
                               const poplar::DebugContext& debugContext,
                               const poplar::OptionFlags& options = {});

/// The output: [steps][batch][output size], or [batch][output size] of the last step.
/// `intermediates`, unless null, is set to what the backward pass needs.
poplar::Tensor
gruFwd(poplar::Graph& graph, const GruParams& params, const poplar::Tensor& stateInit,
       const poplar::Tensor& in, const GruWeights& weights, poplar::Tensor* intermediates,
       poplar::program::Sequence& fwdProg, const poplar::DebugContext& debugContext = {},
       const poplar::OptionFlags& options = {}, poplin::PlanningCache* planningCache = nullptr);
/// An older form: the numbers of steps as an argument.
poplar::Tensor gruFwd(poplar::Graph& graph, const GruParams& params,
                      const poplar::Tensor& stateInit, const poplar::Tensor& in,
                      const poplar::Tensor& realTimeSteps, const GruWeights& weights,
                      poplar::Tensor* intermediates, poplar::program::Sequence& fwdProg,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {},
                      poplin::PlanningCache* planningCache = nullptr);

/// The same with attention.
poplar::Tensor auGruFwd(poplar::Graph& graph, const GruParams& params,
                        const poplar::Tensor& stateInit, const poplar::Tensor& in,
                        const GruWeights& weights, poplar::Tensor* intermediates,
                        const poplar::Tensor& attScores, poplar::program::Sequence& fwdProg,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {},
                        poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor
auGruFwd(poplar::Graph& graph, const GruParams& params, const poplar::Tensor& stateInit,
         const poplar::Tensor& in, const poplar::Tensor& realTimeSteps, const GruWeights& weights,
         poplar::Tensor* intermediates, const poplar::Tensor& attScores,
         poplar::program::Sequence& fwdProg, const poplar::DebugContext& debugContext = {},
         const poplar::OptionFlags& options = {}, poplin::PlanningCache* planningCache = nullptr);

/// The gradient of the initial state. `inputGrad` and `bwdIntermediates`, unless null, are set to
/// the gradient of the input and to what gruWU() needs.
poplar::Tensor gruBwd(poplar::Graph& graph, const GruParams& params,
                      poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                      const poplar::Tensor& fwdIntermediatesSeq, const GruWeights& weights,
                      const poplar::Tensor& fwdInputSeq, const poplar::Tensor& fwdOutput,
                      const poplar::Tensor& gradLayerNext, poplar::Tensor* inputGrad,
                      poplar::Tensor* bwdIntermediates,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {},
                      poplin::PlanningCache* planningCache = nullptr);

poplar::Tensor gruBwd(poplar::Graph& graph, const GruParams& params,
                      poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                      const poplar::Tensor& fwdIntermediatesSeq, const GruWeights& weights,
                      const poplar::Tensor& fwdInputSeq, const poplar::Tensor& realTimeSteps,
                      const poplar::Tensor& fwdOutput, const poplar::Tensor& gradLayerNext,
                      poplar::Tensor* inputGrad, poplar::Tensor* bwdIntermediates,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {},
                      poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor auGruBwd(poplar::Graph& graph, const GruParams& params,
                        poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                        const poplar::Tensor& fwdIntermediatesSeq, const GruWeights& weights,
                        const poplar::Tensor& fwdInputSeq, const poplar::Tensor& fwdOutput,
                        const poplar::Tensor& gradLayerNext, poplar::Tensor* inputGrad,
                        poplar::Tensor* bwdIntermediates, const poplar::Tensor& attentions,
                        poplar::Tensor* attentionsGrad,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {},
                        poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor auGruBwd(poplar::Graph& graph, const GruParams& params,
                        poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                        const poplar::Tensor& fwdIntermediatesSeq, const GruWeights& weights,
                        const poplar::Tensor& fwdInputSeq, const poplar::Tensor& realTimeSteps,
                        const poplar::Tensor& fwdOutput, const poplar::Tensor& gradLayerNext,
                        poplar::Tensor* inputGrad, poplar::Tensor* bwdIntermediates,
                        const poplar::Tensor& attentions, poplar::Tensor* attentionsGrad,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {},
                        poplin::PlanningCache* planningCache = nullptr);

/// The gradients of the weights.
GruWeights gruWU(poplar::Graph& graph, const GruParams& params, poplar::program::Sequence& prog,
                 const poplar::Tensor& fwdOutputInit, const poplar::Tensor& fwdIntermediates,
                 const poplar::Tensor& bwdIntermediates, const GruWeights& weights,
                 const poplar::Tensor& input, const poplar::Tensor& output,
                 const poplar::DebugContext& debugContext = {},
                 const poplar::OptionFlags& options = {},
                 poplin::PlanningCache* planningCache = nullptr);

GruWeights auGruWU(poplar::Graph& graph, const GruParams& params, poplar::program::Sequence& prog,
                   const poplar::Tensor& fwdOutputInit, const poplar::Tensor& fwdIntermediates,
                   const poplar::Tensor& bwdIntermediates, const GruWeights& weights,
                   const poplar::Tensor& input, const poplar::Tensor& output,
                   const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {},
                   poplin::PlanningCache* planningCache = nullptr);

/// Both in one loop, without intermediates in between.
poplar::Tensor gruBwdWithWU(poplar::Graph& graph, const GruParams& params,
                            poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                            const poplar::Tensor& fwdIntermediates, const GruWeights& weights,
                            const poplar::Tensor& input, const poplar::Tensor& output,
                            const poplar::Tensor& outputGrad, poplar::Tensor* inputGrad,
                            GruWeights& weightsGrad, const poplar::DebugContext& debugContext = {},
                            const poplar::OptionFlags& options = {},
                            poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor gruBwdWithWU(poplar::Graph& graph, const GruParams& params,
                            poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                            const poplar::Tensor& fwdIntermediates, const GruWeights& weights,
                            const poplar::Tensor& input, const poplar::Tensor& realTimeSteps,
                            const poplar::Tensor& output, const poplar::Tensor& outputGrad,
                            poplar::Tensor* inputGrad, GruWeights& weightsGrad,
                            const poplar::DebugContext& debugContext = {},
                            const poplar::OptionFlags& options = {},
                            poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor auGruBwdWithWU(poplar::Graph& graph, const GruParams& params,
                              poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                              const poplar::Tensor& fwdIntermediates, const GruWeights& weights,
                              const poplar::Tensor& input, const poplar::Tensor& output,
                              const poplar::Tensor& outputGrad, poplar::Tensor* inputGrad,
                              GruWeights& weightsGrad, const poplar::Tensor& attentions,
                              poplar::Tensor* attentionsGrad,
                              const poplar::DebugContext& debugContext = {},
                              const poplar::OptionFlags& options = {},
                              poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor auGruBwdWithWU(poplar::Graph& graph, const GruParams& params,
                              poplar::program::Sequence& prog, const poplar::Tensor& fwdOutputInit,
                              const poplar::Tensor& fwdIntermediates, const GruWeights& weights,
                              const poplar::Tensor& input, const poplar::Tensor& realTimeSteps,
                              const poplar::Tensor& output, const poplar::Tensor& outputGrad,
                              poplar::Tensor* inputGrad, GruWeights& weightsGrad,
                              const poplar::Tensor& attentions, poplar::Tensor* attentionsGrad,
                              const poplar::DebugContext& debugContext = {},
                              const poplar::OptionFlags& options = {},
                              poplin::PlanningCache* planningCache = nullptr);

} // namespace gru
} // namespace popnn
