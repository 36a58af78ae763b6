// The vertices of popfloat.
#pragma once

#include <poplar/Graph.hpp>

namespace popfloat {
namespace experimental {

/// Needed before tensors are cast in a graph.
void addCodelets(poplar::Graph& graph);

} // namespace experimental
} // namespace popfloat
