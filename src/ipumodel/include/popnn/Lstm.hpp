// LSTM layers: forward, backward, and the gradients of the weights.
//
//   f, i, o = recurrentActivation(x W + h U + b),  g = activation(x W + h U + b)
//   c = f * c + i * g,  h = o * activation(c)
//
// x is [steps][batch][input size]; W is [4][input size][output size], U [4][output size][output
// size], b [4][output size], their units in the order of LstmParams::cellOrder. FLOAT and HALF.
// With run-time numbers of steps, outputs beyond them are 0 and the final state is that of the last
// valid step.
//
// Options, by their names alone: inferenceOnly, preCalcWeights, partialsType,
// weightAccumulatorsType, recomputationMode, availableMemoryProportion, numShards, rnnCodeReuse,
// rnnStepsPerWU, disableWUPartialInterleaving.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplin/MatMul.hpp>
#include <popnn/LstmDef.hpp>
#include <popnn/NonLinearityDef.hpp>
#include <popnn/Rnn.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace popnn {
namespace lstm {

/// Forget gate, input gate, candidate, output gate.
const std::vector<BasicLstmCellUnit> getDefaultBasicLstmCellOrder();

struct LstmParams {
  rnn::RnnParams rnn;
  poplar::Type dataType; ///< an older name of what rnn holds, like the next three
  std::size_t batchSize = 0;
  std::size_t timeSteps = 0;
  std::vector<std::size_t> layerSizes;
  bool outputFullSequence = true; ///< otherwise only the last output
  bool doInputWeightCalc = true;  ///< false is not supported
  bool calcInputGradients = true;
  bool preserveFinalState = false; ///< it always is
  std::vector<BasicLstmCellUnit> cellOrder = getDefaultBasicLstmCellOrder();
  NonLinearityType activation = NonLinearityType::TANH;
  NonLinearityType recurrentActivation = NonLinearityType::SIGMOID;

  LstmParams() = default;
  /// layerSizes: input size, output size.
  LstmParams(poplar::Type dataType, std::size_t batchSize, std::size_t timeSteps,
             std::vector<std::size_t> layerSizes,
             NonLinearityType activation = NonLinearityType::TANH,
             NonLinearityType recurrentActivation = NonLinearityType::SIGMOID);
  /// `timeSteps`: UNSIGNED_INT, one number for all samples or one for each.
  LstmParams(poplar::Type dataType, std::size_t batchSize, std::size_t maxTimeSteps,
             const poplar::Tensor& timeSteps, std::vector<std::size_t> layerSizes,
             NonLinearityType activation = NonLinearityType::TANH,
             NonLinearityType recurrentActivation = NonLinearityType::SIGMOID);
};

/// A state, or the gradient of one: [batch][output size] each.
struct LstmState {
  poplar::Tensor output;
  poplar::Tensor cellState;

  /// [2][batch][output size]
  poplar::Tensor getAsTensor() const;
};

/// Weights, or their gradients.
struct LstmWeights {
  poplar::Tensor inputWeights;
  poplar::Tensor outputWeights;
  poplar::Tensor biases;
};

/// The gradient of the last state: none, that of the cell state, or of both (an invalid tensor is
/// none).
class LastStateGrad {
public:
  LastStateGrad(std::nullptr_t) {}
  LastStateGrad(const poplar::Tensor* cellState) {
    if (cellState)
      state_.cellState = *cellState;
  }
  LastStateGrad(const LstmState* state) {
    if (state)
      state_ = *state;
  }
  const LstmState& get() const { return state_; }

private:
  LstmState state_;
};

/// The matrix products of the layer.
std::vector<std::pair<poplin::MatMulParams, poplar::OptionFlags>>
getMatMulPrePlanParameters(LstmParams params, poplar::OptionFlags opts);

std::uint64_t getBasicLstmCellFwdFlops(const LstmParams& params);
std::uint64_t getBasicLstmCellBwdFlops(const LstmParams& params);
std::uint64_t getBasicLstmCellWuFlops(const LstmParams& params);

/// Tensors of the shapes above, laid out for the layer.
poplar::Tensor createInput(poplar::Graph& graph, const LstmParams& params,
                           const poplar::DebugContext& debugContext,
                           const poplar::OptionFlags& options = {},
                           poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createInitialOutput(poplar::Graph& graph, const LstmParams& params,
                                   const poplar::DebugContext& debugContext,
                                   const poplar::OptionFlags& options = {},
                                   poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createInitialCellState(poplar::Graph& graph, const LstmParams& params,
                                      const poplar::DebugContext& debugContext,
                                      const poplar::OptionFlags& options = {},
                                      poplin::PlanningCache* planningCache = nullptr);
LstmState createInitialState(poplar::Graph& graph, const LstmParams& params,
                             const poplar::DebugContext& debugContext,
                             const poplar::OptionFlags& options = {},
                             poplin::PlanningCache* planningCache = nullptr);
void zeroInitialState(poplar::Graph& graph, const LstmState& initialState,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});
/// inputWeights and outputWeights.
std::pair<poplar::Tensor, poplar::Tensor> createWeightsKernel(
    poplar::Graph& graph, const LstmParams& params, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags& options = {}, poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createWeightsBiases(poplar::Graph& graph, const LstmParams& params,
                                   const poplar::DebugContext& debugContext,
                                   const poplar::OptionFlags& options = {},
                                   poplin::PlanningCache* planningCache = nullptr);
LstmWeights createWeights(poplar::Graph& graph, const LstmParams& params,
                          const poplar::DebugContext& debugContext,
                          const poplar::OptionFlags& options = {},
                          poplin::PlanningCache* planningCache = nullptr);

/// The output ([steps][batch][output size], or [batch][output size] of the last step) and the final
/// cell state. `intermediates`, unless null, is set to what the backward pass needs.
std::pair<poplar::Tensor, poplar::Tensor>
lstmFwd(poplar::Graph& graph, const LstmParams& params, const LstmState& stateInit,
        const poplar::Tensor& in, const LstmWeights& weights, poplar::Tensor* intermediates,
        poplar::program::Sequence& fwdProg, const poplar::DebugContext& debugContext = {},
        const poplar::OptionFlags& options = {}, poplin::PlanningCache* planningCache = nullptr);

/// The output alone.
poplar::Tensor lstmFwd(poplar::Graph& graph, const LstmParams& params,
                       poplar::program::Sequence& prog, const LstmState& stateInit,
                       const LstmWeights& weights, const poplar::Tensor& in,
                       poplar::Tensor* intermediates, const poplar::DebugContext& debugContext = {},
                       const poplar::OptionFlags& options = {},
                       poplin::PlanningCache* planningCache = nullptr);

/// The gradient of the initial state. `inputGrad` and `bwdIntermediates`, unless null, are set to
/// the gradient of the input and to what lstmWU() needs.
LstmState lstmBwd(poplar::Graph& graph, const LstmParams& params, poplar::program::Sequence& prog,
                  const LstmState& fwdStateInit, const poplar::Tensor& fwdIntermediates,
                  const LstmWeights& weights, const poplar::Tensor& input,
                  const poplar::Tensor& output, const poplar::Tensor& outputGrad,
                  LastStateGrad lastStateGrad, poplar::Tensor* inputGrad,
                  poplar::Tensor* bwdIntermediates, const poplar::DebugContext& debugContext = {},
                  const poplar::OptionFlags& options = {},
                  poplin::PlanningCache* planningCache = nullptr);

/// The gradients of the weights.
LstmWeights lstmWU(poplar::Graph& graph, const LstmParams& params, poplar::program::Sequence& prog,
                   const LstmState& fwdStateInit, const poplar::Tensor& fwdIntermediates,
                   const poplar::Tensor& bwdIntermediates, const LstmWeights& weights,
                   const poplar::Tensor& input, const poplar::Tensor& output,
                   const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {},
                   poplin::PlanningCache* planningCache = nullptr);

/// Both in one loop, without intermediates in between.
LstmState lstmBwdWithWU(poplar::Graph& graph, const LstmParams& params,
                        poplar::program::Sequence& prog, const LstmState& fwdStateInit,
                        const poplar::Tensor& fwdIntermediates, const LstmWeights& weights,
                        const poplar::Tensor& input, const poplar::Tensor& output,
                        const poplar::Tensor& outputGrad, LastStateGrad lastStateGrad,
                        poplar::Tensor* inputGrad, LstmWeights& weightsGrad,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {},
                        poplin::PlanningCache* planningCache = nullptr);

} // namespace lstm
} // namespace popnn
