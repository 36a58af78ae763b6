// Recurrent weights that a batch is trained without, and their gradients.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/UnitTensors.hpp"

#include <poplar/Program.hpp>

namespace spillway {

enum class DropconnectUse {
  Weights,  // before the forward pass: GatedTensors::connected from the weights
  Gradients // after the backward pass: the gradients of dropped weights vanish
};

// Adds nothing where no layer has dropconnect. phase: see CarriedState.
void addDropconnect(poplar::Graph& graph, const Geometry& geometry,
                    const std::vector<UnitTensors>& units, const poplar::Tensor& phase,
                    DropconnectUse use, poplar::program::Sequence& prog);

} // namespace spillway
