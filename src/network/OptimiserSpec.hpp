// How weights follow gradients.
#pragma once

#include <cstdint>

namespace spillway {

enum class OptimiserKind { Sgd, Adam, AdamW };

struct OptimiserSpec {
  OptimiserKind kind = OptimiserKind::Adam;
  double momentum = 0.0;    // Sgd
  double beta1 = 0.9;       // Adam, AdamW
  double beta2 = 0.999;     //
  double epsilon = 1e-8;    //
  double weightDecay = 0.0; // Sgd, Adam: added to the gradient; AdamW: decoupled
  double clipNorm = 0.0;    // largest global gradient norm; 0: no clipping

  // Float tensors of the parameter's shape kept beside each parameter.
  std::uint32_t numSlots() const {
    return kind == OptimiserKind::Sgd ? (momentum != 0.0 ? 1 : 0) : 2;
  }
};

} // namespace spillway
