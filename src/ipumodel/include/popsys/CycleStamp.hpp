// Part of poplar/CycleCount.hpp under its first name.
#pragma once

#include <poplar/CycleCount.hpp>

namespace popsys {

using poplar::cycleStamp;

// The form of those programs: synchronises the IPUs.
inline poplar::Tensor cycleStamp(poplar::Graph& graph, poplar::program::Sequence& prog,
                                 unsigned tile, const poplar::DebugContext& debugContext = {}) {
  return poplar::cycleStamp(graph, prog, tile, poplar::SyncType::EXTERNAL, debugContext);
}

} // namespace popsys
