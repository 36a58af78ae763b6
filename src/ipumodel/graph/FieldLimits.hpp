// How long the vectors of a field may be: some layouts pack a length into the word of an address.
#pragma once

#include "graph/GraphData.hpp"

#include <cstddef>

namespace ipumodel {

// Elements of dimension 0 or 1 of a vector field that its layout can count.
std::size_t maxFieldDim(const FieldInfo& field, unsigned dim);

// Throws poplar::graph_connection_error when a vector of the vertex is longer than that. The host's
// pointers have no such limits, so it is for programs that would run on tiles.
void requireCountable(const GraphData& graph, VertexId id);

} // namespace ipumodel
