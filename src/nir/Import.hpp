// A NIR graph as a network of ours. What is taken and what is refused: docs/nir.md.
#pragma once

#include "network/Parameters.hpp"
#include "nir/NirGraph.hpp"
#include "nir/TimeConstant.hpp"

#include <optional>
#include <string>
#include <vector>

namespace spillway::nir {

struct ImportOptions {
  std::optional<double> dt;               // seconds; else the graph's metadata, else 1e-4
  std::optional<Integration> integration; // else the graph's metadata, else Euler
};

struct Imported {
  NetworkSpec network;
  ParameterSet parameters;
  std::vector<std::string> notes; // where the network here differs from the file
};

// A chain Input, then Linear or Affine and LIF any number of times, then LI, or LIF as the last
// layer; a LIF may feed itself through a Linear or Affine. Throws UserError naming the node and
// what of it has no counterpart here.
Imported importNetwork(const Graph& graph, const ImportOptions& options);

} // namespace spillway::nir
