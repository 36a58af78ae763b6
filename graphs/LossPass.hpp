// The loss on the logits and its gradient, once per sequence.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/UnitTensors.hpp"

#include <poplar/Program.hpp>

namespace spillway {

struct LossTensors {
  LossTensors(poplar::Graph& graph, const Geometry& geometry,
              const poplar::DebugContext& debugContext);

  TiledTensor labels;                 // INT [numSamples]; cross-entropy
  TiledTensor targets;                // [numSamples][outputs]; mean-squared error
  poplar::Tensor scale;               // []; 1 / number of labels
  TiledTensor losses;                 // [numSamples]
  TiledTensor predictions;            // UNSIGNED_INT [numSamples]
  std::vector<TiledTensor> penalties; // by layer, where rates are regularised: [tiles][numSamples]
};

// Adds the programs that turn logits (or spike counts) into losses, predictions and their
// gradients: errors of the readout, countGradient of the layers.
void addLoss(poplar::Graph& graph, const Geometry& geometry, const std::vector<UnitTensors>& units,
             const LossTensors& loss, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext);

} // namespace spillway
