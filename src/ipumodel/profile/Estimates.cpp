#include "profile/Estimates.hpp"

#include "graph/GraphData.hpp"

namespace ipumodel {

std::optional<VertexEstimate> estimate(const GraphData& graph, VertexId id) {
  const Vertex& vertex = graph.vertices[id.value];
  if (vertex.cycles)
    return VertexEstimate{*vertex.cycles, vertex.flops.value_or(0)};
  return std::nullopt;
}

} // namespace ipumodel
