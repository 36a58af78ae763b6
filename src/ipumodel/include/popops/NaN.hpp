// Whether a tensor holds a NaN.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

/// A BOOL scalar: some element of `src` is NaN, or infinite too if `hasNaNOrInf`.
poplar::Tensor hasNaN(poplar::Graph& graph, const poplar::Tensor& src,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});
poplar::Tensor hasNaN(poplar::Graph& graph, const poplar::Tensor& src, bool hasNaNOrInf,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});
poplar::Tensor hasNaNOrInf(poplar::Graph& graph, const poplar::Tensor& src,
                           poplar::program::Sequence& prog,
                           const poplar::DebugContext& debugContext = {});

} // namespace popops
