// One-hot rows and ranges of integers.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/EncodingConstants.hpp>

namespace popops {

/// Row i of `encoded`, [indices, codes], is 0 but for a 1 at indices[i]; all 0 if that is
/// MASKED_LABEL_CODE. `indices` is INT or UNSIGNED_INT.
void encodeOneHot(poplar::Graph& graph, const poplar::Tensor& indices,
                  const poplar::Tensor& encoded, poplar::program::Sequence& prog,
                  const poplar::DebugContext& debugContext = {});
/// The same with scalars of the type of `encoded` for 1 and 0.
void encodeOneHot(poplar::Graph& graph, const poplar::Tensor& indices,
                  const poplar::Tensor& encoded, poplar::program::Sequence& prog,
                  const poplar::Tensor& on, const poplar::Tensor& off,
                  const poplar::DebugContext& debugContext = {});

/// t[i] = startInteger + i. `t` is 1-D, mapped, of type INT or UNSIGNED_INT (or FLOAT).
void iota(poplar::Graph& graph, const poplar::Tensor& t, unsigned startInteger,
          poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});
void iota(poplar::Graph& graph, const poplar::Tensor& t, int startInteger,
          poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});
void iota(poplar::Graph& graph, const poplar::Tensor& t, float startValue,
          poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

} // namespace popops
