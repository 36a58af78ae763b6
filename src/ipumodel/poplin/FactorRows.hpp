// The layout of the matrices that factorisations work on.
#pragma once

#include <poplar/Graph.hpp>
#include <poputil/TileMapping.hpp>

namespace poplin {

// A matrix whose rows are whole on their tiles.
inline poplar::Tensor createRows(poplar::Graph& graph, const poplar::Type& type, std::size_t rows,
                                 std::size_t columns, const poplar::DebugContext& debugContext) {
  const auto t = graph.addVariable(type, {rows, columns}, debugContext);
  const auto grain = static_cast<unsigned>(columns);
  poputil::mapTensorLinearly(graph, t, grain, grain);
  return t;
}

} // namespace poplin
