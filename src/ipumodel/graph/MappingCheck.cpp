#include "graph/MappingCheck.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>

namespace ipumodel {

MappingCheck::MappingCheck(const GraphData& graph)
    : graph_(graph), states_(graph.variables.size(), State::Unknown) {}

bool MappingCheck::isComplete(VarId var) {
  State& state = states_[var.value];
  if (state == State::Unknown) {
    const Variable& variable = graph_.variables[var.value];
    state = variable.tiles.covers(variable.numElements) ? State::Complete : State::Partial;
  }
  return state == State::Complete;
}

bool MappingCheck::boxIsMapped(const Box& box) const {
  const View single{poplar::Type(),
                    box.extent,
                    {{Dims(box.extent.size(), 0), box.extent, box.var, box.offset, box.stride}}};
  const auto& ranges = graph_.variables[box.var.value].tiles.ranges();
  for (const Run& run : single.runs())
    for (std::size_t i = 0; i < run.count; ++i) {
      const auto at =
          static_cast<std::size_t>(run.offset + static_cast<std::int64_t>(i) * run.stride);
      const auto range = std::partition_point(ranges.begin(), ranges.end(),
                                              [&](const TileMap::Range& r) { return r.end <= at; });
      if (range == ranges.end() || range->begin > at)
        return false;
      if (run.stride == 1) // the rest of this range is mapped as well
        i += std::min(run.count - i, range->end - at) - 1;
    }
  return true;
}

void MappingCheck::fail(VarId var, const std::string& user) const {
  const Variable& variable = graph_.variables[var.value];
  const char* kind = variable.kind == VariableKind::Variable ? "variable" : "constant";
  const auto& ranges = variable.tiles.ranges();
  std::size_t mapped = 0;
  for (const TileMap::Range& r : ranges)
    mapped += r.end - r.begin;
  throw poplar::invalid_tile_mapping(std::string(kind) + " '" + variable.name + "' of " +
                                     std::to_string(variable.numElements) + " elements has only " +
                                     std::to_string(mapped) +
                                     " mapped to tiles, and the others are used by " + user);
}

} // namespace ipumodel
