// Histograms.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

/// How many elements of `input` (absolute values if absoluteOfInput) lie below levels[0], in
/// [levels[i - 1], levels[i]), and from the last level on: one entry more than `levels`, which are
/// of the input's type, FLOAT or HALF, and ascend. UNSIGNED_INT; FLOAT with option
/// useFloatArithmetic (true, false) [=false].
poplar::Tensor histogram(poplar::Graph& graph, const poplar::Tensor& input,
                         const poplar::Tensor& levels, bool absoluteOfInput,
                         poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {},
                         const poplar::OptionFlags& options = {});

/// Writes, or with updateOutput adds to, `output`: UNSIGNED_INT or FLOAT.
void histogram(poplar::Graph& graph, const poplar::Tensor& input, poplar::Tensor& output,
               bool updateOutput, const poplar::Tensor& levels, bool absoluteOfInput,
               poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

} // namespace popops
