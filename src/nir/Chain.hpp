// The shape of a graph: the one way from its input to its output.
#pragma once

#include "nir/NirGraph.hpp"

#include <optional>
#include <string>
#include <vector>

namespace spillway::nir {

struct Stage {
  std::string weights;                   // a Linear or Affine
  std::string neurons;                   // the LIF or LI it feeds
  std::optional<std::string> recurrence; // a Linear or Affine from the neurons back to themselves
};

// The stages in order. REQUIRES: no graphs within the graph. Delays of a step of `dt` seconds
// between neurons and the next weights are passed over, and so is a Flatten of the input. Throws
// UserError naming the first node that has no place in such a chain.
std::vector<Stage> findChain(const Graph& graph, double dt);

} // namespace spillway::nir
