// The vertices of this library.
#pragma once

#include <poplar/Graph.hpp>

namespace popsparse {

/// Call once for a graph before any other function of the library.
void addCodelets(poplar::Graph& graph);

} // namespace popsparse
