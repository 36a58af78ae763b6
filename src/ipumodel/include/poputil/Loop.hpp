// The loops of popops under their older name.
#pragma once

#include <popops/Loop.hpp>

namespace poputil {

using popops::CountedLoopBodyType;

inline poplar::program::Sequence countedLoop(poplar::Graph& graph, std::size_t begin,
                                             std::size_t end, std::size_t step,
                                             const poplar::DebugContext& debugContext,
                                             const CountedLoopBodyType& body) {
  return popops::countedLoop(graph, begin, end, step, body, debugContext);
}
inline poplar::program::Sequence countedLoop(poplar::Graph& graph, std::size_t count,
                                             const poplar::DebugContext& debugContext,
                                             const CountedLoopBodyType& body) {
  return popops::countedLoop(graph, count, body, debugContext);
}

} // namespace poputil
