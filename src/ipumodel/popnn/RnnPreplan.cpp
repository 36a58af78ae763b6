// The matrix products of recurrent layers, to be planned in advance.
#include "popnn/RnnSteps.hpp"

#include <poplin/FullyConnected.hpp>
#include <popnn/Lstm.hpp>
#include <popnn/Recurrent.hpp>

namespace popnn {
namespace {

using poplar::OptionFlags;
using Products = std::vector<std::pair<poplin::MatMulParams, OptionFlags>>;

} // namespace

namespace rnn {

Products getMatMulPrePlanParameters(std::size_t, std::size_t batchSize, std::size_t inputSize,
                                    std::size_t outputSize, const poplar::Type& dType,
                                    const poplar::Type& partialsType, bool inferenceOnly,
                                    bool hasFeedforwardWeights) {
  const OptionFlags options{{"partialsType", partialsType.toString().cloneAsString()}};
  auto products = poplin::fc::getMatMulPrePlanParameters({1, batchSize, outputSize, outputSize},
                                                         options, dType, inferenceOnly);
  if (hasFeedforwardWeights) {
    const auto feedforward = poplin::fc::getMatMulPrePlanParameters(
        {1, batchSize, inputSize, outputSize}, options, dType, inferenceOnly);
    products.insert(products.begin(), feedforward.begin(), feedforward.end());
  }
  return products;
}

} // namespace rnn

namespace lstm {

Products getMatMulPrePlanParameters(LstmParams params, OptionFlags opts) {
  steps::checkOptions(opts);
  steps::checkLayer(params.rnn, params.activation, params.recurrentActivation);
  OptionFlags options;
  bool inferenceOnly = false;
  for (const auto& option : opts)
    if (option.first == "inferenceOnly")
      inferenceOnly = option.second == "true";
    else if (option.first == "partialsType" || option.first == "availableMemoryProportion")
      options.set(option.first, option.second);
  const auto in = params.rnn.layerSizes[0], out = params.rnn.layerSizes[1];
  return poplin::fc::getMatMulPrePlanParameters(
      {1, params.rnn.batchSize, in + out, BASIC_LSTM_CELL_NUM_UNITS * out}, options,
      params.rnn.dataType, inferenceOnly);
}

} // namespace lstm
} // namespace popnn
