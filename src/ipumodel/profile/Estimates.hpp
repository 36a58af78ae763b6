// What a vertex is expected to cost before it runs.
#pragma once

#include "graph/Ids.hpp"

#include <cstdint>
#include <optional>

namespace ipumodel {

struct GraphData;

struct VertexEstimate {
  std::uint64_t cycles = 0; // worker cycles of a Worker vertex, tile cycles of the others
  std::uint64_t flops = 0;
};

// From setPerfEstimate, else from the estimator registered for its type, else nothing: the cost is
// then unknown, not zero.
std::optional<VertexEstimate> estimate(const GraphData& graph, VertexId vertex);

} // namespace ipumodel
