// A network of ours as a NIR graph. The mapping and what it cannot say: docs/nir.md.
#pragma once

#include "network/Parameters.hpp"
#include "nir/NirGraph.hpp"
#include "nir/TimeConstant.hpp"

#include <string>
#include <vector>

namespace spillway::nir {

// Where the input gain g = kappa (1 - alpha) goes. A simulator computes (1 - alpha) r W.
enum class Gain {
  Resistance, // r = kappa, weights as they are, bit for bit
  Weights,    // r = 1, weights times kappa: for readers that ignore r
  Step        // r = 1/(1 - alpha), weights times g: for readers that want r dt/tau = 1
};

// A readout of leaky integrators: their own node, or a LIF whose threshold is never reached, for
// readers without LI.
enum class ReadoutNode { Li, Lif };

// The step a spike takes from layer to layer: left out, or a Delay of dt (not within a layer's own
// recurrence, where a cycle takes a step by itself).
enum class Delays { Absent, Nodes };

// A reset that subtracts, which NIR cannot say: refused, or written as a reset to zero.
enum class SubtractingReset { Refuse, AsZero };

struct ExportOptions {
  double dt = 1e-4; // seconds a step lasts
  Integration integration = Integration::Euler;
  Gain gain = Gain::Resistance;
  ReadoutNode readout = ReadoutNode::Li;
  Delays delays = Delays::Absent;
  SubtractingReset subtract = SubtractingReset::Refuse;
};

// Thresholds from here on count as never reached.
inline constexpr double kNeverReached = 1e30;

struct Exported {
  Graph graph;
  std::vector<std::string> notes; // where another simulator will differ
};

// REQUIRES: a valid network and its parameters. Throws UserError naming the setting that NIR cannot
// express, and the legal ones.
Exported exportNetwork(const NetworkSpec& network, const ParameterSet& parameters,
                       const ExportOptions& options);

} // namespace spillway::nir
