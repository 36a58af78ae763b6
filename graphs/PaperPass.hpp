// The vertices of gated layers in the paper's convention (docs/egru.md), whose steps have two
// parts: reset gates travel between tiles before candidates are formed, and back.
#pragma once

#include "graphs/GatedPass.hpp"

namespace spillway {

// Which of a layer's blocks reset gates are worked out for.
enum class ResetUse { First, Light, Backward };

void addResetGates(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                   const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                   const poplar::Tensor& phase, ResetUse use, poplar::ComputeSet computeSet);

// As addGatedForward(), after addResetGates().
void addPaperForward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                     const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                     const poplar::Tensor& phase, ForwardUse use, poplar::ComputeSet computeSet);

// As addGatedBackward(), after addResetGates(): the adjoint in `adjoint`; in `through`, which
// follows, what passes the reset gates and goes back to the lists.
void addPaperBackward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                      const UnitTensors& tensors, const Lists& lists,
                      const poplar::Tensor& gradients, const poplar::Tensor* outside,
                      const Sequencer& sequencer, const poplar::Tensor& phase,
                      poplar::ComputeSet adjoint, poplar::ComputeSet through);

// The candidate's share of the recurrent weights' gradient: events are gated in `through`, where
// their turned lists are ready, and multiplied in `after`, once the other gates' share is added.
void addCandidateGradients(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                           const UnitTensors& tensors, const TurnedEvents& own,
                           const Sequencer& sequencer, poplar::ComputeSet through,
                           poplar::ComputeSet after);

} // namespace spillway
