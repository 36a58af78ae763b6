// Loops with a counter that the body can read.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include <cstddef>
#include <functional>

namespace popops {

/// Makes the body from the counter, an UNSIGNED_INT tensor of one element.
using CountedLoopBodyType = std::function<poplar::program::Program(const poplar::Tensor&)>;

/// for (i = begin; i < end; i += step) body(i). Throws poplibs_error unless begin < end and step >
/// 0.
poplar::program::Sequence countedLoop(poplar::Graph& graph, std::size_t begin, std::size_t end,
                                      std::size_t step, const CountedLoopBodyType& body,
                                      const poplar::DebugContext& debugContext = {});

/// for (i = 0; i < count; ++i) body(i).
poplar::program::Sequence countedLoop(poplar::Graph& graph, std::size_t count,
                                      const CountedLoopBodyType& body,
                                      const poplar::DebugContext& debugContext = {});

/// Adds to `prog` one step of a counter on `tile`: count += countStep. The UNSIGNED_INT scalar it
/// gives is then whether count differs from countLimit. Both are scalars of type INT or
/// UNSIGNED_INT.
poplar::Tensor addForLoopCounterVertex(poplar::Graph& graph, const poplar::Tensor& count,
                                       const poplar::Tensor& countLimit, int countStep,
                                       unsigned tile, poplar::program::Sequence& prog,
                                       const poplar::DebugContext& debugContext = {});

/// for (count = initialCount; count != countLimit; count += countStep) body, the limit being read
/// when the loop runs.
poplar::program::Sequence countedForLoop(poplar::Graph& graph, const poplar::Tensor& count,
                                         int initialCount, const poplar::Tensor& countLimit,
                                         int countStep, const poplar::program::Program& body,
                                         const poplar::DebugContext& debugContext = {});
poplar::program::Sequence countedForLoop(poplar::Graph& graph, int initialCount,
                                         const poplar::Tensor& countLimit, int countStep,
                                         const poplar::program::Program& body,
                                         const poplar::DebugContext& debugContext = {});

} // namespace popops
