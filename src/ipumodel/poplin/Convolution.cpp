#include "poplin/Convolve.hpp"
#include "poplin/PlanOptions.hpp"
#include "poplin/PlanningKeys.hpp"

#include <poplar/exceptions.hpp>
#include <poplin/ConvUtil.hpp>
#include <poplin/Convolution.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Pad.hpp>
#include <popops/Reduce.hpp>
#include <popops/ScaledAdd.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <ostream>
#include <string>

namespace poplin {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;
using Sizes = std::vector<std::size_t>;

void checkParams(const ConvParams& p) {
  p.validate();
  if (p.getNumFieldDims() < 1 || p.getNumFieldDims() > 3)
    throw poputil::poplibs_error("Convolution of " + std::to_string(p.getNumFieldDims()) +
                                 " field dimensions; 1 to 3 are supported");
  for (const auto& type : {p.inputType, p.outputType})
    if (type != poplar::FLOAT && type != poplar::HALF)
      throw poputil::poplibs_error("Convolution of " + type.toString().cloneAsString() +
                                   "; FLOAT and HALF are supported");
}

Sizes joined(Sizes first, const Sizes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Sizes inputShape(const ConvParams& p) {
  return joined({p.batchSize, p.getNumInputChans()}, p.inputFieldShape);
}
Sizes weightShape(const ConvParams& p) {
  return joined({p.numConvGroups, p.outputChannelsPerConvGroup, p.inputChannelsPerConvGroup},
                p.kernelShape);
}

void checkShape(const Tensor& t, const Sizes& shape, const char* what) {
  if (t.shape() == shape)
    return;
  std::string expected;
  for (const auto size : shape)
    expected += (expected.empty() ? "" : ",") + std::to_string(size);
  throw poputil::poplibs_error("Convolution: the shape of the " + std::string(what) + " is " +
                               t.shapeToString() + ", not {" + expected + "}");
}

Field strideOf(const ConvParams& p) {
  Field stride = {1, 1, 1};
  const auto missing = 3 - p.getNumFieldDims();
  for (std::size_t d = 0; d != p.getNumFieldDims(); ++d)
    stride[missing + d] = p.outputTransform.stride[d];
  return stride;
}

// Of the operands with their transforms applied.
ConvPlan planOf(const Graph& graph, const ConvParams& p) {
  ConvShape s{p.numConvGroups,
              p.batchSize,
              p.inputChannelsPerConvGroup,
              p.outputChannelsPerConvGroup,
              {1, 1, 1},
              {1, 1, 1},
              strideOf(p)};
  const auto missing = 3 - p.getNumFieldDims();
  for (unsigned d = 0; d != p.getNumFieldDims(); ++d) {
    s.kernel[missing + d] = p.getTransformedKernelSize(d);
    s.input[missing + d] =
        std::max<std::size_t>(p.getTransformedInputSize(d) - p.outputTransform.truncationLower[d] -
                                  p.outputTransform.truncationUpper[d],
                              s.kernel[missing + d]);
  }
  return planConvolution(graph.getTarget(), p.inputType, s);
}

// The part of the transformed input that the output's truncation leaves.
Tensor usedInput(const ConvParams& p, Tensor in) {
  for (unsigned d = 0; d != p.getNumFieldDims(); ++d)
    in = in.slice(p.outputTransform.truncationLower[d],
                  in.dim(2 + d) - p.outputTransform.truncationUpper[d], 2 + d);
  return in;
}

// Whether anything is left to compute.
bool hasOutput(const ConvParams& p) {
  for (unsigned d = 0; d != p.getNumFieldDims(); ++d)
    if (p.outputTransform.truncationLower[d] + p.outputTransform.truncationUpper[d] ==
        p.getUntransformedOutputSize(d))
      return false;
  return true;
}

std::size_t macs(const ConvParams& p) {
  std::size_t n =
      p.batchSize * p.numConvGroups * p.inputChannelsPerConvGroup * p.outputChannelsPerConvGroup;
  for (unsigned d = 0; d != p.getNumFieldDims(); ++d)
    n *= p.getTruncatedKernelSize(d) * (p.getOutputSize(d) - p.outputTransform.paddingLower[d] -
                                        p.outputTransform.paddingUpper[d]);
  return n;
}

} // namespace

std::uint64_t getFwdFlops(const ConvParams& params) {
  return 2 * macs(params);
}
std::uint64_t getBwdFlops(const ConvParams& params) {
  return 2 * macs(params);
}
std::uint64_t getWuFlops(const ConvParams& params) {
  return 2 * macs(params);
}

double getFwdPerfectCycleCount(const Graph& graph, const ConvParams& params) {
  const auto& target = graph.getTarget();
  unsigned perCycle = target.getVectorWidth(params.inputType);
  if (params.inputType == poplar::HALF) // the matrix unit takes a vector for each of its parts
    perCycle *= std::max(target.getFp16InFp16OutConvUnitsPerTile(),
                         target.getFp16InFp32OutConvUnitsPerTile());
  return static_cast<double>(macs(params)) / perCycle / target.getNumTiles();
}
double getBwdPerfectCycleCount(const Graph& graph, const ConvParams& params) {
  return getFwdPerfectCycleCount(graph, params);
}
double getWuPerfectCycleCount(const Graph& graph, const ConvParams& params) {
  return getFwdPerfectCycleCount(graph, params);
}

void preplanConvolutions(const std::set<ConvPlanParams>& convs, PlanningCache& cache) {
  for (const auto& [target, params, options] : convs) {
    checkParams(params);
    checkConvOptions(*options);
    cache.add(describe(params, *options));
  }
}
void preplanConvolutions(Graph&, const std::set<ConvPlanParams>& convs, PlanningCache& cache) {
  preplanConvolutions(convs, cache);
}

void reportPlanInfo(std::ostream& out, const Graph& graph, const ConvParams& params,
                    const OptionFlags& options, PlanningCache*) {
  checkConvOptions(options);
  checkParams(params);
  const auto plan = planOf(graph, params);
  out << "Convolution of " << params.batchSize << " images in " << params.numConvGroups
      << " groups: " << plan.channelParts << " parts of the output channels, " << plan.fieldParts[0]
      << " x " << plan.fieldParts[1] << " x " << plan.fieldParts[2] << " parts of the field, "
      << plan.tilesPerImage << " tiles an image, estimated cycles " << plan.cycles << "\n";
}
void reportWeightUpdatePlanInfo(std::ostream& out, const Graph& graph, const ConvParams& fwdParams,
                                const OptionFlags& fwdOptions, PlanningCache* cache) {
  out << "Weight update: ";
  reportPlanInfo(out, graph, getWeightUpdateParams(fwdParams), fwdOptions, cache);
}

Tensor createInput(Graph& graph, const ConvParams& params, const DebugContext& debugContext,
                   const OptionFlags& options, PlanningCache*) {
  checkConvOptions(options);
  checkParams(params);
  const auto t = graph.addVariable(params.inputType, inputShape(params), debugContext);
  mapInput(graph, groupsFirst(t, params.numConvGroups), planOf(graph, params));
  return t;
}

Tensor createWeights(Graph& graph, const ConvParams& params, const DebugContext& debugContext,
                     const OptionFlags& options, PlanningCache*) {
  checkConvOptions(options);
  checkParams(params);
  const auto t = graph.addVariable(params.inputType, weightShape(params), debugContext);
  // Parts that are used in turn lie alike, so that slicing one out moves nothing between tiles.
  auto part = params;
  const auto splits = serialOutChanSplit(options);
  if (params.outputChannelsPerConvGroup % splits == 0)
    part.outputChannelsPerConvGroup /= splits;
  const auto plan = planOf(graph, part);
  const auto size = part.outputChannelsPerConvGroup;
  for (std::size_t begin = 0; begin != t.dim(1); begin += size)
    mapWeights(graph, withThreeDims(t.slice(begin, begin + size, 1)), params.batchSize, plan);
  return t;
}

Tensor createConvOutput(Graph& graph, const ConvParams& params, const DebugContext& debugContext,
                        const OptionFlags& options, PlanningCache*) {
  checkConvOptions(options);
  checkParams(params);
  const auto t = graph.addVariable(
      params.outputType,
      joined({params.batchSize, params.getNumOutputChans()}, params.getOutputFieldShape()),
      debugContext);
  mapInput(graph, groupsFirst(t, params.numConvGroups), planOf(graph, params)); // the same blocks
  return t;
}

Tensor createBiases(Graph& graph, const Tensor& activations, const DebugContext& debugContext,
                    const OptionFlags& options, PlanningCache*) {
  checkConvOptions(options);
  const auto t = graph.addVariable(activations.elementType(), {activations.dim(1)}, debugContext);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

Tensor convolution(Graph& graph, const Tensor& in, const Tensor& weights, const ConvParams& params,
                   bool transposeAndFlipWeights, Sequence& prog, const DebugContext& debugContext,
                   const OptionFlags& options, PlanningCache*) {
  checkConvOptions(options);
  checkParams(params);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto numDims = params.getNumFieldDims();
  auto kernel = weights;
  if (transposeAndFlipWeights) {
    kernel = kernel.dimShufflePartial({1, 2}, {2, 1});
    for (unsigned d = 0; d != numDims; ++d)
      kernel = kernel.reverse(3 + d);
  }
  checkShape(in, inputShape(params), "input");
  checkShape(kernel, weightShape(params), "weights");

  Tensor out;
  if (hasOutput(params)) {
    const auto input = usedInput(params, transformed(graph, in, params.inputTransform));
    out = batchFirst(convolve(graph, groupsFirst(input, params.numConvGroups),
                              withThreeDims(transformed(graph, kernel, params.kernelTransform)),
                              strideOf(params), params.outputType, prog, {di}),
                     numDims);
  } else {
    auto shape = joined({params.batchSize, params.getNumOutputChans()}, Sizes(numDims, 0));
    out = graph.addVariable(params.outputType, shape, {di});
  }
  for (unsigned d = 0; d != numDims; ++d)
    out =
        popops::pad(graph, out, static_cast<std::ptrdiff_t>(params.outputTransform.paddingLower[d]),
                    static_cast<std::ptrdiff_t>(params.outputTransform.paddingUpper[d]), 2 + d);
  return out;
}

void weightsTransposeChansFlipXY(Graph&, const Tensor& weightsIn, const Tensor& weightsOut,
                                 Sequence& prog, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  auto flipped = weightsIn.dimShufflePartial({1, 2}, {2, 1});
  for (unsigned d = 3; d != flipped.rank(); ++d)
    flipped = flipped.reverse(d);
  prog.add(poplar::program::Copy(flipped, weightsOut, false, {di}));
}

// The batch is what is summed over: images become channels, the gradient becomes the kernel, and
// the result has the size of the transformed kernel, whose transform is then undone.
Tensor calculateWeightDeltas(Graph& graph, const Tensor& zDeltas, const Tensor& activations,
                             const ConvParams& params, Sequence& prog,
                             const DebugContext& debugContext, const OptionFlags& options,
                             PlanningCache*) {
  checkConvOptions(options);
  checkParams(params);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto numDims = params.getNumFieldDims();
  checkShape(activations, inputShape(params), "activations");
  checkShape(zDeltas,
             joined({params.batchSize, params.getNumOutputChans()}, params.getOutputFieldShape()),
             "gradient of the output");

  auto input = usedInput(params, transformed(graph, activations, params.inputTransform));
  auto gradient = zDeltas;
  for (unsigned d = 0; d != numDims; ++d) {
    const auto& o = params.outputTransform;
    gradient = gradient.slice(o.paddingLower[d], gradient.dim(2 + d) - o.paddingUpper[d], 2 + d);
    gradient = dilated(graph, gradient, o.stride[d], 2 + d);
    // Input that the stride never reaches has no part in it.
    input = input.slice(0, gradient.dim(2 + d) + params.getTransformedKernelSize(d) - 1, 2 + d);
  }
  const auto images = groupsFirst(input, params.numConvGroups).dimShufflePartial({1, 2}, {2, 1});
  const auto kernels =
      groupsFirst(gradient, params.numConvGroups).dimShufflePartial({1, 2}, {2, 1});
  auto deltas = convolve(graph, images, kernels, {1, 1, 1}, params.inputType, prog, {di})
                    .dimShufflePartial({1, 2}, {2, 1}); // [G][Co][Ci][kernel]
  for (unsigned d = 0; d != 3 - numDims; ++d)
    deltas = deltas.squeeze({3});

  const auto& k = params.kernelTransform;
  for (unsigned d = 0; d != numDims; ++d) {
    if (k.flip[d])
      deltas = deltas.reverse(3 + d);
    deltas = deltas.slice(k.paddingLower[d], deltas.dim(3 + d) - k.paddingUpper[d], 3 + d);
    deltas = deltas.subSample(k.dilation[d], 3 + d);
    deltas = popops::pad(graph, deltas, static_cast<std::ptrdiff_t>(k.truncationLower[d]),
                         static_cast<std::ptrdiff_t>(k.truncationUpper[d]), 3 + d);
  }
  return deltas;
}

void convolutionWeightUpdate(Graph& graph, const Tensor& zDeltas, const Tensor& weights,
                             const Tensor& activations, ConvParams params, const Tensor& scale,
                             Sequence& prog, const DebugContext& debugContext,
                             const OptionFlags& options, PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto deltas =
      calculateWeightDeltas(graph, zDeltas, activations, params, prog, {di}, options, cache);
  popops::scaledAddTo(graph, weights, deltas, scale, prog, {di});
}
void convolutionWeightUpdate(Graph& graph, const Tensor& zDeltas, const Tensor& weights,
                             const Tensor& activations, ConvParams params, float scale,
                             Sequence& prog, const DebugContext& debugContext,
                             const OptionFlags& options, PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto deltas =
      calculateWeightDeltas(graph, zDeltas, activations, params, prog, {di}, options, cache);
  popops::scaledAddTo(graph, weights, deltas, scale, prog, {di});
}

void convolutionBiasUpdate(Graph& graph, const Tensor& zDeltas, const Tensor& biases,
                           const Tensor& scale, const OptionFlags& options, Sequence& prog,
                           const DebugContext& debugContext) {
  checkConvOptions(options);
  poputil::PoplibsOpDebugInfo di(debugContext);
  Sizes reduced{0};
  for (std::size_t d = 2; d < zDeltas.rank(); ++d)
    reduced.push_back(d);
  popops::reduceWithOutput(graph, zDeltas, biases, reduced, {popops::Operation::ADD, true, scale},
                           prog, {di});
}
void convolutionBiasUpdate(Graph& graph, const Tensor& zDeltas, const Tensor& biases, float scale,
                           const OptionFlags& options, Sequence& prog,
                           const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto factor = graph.addConstant(poplar::FLOAT, {}, scale, {di, "scale"});
  graph.setTileMapping(factor, 0);
  convolutionBiasUpdate(graph, zDeltas, biases, factor, options, prog, {di});
}

void addBias(Graph& graph, const Tensor& in, const Tensor& biases, Sequence& prog,
             const DebugContext& debugContext, const OptionFlags& options) {
  checkConvOptions(options);
  auto column = biases;
  while (column.rank() + 1 < in.rank())
    column = column.expand({column.rank()});
  popops::addInPlace(graph, in, column, prog, debugContext);
}

} // namespace poplin
