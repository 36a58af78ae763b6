// The vertices of this library.
#pragma once

#include <poplar/Graph.hpp>

namespace popnn {

/// Call once for a graph before any other function of the library.
void addCodelets(poplar::Graph& graph);

} // namespace popnn
