// A = L U: a lower triangular matrix with ones on its diagonal times an upper triangular one.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include <utility>

namespace poplin {
namespace experimental {

/// L [M][M] and U [M][N], FLOAT, of `input` [M][N], FLOAT or HALF, which stays as it is. Rows are
/// not exchanged: where a diagonal element becomes zero on the way, the result is not finite.
std::pair<poplar::Tensor, poplar::Tensor>
LUFactorization(poplar::Graph& graph, poplar::Tensor& input, poplar::program::Sequence& seq,
                const poplar::DebugContext& debugContext = {});

} // namespace experimental
} // namespace poplin
