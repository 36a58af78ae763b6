// How a codelet library tells what its vertices cost.
#pragma once

#include <poplar/StdIncludes.hpp>

namespace poplar {

class VertexIntrospector;
class Target;

// Cycles one vertex takes: worker cycles for a Vertex, tile cycles for a MultiVertex or
// SupervisorVertex; and the floating-point operations it does.
struct VertexPerfEstimate {
  VertexPerfEstimate() = default;
  VertexPerfEstimate(std::uint64_t cycles_, std::uint64_t flops_ = 0)
      : cycles(cycles_), flops(flops_) {}

  std::uint64_t cycles = 0;
  std::uint64_t flops = 0;

  friend bool operator==(const VertexPerfEstimate& a, const VertexPerfEstimate& b) {
    return a.cycles == b.cycles && a.flops == b.flops;
  }
  friend bool operator!=(const VertexPerfEstimate& a, const VertexPerfEstimate& b) {
    return !(a == b);
  }
};

typedef std::function<VertexPerfEstimate(const VertexIntrospector&, const Target&)>
    PerfEstimateFunc;

} // namespace poplar
