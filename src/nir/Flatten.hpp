// Graphs within graphs, as several tools write recurrent layers.
#pragma once

#include "nir/NirGraph.hpp"

namespace spillway::nir {

// The same graph with the nodes of inner graphs in place of each: node X of inner graph G becomes
// G.X, and G's Input and Output give way to the edges that pass through them.
Graph flatten(const Graph& graph);

} // namespace spillway::nir
