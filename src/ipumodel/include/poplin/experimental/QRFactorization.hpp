// A = Q R: an orthogonal matrix times an upper triangular one. FLOAT.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include <array>
#include <cstddef>

namespace poplin {
namespace experimental {

/// A [m][n] and Q [m][m], whole rows on a tile.
std::array<poplar::Tensor, 2>
createQRFactorizationMatrices(poplar::Graph& graph, const poplar::Type& type, std::size_t m,
                              std::size_t n, const poplar::DebugContext& debugContext);

/// Replaces A [M][N], M >= N, by R, and Q [M][M], which holds the identity, by Q. Options:
/// rowsPerIteration, allocProperlyMappedTensors; only their names are checked.
void QRFactorization(poplar::Graph& graph, poplar::Tensor& A, poplar::Tensor& Q,
                     poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                     const poplar::OptionFlags& options = {});

} // namespace experimental
} // namespace poplin
