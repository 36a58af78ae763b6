#include <popnn/BatchNorm.hpp>
#include <popops/ScaledAdd.hpp>
#include <poputil/DebugInfo.hpp>

namespace popnn {
namespace bn {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::Type;
using poplar::program::Sequence;

std::pair<Tensor, Tensor> batchNormStatistics(Graph& graph, const Tensor acts, float eps,
                                              Sequence& prog, bool unbiasedVarEstimate,
                                              bool stableAlgo, const Type& partialsType,
                                              const DebugContext& debugContext,
                                              const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  return poplin::normStatistics(graph, acts, eps, prog, unbiasedVarEstimate, stableAlgo,
                                partialsType, {di}, options);
}

std::pair<Tensor, Tensor>
distributedBatchNormStatistics(Graph& replicatedGraph, const Tensor acts, float eps, Sequence& prog,
                               bool unbiasedVarEstimate,
                               poplin::DistributedNormReduceCallback allReduceCallback,
                               unsigned normBatchSize, bool stableAlgo, const Type& partialsType,
                               const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  return poplin::distributedNormStatistics(replicatedGraph, acts, eps, prog, unbiasedVarEstimate,
                                           std::move(allReduceCallback), normBatchSize, stableAlgo,
                                           partialsType, {di}, options);
}

Tensor batchNormWhiten(Graph& graph, const Tensor& acts, const Tensor& mean,
                       const Tensor& invStdDev, Sequence& prog, const DebugContext& debugContext,
                       const OptionFlags& options) {
  return poplin::normWhiten(graph, acts, mean, invStdDev, prog, debugContext, options);
}

std::pair<Tensor, Tensor> batchNormalise(Graph& graph, const Tensor& acts, const Tensor& gamma,
                                         const Tensor& beta, const Tensor& mean,
                                         const Tensor& invStdDev, Sequence& prog,
                                         const DebugContext& debugContext,
                                         const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto whitened = batchNormWhiten(graph, acts, mean, invStdDev, prog, {di}, options);
  return {poplin::normalise(graph, whitened, gamma, beta, prog, {di}, options), whitened};
}

Tensor batchNormalise(Graph& graph, const Tensor& acts, const Tensor& combinedMultiplicand,
                      const Tensor& addend, Sequence& prog, const DebugContext& debugContext,
                      const OptionFlags& options) {
  return poplin::normalise(graph, acts, combinedMultiplicand, addend, prog, debugContext, options);
}

std::pair<Tensor, Tensor>
batchNormParamGradients(Graph& graph, const Tensor& acts, const Tensor& gradsIn, const Tensor& mean,
                        const Tensor& iStdDev, Sequence& prog, const Type& partialsType,
                        const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto whitened = batchNormWhiten(graph, acts, mean, iStdDev, prog, {di}, options);
  return poplin::normParamGradients(graph, whitened, gradsIn, prog, partialsType, {di}, options);
}

std::pair<Tensor, Tensor> batchNormParamGradients(Graph& graph, const Tensor& actsWhitened,
                                                  const Tensor& gradsIn, Sequence& prog,
                                                  const Type& partialsType,
                                                  const DebugContext& debugContext,
                                                  const OptionFlags& options) {
  return poplin::normParamGradients(graph, actsWhitened, gradsIn, prog, partialsType, debugContext,
                                    options);
}

Tensor batchNormGradients(Graph& graph, const Tensor& acts, const Tensor& gradsIn,
                          const Tensor& mean, const Tensor& invStdDev, const Tensor& gamma,
                          Sequence& prog, const Type& partialsType,
                          const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto whitened = batchNormWhiten(graph, acts, mean, invStdDev, prog, {di}, options);
  return batchNormGradients(graph, whitened, gradsIn, invStdDev, gamma, prog, partialsType, {di},
                            options);
}

Tensor batchNormGradients(Graph& graph, const Tensor& actsWhitened, const Tensor& gradsIn,
                          const Tensor& invStdDev, const Tensor& gamma, Sequence& prog,
                          const Type& partialsType, const DebugContext& debugContext,
                          const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto scaled = poplin::normGradients(graph, gradsIn, gamma, prog, {di}, options);
  return poplin::normStatisticsGradients(graph, actsWhitened, scaled, invStdDev, prog, partialsType,
                                         {di}, options);
}

Tensor distributedBatchNormGradients(Graph& replicatedGraph, const Tensor& acts,
                                     const Tensor& gradsIn, const Tensor& mean,
                                     const Tensor& invStdDev, const Tensor& gamma, Sequence& prog,
                                     poplin::DistributedNormReduceCallback reduceCallback,
                                     unsigned normBatchSize, const Type& partialsType,
                                     const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto whitened =
      batchNormWhiten(replicatedGraph, acts, mean, invStdDev, prog, {di}, options);
  return distributedBatchNormGradients(replicatedGraph, whitened, gradsIn, invStdDev, gamma, prog,
                                       std::move(reduceCallback), normBatchSize, partialsType, {di},
                                       options);
}

Tensor distributedBatchNormGradients(Graph& replicatedGraph, const Tensor& actsWhitened,
                                     const Tensor& gradsIn, const Tensor& invStdDev,
                                     const Tensor& gamma, Sequence& prog,
                                     poplin::DistributedNormReduceCallback reduceCallback,
                                     unsigned normBatchSize, const Type& partialsType,
                                     const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto scaled = poplin::normGradients(replicatedGraph, gradsIn, gamma, prog, {di}, options);
  return poplin::distributedNormStatisticsGradients(replicatedGraph, actsWhitened, scaled,
                                                    invStdDev, prog, std::move(reduceCallback),
                                                    normBatchSize, partialsType, {di}, options);
}

void batchNormParamUpdate(Graph& graph, const Tensor& gammaDelta, const Tensor& betaDelta,
                          float scale, Tensor& gamma, Tensor& beta, Sequence& prog,
                          const DebugContext& debugContext, const OptionFlags&) {
  popops::scaledAddTo(graph, poplar::concat(beta, gamma), poplar::concat(betaDelta, gammaDelta),
                      scale, prog, debugContext);
}

void batchNormParamUpdate(Graph& graph, const Tensor& gammaDelta, const Tensor& betaDelta,
                          const Tensor& scale, Tensor& gamma, Tensor& beta, Sequence& prog,
                          const DebugContext& debugContext, const OptionFlags&) {
  popops::scaledAddTo(graph, poplar::concat(beta, gamma), poplar::concat(betaDelta, gammaDelta),
                      scale, prog, debugContext);
}

} // namespace bn
} // namespace popnn
