#include <poplin/FullyConnected.hpp>

namespace poplin {
namespace fc {

std::vector<std::pair<MatMulParams, poplar::OptionFlags>>
getMatMulPrePlanParameters(FullyConnectedParams parameters, poplar::OptionFlags matmulOptions,
                           poplar::Type type, bool inferenceOnly) {
  std::vector<std::pair<MatMulParams, poplar::OptionFlags>> products;
  const auto add = [&](std::size_t rows, std::size_t inner, std::size_t columns, const char* pass) {
    const auto groups = parameters.numGroups;
    matmulOptions.set("fullyConnectedPass", pass);
    products.push_back(
        {{type, type, {groups, rows, inner}, {groups, inner, columns}}, matmulOptions});
  };
  const auto batch = parameters.batchSize, in = parameters.inputSize, out = parameters.outputSize;
  add(batch, in, out, inferenceOnly ? "INFERENCE_FWD" : "TRAINING_FWD");
  if (!inferenceOnly) {
    add(batch, out, in, "TRAINING_BWD");
    add(in, batch, out, "TRAINING_WU");
  }
  return products;
}

} // namespace fc
} // namespace poplin
