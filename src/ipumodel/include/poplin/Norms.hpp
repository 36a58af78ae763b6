// The steps of normalisation: statistics, whitening, scaling, and their gradients.
//
// Activations are [N][C][field...]; statistics and parameters are vectors of C elements, of the
// type of the activations. Sums are FLOAT, whatever partialsType says.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace poplin {

/// Sums tensors over groups of `groupSize` replicas.
using DistributedNormReduceCallback = std::function<std::vector<poplar::Tensor>(
    poplar::Graph& replicatedGraph, const std::vector<poplar::Tensor>& inputsToReduce,
    poplar::program::Sequence& prog, unsigned groupSize, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags& options)>;

/// A vector of C elements, each on a tile that holds activations of its channel.
poplar::Tensor createNormGamma(poplar::Graph& graph, const poplar::Tensor& acts,
                               const poplar::Type& type,
                               const poplar::DebugContext& debugContext = {});
poplar::Tensor createNormGamma(poplar::Graph& graph, const poplar::Tensor& acts,
                               const poplar::DebugContext& debugContext = {});
poplar::Tensor createNormBeta(poplar::Graph& graph, const poplar::Tensor& acts,
                              const poplar::Type& type,
                              const poplar::DebugContext& debugContext = {});
poplar::Tensor createNormBeta(poplar::Graph& graph, const poplar::Tensor& acts,
                              const poplar::DebugContext& debugContext = {});
/// Gamma and beta.
std::pair<poplar::Tensor, poplar::Tensor>
createNormParams(poplar::Graph& graph, const poplar::Tensor& acts,
                 const poplar::DebugContext& debugContext = {});

/// Mean and 1 / sqrt(variance + eps) of each channel. The variance is the mean square less the
/// squared mean, or with stableAlgo the mean square of what is left after the mean is subtracted;
/// unbiased: times n / (n - 1).
std::pair<poplar::Tensor, poplar::Tensor>
normStatistics(poplar::Graph& graph, const poplar::Tensor& actsUngrouped, float eps,
               poplar::program::Sequence& prog, bool unbiasedVarEstimate, bool stableAlgo = false,
               const poplar::Type& partialsType = poplar::FLOAT,
               const poplar::DebugContext& debugContext = {},
               const poplar::OptionFlags& options = {});

/// The same over the batches of several replicas, normBatchSize samples in all.
std::pair<poplar::Tensor, poplar::Tensor>
distributedNormStatistics(poplar::Graph& replicatedGraph, const poplar::Tensor& acts, float eps,
                          poplar::program::Sequence& prog, bool unbiasedVarEstimate,
                          DistributedNormReduceCallback allReduceCallback, unsigned normBatchSize,
                          bool stableAlgo = false, const poplar::Type& partialsType = poplar::FLOAT,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {});

/// (acts - mean) * iStdDev.
poplar::Tensor normWhiten(poplar::Graph& graph, const poplar::Tensor& acts,
                          const poplar::Tensor& mean, const poplar::Tensor& iStdDev,
                          poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {});

/// actsWhitened * gamma + beta.
poplar::Tensor normalise(poplar::Graph& graph, const poplar::Tensor& actsWhitened,
                         const poplar::Tensor& gamma, const poplar::Tensor& beta,
                         poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {},
                         const poplar::OptionFlags& options = {});

/// The gradients of gamma and beta.
std::pair<poplar::Tensor, poplar::Tensor> normParamGradients(
    poplar::Graph& graph, const poplar::Tensor& actsWhitened, const poplar::Tensor& gradsIn,
    poplar::program::Sequence& prog, const poplar::Type& partialsType = poplar::FLOAT,
    const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});

/// gradsIn * gamma: back through normalise().
poplar::Tensor normGradients(poplar::Graph& graph, const poplar::Tensor& gradsIn,
                             const poplar::Tensor& gamma, poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {});

/// Back through whitening and the statistics.
poplar::Tensor normStatisticsGradients(poplar::Graph& graph, const poplar::Tensor& actsWhitened,
                                       const poplar::Tensor& gradsIn,
                                       const poplar::Tensor& invStdDev,
                                       poplar::program::Sequence& prog,
                                       const poplar::Type& partialsType = poplar::FLOAT,
                                       const poplar::DebugContext& debugContext = {},
                                       const poplar::OptionFlags& options = {});
poplar::Tensor distributedNormStatisticsGradients(
    poplar::Graph& replicatedGraph, const poplar::Tensor& actsWhitened,
    const poplar::Tensor& gradsIn, const poplar::Tensor& invStdDev, poplar::program::Sequence& prog,
    DistributedNormReduceCallback reduceCallback, unsigned normBatchSize,
    const poplar::Type& partialsType = poplar::FLOAT, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {});

} // namespace poplin
