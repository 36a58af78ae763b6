// A NIR graph run in double precision as the format's equations say, sharing no code with src/nir:
// forward Euler steps of dt, each node once a step in the order of the edges, what passes along an
// edge that closes a cycle arriving a step later.
#pragma once

#include "nir/NirGraph.hpp"

#include <map>
#include <string>
#include <vector>

namespace spillway::nir {

using Signal = std::vector<double>;

// What every node puts out at each step: [step][node].
std::vector<std::map<std::string, Signal>> simulate(const Graph& graph,
                                                    const std::vector<Signal>& inputs, double dt);

} // namespace spillway::nir
