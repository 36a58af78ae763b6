// Casts to and from QUARTER.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

bool involvesQuarter(const poplar::Tensor& src, const poplar::Tensor& dst);

// REQUIRES: one of the two is QUARTER, the other FLOAT or HALF; the shapes are equal.
void addQuarterCasts(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Tensor& dst,
                     poplar::ComputeSet cs);

} // namespace popops
