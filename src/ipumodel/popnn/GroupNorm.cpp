#include <poplar/exceptions.hpp>
#include <poplin/Norms.hpp>
#include <popnn/GroupNorm.hpp>
#include <popnn/Norms.hpp>
#include <popops/ScaledAdd.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

namespace popnn {
namespace gn {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::Type;
using poplar::program::Sequence;

enum class Grouping { Strided, Consecutive };

Grouping groupingOf(const OptionFlags& options) {
  auto grouping = Grouping::Strided;
  for (const auto& option : options) {
    if (option.first != "groupNormStridedChannelGrouping")
      throw poplar::invalid_option("Unrecognised group norm option '" + option.first +
                                   "'; groupNormStridedChannelGrouping is known");
    if (option.second != "true" && option.second != "false")
      throw poplar::invalid_option("groupNormStridedChannelGrouping is true or false, not '" +
                                   option.second + "'");
    grouping = option.second == "true" ? Grouping::Strided : Grouping::Consecutive;
  }
  return grouping;
}

// [N][C][field...] as [C / G][N * G][field...], so that a group is a channel of poplin's norms.
Tensor group(const Tensor& acts, std::size_t numGroups, Grouping grouping) {
  if (acts.rank() < 2)
    throw poputil::poplibs_error("group norm: activations have shape " + acts.shapeToString() +
                                 "; [N][C] or more dimensions are needed");
  const auto batch = acts.dim(0), channels = acts.dim(1);
  if (numGroups == 0 || channels % numGroups != 0)
    throw poputil::poplibs_error("group norm: " + std::to_string(channels) +
                                 " channels cannot be split into " + std::to_string(numGroups) +
                                 " groups");
  const auto perGroup = channels / numGroups;
  const auto split = grouping == Grouping::Strided
                         ? acts.reshapePartial(1, 2, {perGroup, numGroups}).dimRoll(1, 0)
                         : acts.reshapePartial(1, 2, {numGroups, perGroup}).dimRoll(2, 0);
  return split.reshapePartial(1, 3, {batch * numGroups});
}

// The inverse.
Tensor ungroup(const Tensor& grouped, std::size_t batch, Grouping grouping) {
  const auto perGroup = grouped.dim(0), numGroups = grouped.dim(1) / batch;
  const auto split = grouped.reshapePartial(1, 2, {batch, numGroups})
                         .dimRoll(0, grouping == Grouping::Strided ? 1 : 2);
  return split.reshapePartial(1, 3, {perGroup * numGroups});
}

std::size_t numGroupsOf(const Tensor& statistics, const Tensor& acts) {
  if (statistics.rank() != 1 || statistics.dim(0) % acts.dim(0) != 0)
    throw poputil::poplibs_error("group norm: statistics of shape " + statistics.shapeToString() +
                                 " do not belong to activations of shape " + acts.shapeToString());
  return statistics.dim(0) / acts.dim(0);
}

} // namespace

std::pair<Tensor, Tensor>
groupNormStatistics(Graph& graph, const Tensor acts, float eps, Sequence& prog, unsigned numGroups,
                    bool unbiasedVarEstimate, bool stableAlgo, const Type& partialsType,
                    const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  return poplin::normStatistics(graph, group(acts, numGroups, groupingOf(options)), eps, prog,
                                unbiasedVarEstimate, stableAlgo, partialsType, {di});
}

Tensor groupNormWhiten(Graph& graph, const Tensor& acts, const Tensor& mean,
                       const Tensor& invStdDev, Sequence& prog, const DebugContext& debugContext,
                       const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto grouping = groupingOf(options);
  const auto grouped = group(acts, numGroupsOf(mean, acts), grouping);
  return ungroup(poplin::normWhiten(graph, grouped, mean, invStdDev, prog, {di}), acts.dim(0),
                 grouping);
}

std::pair<Tensor, Tensor> groupNormalise(Graph& graph, const Tensor& acts, const Tensor& gamma,
                                         const Tensor& beta, const Tensor& mean,
                                         const Tensor& invStdDev, Sequence& prog,
                                         const DebugContext& debugContext,
                                         const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto whitened = groupNormWhiten(graph, acts, mean, invStdDev, prog, {di}, options);
  return {poplin::normalise(graph, whitened, gamma, beta, prog, {di}), whitened};
}

std::pair<Tensor, Tensor>
groupNormParamGradients(Graph& graph, const Tensor& acts, const Tensor& gradsIn, const Tensor& mean,
                        const Tensor& iStdDev, Sequence& prog, const Type& partialsType,
                        const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto whitened = groupNormWhiten(graph, acts, mean, iStdDev, prog, {di}, options);
  return poplin::normParamGradients(graph, whitened, gradsIn, prog, partialsType, {di});
}

std::pair<Tensor, Tensor> groupNormParamGradients(Graph& graph, const Tensor& actsWhitened,
                                                  const Tensor& gradsIn, Sequence& prog,
                                                  const Type& partialsType,
                                                  const DebugContext& debugContext,
                                                  const OptionFlags& options) {
  groupingOf(options);
  poputil::PoplibsOpDebugInfo di(debugContext);
  return poplin::normParamGradients(graph, actsWhitened, gradsIn, prog, partialsType, {di});
}

Tensor groupNormGradients(Graph& graph, const Tensor& acts, const Tensor& gradsIn,
                          const Tensor& mean, const Tensor& invStdDev, const Tensor& gamma,
                          Sequence& prog, const Type& partialsType,
                          const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto whitened = groupNormWhiten(graph, acts, mean, invStdDev, prog, {di}, options);
  return groupNormGradients(graph, whitened, gradsIn, invStdDev, gamma, prog, partialsType, {di},
                            options);
}

Tensor groupNormGradients(Graph& graph, const Tensor& actsWhitened, const Tensor& gradsIn,
                          const Tensor& invStdDev, const Tensor& gamma, Sequence& prog,
                          const Type& partialsType, const DebugContext& debugContext,
                          const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto grouping = groupingOf(options);
  const auto numGroups = numGroupsOf(invStdDev, actsWhitened);
  const auto scaled = poplin::normGradients(graph, gradsIn, gamma, prog, {di});
  const auto grads = poplin::normStatisticsGradients(
      graph, group(actsWhitened, numGroups, grouping), group(scaled, numGroups, grouping),
      invStdDev, prog, partialsType, {di});
  return ungroup(grads, actsWhitened.dim(0), grouping);
}

void groupNormParamUpdate(Graph& graph, const Tensor& gammaDelta, const Tensor& betaDelta,
                          float scale, Tensor& gamma, Tensor& beta, Sequence& prog,
                          const DebugContext& debugContext, const OptionFlags& options) {
  groupingOf(options);
  popops::scaledAddTo(graph, poplar::concat(beta, gamma), poplar::concat(betaDelta, gammaDelta),
                      scale, prog, debugContext);
}

void groupNormParamUpdate(Graph& graph, const Tensor& gammaDelta, const Tensor& betaDelta,
                          const Tensor& scale, Tensor& gamma, Tensor& beta, Sequence& prog,
                          const DebugContext& debugContext, const OptionFlags& options) {
  groupingOf(options);
  popops::scaledAddTo(graph, poplar::concat(beta, gamma), poplar::concat(betaDelta, gammaDelta),
                      scale, prog, debugContext);
}

} // namespace gn

std::size_t numNormChannels(poplar::Tensor acts) {
  return acts.dim(1);
}

std::size_t numNormElemsPerChannel(poplar::Tensor acts) {
  return acts.numElements() / acts.dim(1);
}

// Mean and mean square take 3 operations an element, the whitening and scaling 4; each statistic 7
// more.
std::uint64_t getNormFwdFlops(std::size_t statisticsSize, std::size_t numActsElements,
                              bool computeStats) {
  return (computeStats ? 3 * numActsElements + 7 * statisticsSize : 0) + 4 * numActsElements;
}

// Two sums and a product, then the five operations of the gradient.
std::uint64_t getNormBwdFlops(std::size_t statisticsSize, std::size_t numActsElements) {
  return 8 * numActsElements + 2 * statisticsSize;
}

std::uint64_t getNormWuFlops(std::size_t paramsSize, std::size_t numActsElements) {
  return 3 * numActsElements + 2 * 2 * paramsSize;
}

} // namespace popnn
