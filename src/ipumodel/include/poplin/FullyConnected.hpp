// The matrix products of fully connected layers, to be planned in advance.
#pragma once

#include <poplar/OptionFlags.hpp>
#include <poplar/Type.hpp>
#include <poplin/MatMul.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace poplin {
namespace fc {

/// Layers of one shape that work side by side, with nothing between them.
struct FullyConnectedParams {
  std::size_t numGroups;
  std::size_t batchSize;
  std::size_t inputSize;
  std::size_t outputSize;
};

/// The product of the forward pass and, unless inferenceOnly, those of the input's and of the
/// weights' gradients. Their options are `matmulOptions` with fullyConnectedPass set for each.
std::vector<std::pair<MatMulParams, poplar::OptionFlags>>
getMatMulPrePlanParameters(FullyConnectedParams parameters, poplar::OptionFlags matmulOptions,
                           poplar::Type type, bool inferenceOnly);

} // namespace fc
} // namespace poplin
