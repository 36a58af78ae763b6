// Multiply-adds of the matrix products of a gated network, per step and sample, as the EGRU paper
// counts them: elementwise work is left out.
#pragma once

#include "network/NetworkSpec.hpp"

#include <vector>

namespace spillway {

// Mean active units per step and sample, as fractions of their number.
struct GatedRates {
  double inputs = 1.0;           // of the inputs; 1 where they are dense
  std::vector<double> events;    // by layer: 1 - activity sparsity
  std::vector<double> gradients; // by layer: units that fired or lie within the support
  bool denseReadout = true;      // the readout reads a trace, in which every unit has a value
};

struct EffectiveMacs {
  double forward = 0.0; // sum over layers of 3 n_l (n_(l-1) rho_(l-1) + n_l rho_l), and the readout
  double stateGradient =
      0.0; // the same with the units that need dL/dy; inputs and readout want none
  double weightGradient = 0.0; // rows of events: as forward, without the readout
};

// REQUIRES: a gated network; rates of every layer.
EffectiveMacs effectiveMacs(const NetworkSpec& network, const GatedRates& rates);
// All units active: what a dense GRU of the same sizes takes.
EffectiveMacs denseMacs(const NetworkSpec& network);

} // namespace spillway
