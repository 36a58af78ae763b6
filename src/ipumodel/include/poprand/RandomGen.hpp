// Random numbers.
//
// Every element is a function of the seed, the modifier and its index in the flattened result alone
// (Philox 4x32-10), so results depend neither on the tile mapping nor on the host's threads.
//
// `seed` points to two UNSIGNED_INT; the same seed gives the same numbers each time. Without a seed
// (nullptr) each call site draws new numbers in each execution; the sequence repeats in each load.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include <cstdint>

namespace poprand {

/// The result has the shape and the mapping of `reference` and type `outType`.
///
/// Uniform in [minVal, maxVal): FLOAT, HALF; in [minVal, maxVal]: INT.
poplar::Tensor uniform(poplar::Graph& graph, const poplar::Tensor* seed, std::uint32_t seedModifier,
                       const poplar::Tensor& reference, const poplar::Type& outType, double minVal,
                       double maxVal, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {});

/// A number in [minVal, maxVal] whose logarithm is uniform, whatever the base of that; the base
/// default is e. REQUIRES: 0 < minVal < maxVal; base positive and not 1.
poplar::Tensor logUniform(poplar::Graph& graph, const poplar::Tensor* seed,
                          std::uint32_t seedModifier, const poplar::Tensor& reference,
                          const poplar::Type& outType, double minVal, double maxVal,
                          poplar::program::Sequence& prog, double base = 2.718281828459045,
                          const poplar::DebugContext& debugContext = {});

/// 1 with probability `prob`, else 0: FLOAT, HALF, INT.
poplar::Tensor bernoulli(poplar::Graph& graph, const poplar::Tensor* seed,
                         std::uint32_t seedModifier, const poplar::Tensor& reference,
                         const poplar::Type& outType, double prob, poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {});

/// FLOAT, HALF.
poplar::Tensor normal(poplar::Graph& graph, const poplar::Tensor* seed, std::uint32_t seedModifier,
                      const poplar::Tensor& reference, const poplar::Type& outType, double mean,
                      double stdDev, poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});

/// Normal, cut at `alpha` standard deviations. FLOAT, HALF. REQUIRES: alpha > 0.
poplar::Tensor truncatedNormal(poplar::Graph& graph, const poplar::Tensor* seed,
                               std::uint32_t seedModifier, const poplar::Tensor& reference,
                               const poplar::Type& outType, double mean, double stdDev,
                               double alpha, poplar::program::Sequence& prog,
                               const poplar::DebugContext& debugContext = {});

/// `in` times `scale` with probability keepProbability, else 0. `reference` gives the mapping.
poplar::Tensor dropout(poplar::Graph& graph, const poplar::Tensor* seed, std::uint32_t seedModifier,
                       const poplar::Tensor& in, const poplar::Tensor& reference,
                       double keepProbability, double scale, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {});
/// The same, one draw for each element of `reference`, which is broadcast to the shape of `in`.
poplar::Tensor shapedDropout(poplar::Graph& graph, const poplar::Tensor* seed,
                             std::uint32_t seedModifier, const poplar::Tensor& in,
                             const poplar::Tensor& reference, double keepProbability, double scale,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {});

/// Seeds the tiles' hardware generators on an IPU. Nothing here draws from them, so this only
/// checks its arguments, as on Graphcore's IPU Model.
void setSeed(poplar::Graph& graph, const poplar::Tensor& masterSeed, std::uint32_t seedModifier,
             poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

} // namespace poprand
