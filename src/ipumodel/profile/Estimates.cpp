#include "profile/Estimates.hpp"

#include "graph/GraphData.hpp"

#include <poplar/VertexIntrospector.hpp>

namespace ipumodel {

std::optional<VertexEstimate> estimate(const GraphData& graph, VertexId id) {
  const Vertex& vertex = graph.vertices[id.value];
  if (vertex.cycles)
    return VertexEstimate{*vertex.cycles, vertex.flops.value_or(0)};
  const auto estimator = graph.perfEstimators.find(vertex.type->name);
  if (estimator == graph.perfEstimators.end())
    return std::nullopt;
  const poplar::VertexPerfEstimate result =
      estimator->second(poplar::VertexIntrospector(graph, id.value), graph.target);
  return VertexEstimate{result.cycles, result.flops};
}

} // namespace ipumodel
