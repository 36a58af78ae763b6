// The compute sets of a reduction: partial results where the data lies, then their combination.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <popops/Reduce.hpp>

#include <vector>

namespace popops {

// Reduces `in`, [outputs][reduced], to `out`, [outputs]. Vertices of step i go to css[i]; compute
// sets that are missing are added. Maps `out` where it is not mapped.
void addReduction(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& out,
                  const ReduceParams& params, std::vector<poplar::ComputeSet>& css,
                  const poplar::DebugContext& debugContext);

} // namespace popops
