// Copies runs of rows from one tensor to another, at places known when the program runs.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

/// For each i: rows [tInOffset[i], tInOffset[i] + tN[i]) of `tIn` go to those of `tOut` from
/// tOutOffset[i] on. Rows of `tOut` that nothing goes to become zero if `zeroUnused`, otherwise
/// keep their values; rows beyond the end of either tensor are not copied. `tIn` and `tOut` have
/// two dimensions or more, as many elements in a row, and one type; tN and the offsets are
/// UNSIGNED_INT of one size.
void sequenceSlice(poplar::Graph& graph, const poplar::Tensor& tIn, const poplar::Tensor& tOut,
                   const poplar::Tensor& tN, const poplar::Tensor& tInOffset,
                   const poplar::Tensor& tOutOffset, bool zeroUnused,
                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

} // namespace popops
