// Gated recurrent units: the event-based GRU (Subramoney et al., ICLR 2023) and the dense GRU.
// Equations: docs/egru.md.
#pragma once

#include <cstdint>

namespace spillway {

// Code: the reset gate acts on the recurrent product, and an event takes the threshold off the
// state before the next leak, as in the authors' library. Paper: it acts on the events before the
// product, and an event takes itself off the next state, as in Eqs. 1 and 2.
enum class GatedConvention { Code, Paper };

// Columns of a gated layer's weights and biases: three blocks of the layer's size.
//   Code, Gru: keep, reset, candidate        Paper: update, reset, candidate
inline constexpr std::uint32_t kNumGates = 3;

struct GatedSpec {
  GatedConvention convention = GatedConvention::Code;
  bool recurrentBias = false; // a second bias, inside the recurrent product (Code, Gru)
  double keepBias = 0.0;      // initial bias of the keep gate (Paper: its negative, of the update)
  double zoneout = 0.0;       // probability that a unit keeps its state (Code, Gru)
  double dropconnect = 0.0;   // probability that a recurrent weight is left out of a batch
  double dropout = 0.0;       // that a received value is, sample by sample, at all steps of a batch
  // Egru only.
  double thresholdMean = 0.3; // of the initial thresholds, which are drawn from a beta distribution
  bool trainThreshold = true; // else they stay as they were drawn
  double dampening = 0.7;     // height of the pseudo-derivative at the threshold
  double pseudoWidth = 1.0;   // and its half-width, in units of the state
  double eventPenalty = 0.0;  // factor of the mean share of units that fire, added to the loss
};

} // namespace spillway
