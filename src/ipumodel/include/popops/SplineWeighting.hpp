// Features weighted by B-splines.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

/// out[e][o] = sum over s and i of basis[e][s] * input[e][i] * weight[weightIndex[e][s]][i][o],
/// with basis and weightIndex [E][S] of splineBasis, input [E][I], weight [K][I][O]. FLOAT or HALF.
poplar::Tensor splineWeighting(poplar::Graph& graph, const poplar::Tensor& input,
                               const poplar::Tensor& weight, const poplar::Tensor& basis,
                               const poplar::Tensor& weightIndex, poplar::program::Sequence& prog,
                               const poplar::DebugContext& debugContext = {});

} // namespace popops
