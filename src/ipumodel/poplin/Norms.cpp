#include <poplin/Norms.hpp>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace poplin {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::Type;
using poplar::program::Sequence;
namespace pe = popops::expr;

void requireActivations(const Tensor& acts) {
  if (acts.rank() < 2)
    throw poputil::poplibs_error("norm: activations have shape " + acts.shapeToString() +
                                 "; [N][C] or more dimensions are needed");
}

// A vector of C as [C][1]..., to meet activations of that rank.
Tensor perChannel(const Tensor& vector, const Tensor& acts) {
  if (vector.rank() != 1 || vector.dim(0) != acts.dim(1))
    throw poputil::poplibs_error("norm: a vector of " + std::to_string(acts.dim(1)) +
                                 " channels is needed, not a tensor of shape " +
                                 vector.shapeToString());
  std::vector<std::size_t> shape(acts.rank() - 1, 1);
  shape[0] = vector.dim(0);
  return vector.reshape(shape);
}

std::vector<std::size_t> allButChannel(const Tensor& acts) {
  std::vector<std::size_t> dims(1, 0);
  for (std::size_t d = 2; d < acts.rank(); ++d)
    dims.push_back(d);
  return dims;
}

Tensor channelSum(Graph& graph, const Tensor& acts, popops::Operation op, Sequence& prog,
                  const DebugContext& debugContext) {
  return popops::reduce(graph, acts, poplar::FLOAT, allButChannel(acts), op, prog, debugContext);
}

Tensor toType(Graph& graph, const Tensor& t, const Type& type, Sequence& prog,
              const DebugContext& debugContext) {
  return t.elementType() == type ? t : popops::cast(graph, t, type, prog, debugContext);
}

// Elements of a channel on one replica.
double channelSize(const Tensor& acts) {
  double size = 1;
  for (const auto dim : allButChannel(acts))
    size *= static_cast<double>(acts.dim(static_cast<unsigned>(dim)));
  return size;
}

// The mean of nothing is 0.
float perElement(double size) {
  return size == 0 ? 0.0f : static_cast<float>(1.0 / size);
}

// How sums become sums over all that is normalised together.
struct Together {
  double size;
  DistributedNormReduceCallback reduce; // empty: one replica
  unsigned groupSize;
};

Together alone(const Tensor& acts) {
  return {channelSize(acts), {}, 1};
}

Together across(const Tensor& acts, DistributedNormReduceCallback reduce, unsigned normBatchSize) {
  const auto batch = static_cast<unsigned>(acts.dim(0));
  if (normBatchSize == 0 || normBatchSize % batch != 0)
    throw poputil::poplibs_error("norm: normBatchSize " + std::to_string(normBatchSize) +
                                 " is not a multiple of the batch of " + std::to_string(batch));
  const auto groups = normBatchSize / batch;
  return {channelSize(acts) * groups, groups == 1 ? nullptr : std::move(reduce), groups};
}

std::vector<Tensor> sumOver(const Together& all, Graph& graph, const std::vector<Tensor>& sums,
                            Sequence& prog, const DebugContext& debugContext,
                            const OptionFlags& options) {
  return all.reduce ? all.reduce(graph, sums, prog, all.groupSize, debugContext, options) : sums;
}

std::pair<Tensor, Tensor> statistics(Graph& graph, const Tensor& acts, float eps, Sequence& prog,
                                     bool unbiased, bool stable, const Together& all,
                                     const DebugContext& debugContext, const OptionFlags& options) {
  requireActivations(acts);
  using Op = popops::Operation;
  const auto scale = perElement(all.size);
  const auto spread =
      unbiased && all.size > 1 ? static_cast<float>(all.size / (all.size - 1)) : 1.0f;
  Tensor mean, meanSquare;
  if (stable) {
    const auto sum = channelSum(graph, acts, Op::ADD, prog, debugContext);
    mean = popops::map(graph, pe::_1 * pe::Const(scale),
                       {sumOver(all, graph, {sum}, prog, debugContext, options)[0]}, prog,
                       debugContext);
    const auto centre = toType(graph, mean, acts.elementType(), prog, debugContext);
    const auto centred = popops::sub(graph, acts, perChannel(centre, acts), prog, debugContext);
    const auto power = channelSum(graph, centred, Op::SQUARE_ADD, prog, debugContext);
    meanSquare = sumOver(all, graph, {power}, prog, debugContext, options)[0];
    popops::mapInPlace(graph, pe::_1 * pe::Const(scale * spread), {meanSquare}, prog, debugContext);
  } else {
    const auto sums = sumOver(all, graph,
                              {channelSum(graph, acts, Op::ADD, prog, debugContext),
                               channelSum(graph, acts, Op::SQUARE_ADD, prog, debugContext)},
                              prog, debugContext, options);
    mean = popops::map(graph, pe::_1 * pe::Const(scale), {sums[0]}, prog, debugContext);
    // Rounding may leave a small negative number where all elements are equal.
    meanSquare = popops::map(graph,
                             pe::Max(pe::_1 * pe::Const(scale) - pe::_2 * pe::_2, pe::Const(0.0f)) *
                                 pe::Const(spread),
                             {sums[1], mean}, prog, debugContext);
  }
  popops::mapInPlace(graph, pe::Rsqrt(pe::_1 + pe::Const(eps)), {meanSquare}, prog, debugContext);
  return {toType(graph, mean, acts.elementType(), prog, debugContext),
          toType(graph, meanSquare, acts.elementType(), prog, debugContext)};
}

// (g - mean of g - w * mean of g w) * invStdDev
Tensor statisticsGradients(Graph& graph, const Tensor& actsWhitened, const Tensor& gradsIn,
                           const Tensor& invStdDev, Sequence& prog, const Together& all,
                           const DebugContext& debugContext, const OptionFlags& options) {
  requireActivations(actsWhitened);
  using Op = popops::Operation;
  const auto product = popops::mul(graph, gradsIn, actsWhitened, prog, debugContext);
  const auto sums = sumOver(all, graph,
                            {channelSum(graph, gradsIn, Op::ADD, prog, debugContext),
                             channelSum(graph, product, Op::ADD, prog, debugContext)},
                            prog, debugContext, options);
  const auto scale = perElement(all.size);
  std::vector<Tensor> means;
  for (const auto& sum : sums)
    means.push_back(toType(graph,
                           popops::map(graph, pe::_1 * pe::Const(scale), {sum}, prog, debugContext),
                           gradsIn.elementType(), prog, debugContext));
  return popops::map(graph, (pe::_1 - pe::_2 - pe::_3 * pe::_4) * pe::_5,
                     {gradsIn, perChannel(means[0], gradsIn), actsWhitened,
                      perChannel(means[1], gradsIn), perChannel(invStdDev, gradsIn)},
                     prog, debugContext);
}

} // namespace

Tensor createNormGamma(Graph& graph, const Tensor& acts, const Type& type,
                       const DebugContext& debugContext) {
  requireActivations(acts);
  poputil::PoplibsOpDebugInfo di(debugContext);
  return poputil::createBroadcastOperand(graph, acts, type, 1, false, {di, "gamma"});
}

Tensor createNormGamma(Graph& graph, const Tensor& acts, const DebugContext& debugContext) {
  return createNormGamma(graph, acts, acts.elementType(), debugContext);
}

Tensor createNormBeta(Graph& graph, const Tensor& acts, const Type& type,
                      const DebugContext& debugContext) {
  requireActivations(acts);
  poputil::PoplibsOpDebugInfo di(debugContext);
  return poputil::createBroadcastOperand(graph, acts, type, 1, false, {di, "beta"});
}

Tensor createNormBeta(Graph& graph, const Tensor& acts, const DebugContext& debugContext) {
  return createNormBeta(graph, acts, acts.elementType(), debugContext);
}

std::pair<Tensor, Tensor> createNormParams(Graph& graph, const Tensor& acts,
                                           const DebugContext& debugContext) {
  return {createNormGamma(graph, acts, debugContext), createNormBeta(graph, acts, debugContext)};
}

std::pair<Tensor, Tensor> normStatistics(Graph& graph, const Tensor& actsUngrouped, float eps,
                                         Sequence& prog, bool unbiasedVarEstimate, bool stableAlgo,
                                         const Type&, const DebugContext& debugContext,
                                         const OptionFlags& options) {
  requireActivations(actsUngrouped);
  poputil::PoplibsOpDebugInfo di(debugContext);
  return statistics(graph, actsUngrouped, eps, prog, unbiasedVarEstimate, stableAlgo,
                    alone(actsUngrouped), {di, "norm/statistics"}, options);
}

std::pair<Tensor, Tensor>
distributedNormStatistics(Graph& replicatedGraph, const Tensor& acts, float eps, Sequence& prog,
                          bool unbiasedVarEstimate, DistributedNormReduceCallback allReduceCallback,
                          unsigned normBatchSize, bool stableAlgo, const Type&,
                          const DebugContext& debugContext, const OptionFlags& options) {
  requireActivations(acts);
  poputil::PoplibsOpDebugInfo di(debugContext);
  return statistics(replicatedGraph, acts, eps, prog, unbiasedVarEstimate, stableAlgo,
                    across(acts, std::move(allReduceCallback), normBatchSize),
                    {di, "norm/statistics"}, options);
}

Tensor normWhiten(Graph& graph, const Tensor& acts, const Tensor& mean, const Tensor& iStdDev,
                  Sequence& prog, const DebugContext& debugContext, const OptionFlags&) {
  requireActivations(acts);
  poputil::PoplibsOpDebugInfo di(debugContext);
  return popops::map(graph, (pe::_1 - pe::_2) * pe::_3,
                     {acts, perChannel(mean, acts), perChannel(iStdDev, acts)}, prog,
                     {di, "norm/whiten"});
}

Tensor normalise(Graph& graph, const Tensor& actsWhitened, const Tensor& gamma, const Tensor& beta,
                 Sequence& prog, const DebugContext& debugContext, const OptionFlags&) {
  requireActivations(actsWhitened);
  poputil::PoplibsOpDebugInfo di(debugContext);
  return popops::map(
      graph, pe::_1 * pe::_2 + pe::_3,
      {actsWhitened, perChannel(gamma, actsWhitened), perChannel(beta, actsWhitened)}, prog,
      {di, "norm/scale"});
}

std::pair<Tensor, Tensor> normParamGradients(Graph& graph, const Tensor& actsWhitened,
                                             const Tensor& gradsIn, Sequence& prog, const Type&,
                                             const DebugContext& debugContext, const OptionFlags&) {
  requireActivations(actsWhitened);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const DebugContext name(di, "norm/paramGradients");
  const auto product = popops::mul(graph, gradsIn, actsWhitened, prog, name);
  const auto gamma = channelSum(graph, product, popops::Operation::ADD, prog, name);
  const auto beta = channelSum(graph, gradsIn, popops::Operation::ADD, prog, name);
  return {toType(graph, gamma, gradsIn.elementType(), prog, name),
          toType(graph, beta, gradsIn.elementType(), prog, name)};
}

Tensor normGradients(Graph& graph, const Tensor& gradsIn, const Tensor& gamma, Sequence& prog,
                     const DebugContext& debugContext, const OptionFlags&) {
  requireActivations(gradsIn);
  poputil::PoplibsOpDebugInfo di(debugContext);
  return popops::mul(graph, gradsIn, perChannel(gamma, gradsIn), prog, {di, "norm/gradients"});
}

Tensor normStatisticsGradients(Graph& graph, const Tensor& actsWhitened, const Tensor& gradsIn,
                               const Tensor& invStdDev, Sequence& prog, const Type&,
                               const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  return statisticsGradients(graph, actsWhitened, gradsIn, invStdDev, prog, alone(actsWhitened),
                             {di, "norm/statisticsGradients"}, options);
}

Tensor distributedNormStatisticsGradients(Graph& replicatedGraph, const Tensor& actsWhitened,
                                          const Tensor& gradsIn, const Tensor& invStdDev,
                                          Sequence& prog,
                                          DistributedNormReduceCallback reduceCallback,
                                          unsigned normBatchSize, const Type&,
                                          const DebugContext& debugContext,
                                          const OptionFlags& options) {
  requireActivations(actsWhitened);
  poputil::PoplibsOpDebugInfo di(debugContext);
  return statisticsGradients(replicatedGraph, actsWhitened, gradsIn, invStdDev, prog,
                             across(actsWhitened, std::move(reduceCallback), normBatchSize),
                             {di, "norm/statisticsGradients"}, options);
}

} // namespace poplin
