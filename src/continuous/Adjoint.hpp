// Gradients of a loss on c at the output times, by the adjoint equations with jumps (docs/egru.md,
// "Continuous time").
#pragma once

#include "continuous/EventGru.hpp"

#include <cstdint>

namespace spillway::continuous {

// The terms of the jump at an event. All belong to the gradient; tests leave one out at a time to
// see that it is missed.
struct JumpTerms {
  bool slopes = true;      // the others' slopes change at the event
  bool reset = true;       // the unit's own slope after its reset
  bool activations = true; // what it sends arrives earlier or later
  bool gateRate = true;    // and through a reset gate that moves meanwhile
  bool gate = true;        // the reset gate's own adjoint
};

struct Gradients {
  GateVectors recurrent, input, bias; // shapes of the model's
  Vector threshold;
  std::uint64_t weightUpdates = 0; // multiply-adds into `recurrent`: 3 (N - 1) an event
  std::uint64_t odeSteps = 0;      // steps of the adjoint's integration
};

// outputGradients: dL/dc at every output time, [output][unit].
Gradients differentiate(const Model& model, const Task& task, const Integration& integration,
                        const Trajectory& trajectory, const std::vector<Vector>& outputGradients,
                        const JumpTerms& terms = {});

} // namespace spillway::continuous
