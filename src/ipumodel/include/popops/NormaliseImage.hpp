// Normalises images of three channels and pads them to four, which convolutions take.
#pragma once

#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

/// A tensor whose pixels are not split between tiles. UNSIGNED_CHAR, HALF or FLOAT; the innermost
/// of at least two dimensions is 3.
poplar::Tensor createNormaliseImageInput(poplar::Graph& graph, const poplar::Type& type,
                                         const poplar::ArrayRef<std::size_t> shape,
                                         const poplar::DebugContext& debugContext = {});

/// (tIn[c] * inScale - offsets[c]) * scales[c] for c < 3, and 0 for the fourth channel. Bytes give
/// HALF, the other types themselves; offsets and scales, [3], have the type of the result.
poplar::Tensor normaliseImage(poplar::Graph& graph, poplar::program::Sequence& seq,
                              poplar::Tensor tIn, float inScale, poplar::Tensor offsets,
                              poplar::Tensor scales, const poplar::DebugContext& debugContext = {});

} // namespace popops
