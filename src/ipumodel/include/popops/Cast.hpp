// Conversion between element types. Floating point becomes an integer by rounding towards zero;
// anything not zero is true.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

namespace popops {

/// A new tensor with the elements of `src` as `dstType`, mapped as `src` is.
poplar::Tensor cast(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Type& dstType,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

/// To QUARTER, with the format and the scale of `metadata`. Infinities become NaN, finite numbers
/// beyond the range the largest one.
poplar::Tensor cast(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Type& dstType,
                    const poplar::Tensor& metadata, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {});

/// The program that writes `src` to `dst`, of the same shape and maybe another type.
poplar::program::Program cast(poplar::Graph& graph, poplar::Tensor src, poplar::Tensor dst,
                              const poplar::DebugContext& debugContext = {});

/// The same, added to `prog`.
void castWithOutput(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Tensor& dst,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

/// The same, as vertices of a compute set.
void cast(poplar::Graph& graph, poplar::Tensor src, poplar::Tensor dst, poplar::ComputeSet cs);
poplar::Tensor cast(poplar::Graph& graph, poplar::Tensor src, const poplar::Type& dstType,
                    poplar::ComputeSet cs, const poplar::DebugContext& debugContext = {});

/// A BOOL scalar: whether the FLOAT scalar `input` keeps its value within the relative `tolerance`
/// as `outputType`, which is HALF.
poplar::Tensor checkAccuracyWhenCast(poplar::Graph& graph, const poplar::Tensor& input,
                                     poplar::Type outputType, double tolerance,
                                     poplar::program::Sequence& prog,
                                     const poplar::DebugContext& debugContext = {});

} // namespace popops
