// The loss and its gradient: once per sequence on reduced logits, or in every block of steps.
#pragma once

#include "graphs/LossTensors.hpp"
#include "graphs/Sequencer.hpp"
#include "graphs/UnitTensors.hpp"

#include <poplar/Program.hpp>

namespace spillway {

// Adds the programs that turn logits (or spike counts) into losses and their gradients: errors of
// the readout, countGradient of the layers. Where every step has its loss only rates are left to
// regularise.
void addLoss(poplar::Graph& graph, const Geometry& geometry, const std::vector<UnitTensors>& units,
             const LossTensors& loss, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext);

enum class StepLossUse {
  Accumulate, // the forward pass: losses and correct labels grow
  Errors      // the backward pass: only the gradient is wanted
};

// A block's losses from readout.potentials; d loss / d potential goes to loss.stepErrors.
void addStepLoss(poplar::Graph& graph, const Geometry& geometry, const UnitTensors& readout,
                 const LossTensors& loss, const Sequencer& sequencer, StepLossUse use,
                 poplar::ComputeSet computeSet);

// The potentials of the readout's next backward block, from its slots.
void addReadoutPotentials(poplar::Graph& graph, const Geometry& geometry,
                          const UnitTensors& readout, const Sequencer& sequencer,
                          poplar::ComputeSet computeSet);

} // namespace spillway
