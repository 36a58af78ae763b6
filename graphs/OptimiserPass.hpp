// Parameter updates, on the tiles that own the parameters.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/LateGradients.hpp"
#include "graphs/UnitTensors.hpp"
#include "network/OptimiserSpec.hpp"

#include <poplar/Program.hpp>

#include <optional>
#include <vector>

namespace spillway {

// A parameter and everything that has its shape.
struct TrainedTensor {
  TiledTensor value, gradient;
  std::vector<TiledTensor> slots; // OptimiserSpec::numSlots()
  std::vector<unsigned> tiles;
  bool frozen = false;                                      // has a gradient, but is not updated
  bool isThreshold = false;                                 // an update leaves it within [0, 1]
  std::optional<std::size_t> layerOfWeights = std::nullopt; // whose weights these are
};

// The parameters of all units, each with its optimiser slots, weights before biases.
std::vector<TrainedTensor> makeTrainedTensors(poplar::Graph& graph, const Geometry& geometry,
                                              const std::vector<UnitTensors>& units,
                                              const OptimiserSpec& optimiser,
                                              const poplar::DebugContext& debugContext);

// Clips the gradients by their global norm where asked, and updates. hyper: FLOAT [kHyperWords].
// late: makes the gradients of layers' weights, or null. REQUIRES: then nothing is clipped.
void addUpdate(poplar::Graph& graph, const Geometry& geometry,
               const std::vector<TrainedTensor>& parameters, const poplar::Tensor& hyper,
               const OptimiserSpec& optimiser, LateGradients* late, poplar::program::Sequence& prog,
               const poplar::DebugContext& debugContext);

} // namespace spillway
