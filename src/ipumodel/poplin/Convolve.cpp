#include "poplin/Convolve.hpp"

#include <popops/Pad.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <string>
#include <utility>

namespace poplin {
namespace {

using poplar::Graph;
using poplar::Tensor;

// Part i of n elements in `parts` parts.
poplar::Interval part(std::size_t n, std::size_t parts, std::size_t i) {
  return {i * n / parts, (i + 1) * n / parts};
}

// f(fieldPart) for each block of an image's field.
template <class F>
void forEachFieldPart(const ConvPlan& plan, const F& f) {
  for (std::size_t z = 0; z != plan.fieldParts[0]; ++z)
    for (std::size_t y = 0; y != plan.fieldParts[1]; ++y)
      for (std::size_t x = 0; x != plan.fieldParts[2]; ++x)
        f(Field{z, y, x});
}

ConvShape shapeOf(const Tensor& in, const Tensor& weights, const Field& stride) {
  ConvShape s{in.dim(0), in.dim(1), in.dim(2), weights.dim(1), {}, {}, stride};
  for (unsigned d = 0; d != 3; ++d) {
    s.input[d] = in.dim(3 + d);
    s.kernel[d] = weights.dim(3 + d);
  }
  return s;
}

Tensor padded(Graph& graph, const Tensor& t, unsigned lower, unsigned upper, unsigned dim) {
  return popops::pad(graph, t, static_cast<std::ptrdiff_t>(lower),
                     static_cast<std::ptrdiff_t>(upper), dim);
}

} // namespace

Tensor dilated(Graph& graph, const Tensor& t, unsigned factor, unsigned dim) {
  const auto n = t.dim(dim);
  if (factor == 1 || n < 2)
    return t;
  // Each element becomes a run that starts with it; the zeros behind the last one go again.
  const auto runs = padded(graph, t.expand({dim + 1}), 0, factor - 1, dim + 1);
  return runs.flatten(dim, dim + 2).slice(0, (n - 1) * factor + 1, dim);
}

Tensor transformed(Graph& graph, Tensor t, const ConvParams::InputTransform& transform) {
  const auto numDims = static_cast<unsigned>(transform.dilation.size());
  const auto first = t.rank() - numDims;
  for (unsigned i = 0; i != numDims; ++i) {
    const auto dim = static_cast<unsigned>(first + i);
    t = t.slice(transform.truncationLower[i], t.dim(dim) - transform.truncationUpper[i], dim);
    t = dilated(graph, t, transform.dilation[i], dim);
    t = padded(graph, t, transform.paddingLower[i], transform.paddingUpper[i], dim);
    if (transform.flip[i])
      t = t.reverse(dim);
  }
  return t;
}

Tensor withThreeDims(const Tensor& weights) {
  auto t = weights;
  while (t.rank() < 6)
    t = t.expand({3});
  return t;
}

Tensor groupsFirst(const Tensor& t, std::size_t groups) {
  return withThreeDims(t.reshapePartial(1, 2, {groups, t.dim(1) / groups}).dimRoll(1, 0));
}

Tensor batchFirst(const Tensor& t, std::size_t numFieldDims) {
  auto result = t.dimRoll(0, 1).flatten(1, 3);
  while (result.rank() > 2 + numFieldDims)
    result = result.squeeze({2});
  return result;
}

void mapInput(Graph& graph, const Tensor& in, const ConvPlan& plan) {
  const auto numTiles = graph.getTarget().getNumTiles();
  for (std::size_t image = 0; image != in.dim(0) * in.dim(1); ++image)
    for (std::size_t channels = 0; channels != plan.channelParts; ++channels)
      forEachFieldPart(plan, [&](const Field& fieldPart) {
        auto block = in[image / in.dim(1)][image % in.dim(1)].slice(
            part(in.dim(2), plan.channelParts, channels));
        for (unsigned d = 0; d != 3; ++d)
          block = block.slice(part(in.dim(3 + d), plan.fieldParts[d], fieldPart[d]), 1 + d);
        if (block.numElements())
          graph.setTileMapping(block, plan.tile(image, channels, fieldPart, numTiles));
      });
}

void mapWeights(Graph& graph, const Tensor& weights, std::size_t batch, const ConvPlan& plan) {
  const auto numTiles = graph.getTarget().getNumTiles();
  for (std::size_t group = 0; group != weights.dim(0); ++group)
    for (std::size_t channels = 0; channels != plan.channelParts; ++channels) {
      // All images and parts of the field use the weights of these channels.
      std::vector<unsigned> users;
      for (std::size_t image = 0; image != batch; ++image)
        forEachFieldPart(plan, [&](const Field& fieldPart) {
          users.push_back(plan.tile(group * batch + image, channels, fieldPart, numTiles));
        });
      const auto block =
          weights[group].slice(part(weights.dim(1), plan.channelParts, channels)).flatten();
      for (std::size_t i = 0; i != users.size(); ++i)
        if (const auto share = part(block.numElements(), users.size(), i); share.size())
          graph.setTileMapping(block.slice(share), users[i]);
    }
}

Tensor convolve(Graph& graph, const Tensor& in, const Tensor& weights, const Field& stride,
                const poplar::Type& outputType, poplar::program::Sequence& prog,
                const poplar::DebugContext& debugContext) {
  const auto s = shapeOf(in, weights, stride);
  const auto numTiles = graph.getTarget().getNumTiles();
  const auto plan = planConvolution(graph.getTarget(), in.elementType(), s);
  const auto out = graph.addVariable(
      outputType, {s.groups, s.batch, s.outputChannels, s.output(0), s.output(1), s.output(2)},
      debugContext);
  const auto cs = graph.addComputeSet({debugContext, "Convolve"});
  const auto type = poputil::templateVertex("poplin::ConvBlock", in.elementType(), outputType);

  const auto addBlock = [&](std::size_t group, std::size_t image, std::size_t channelPart,
                            const Field& fieldPart) {
    const auto channels = part(s.outputChannels, plan.channelParts, channelPart);
    auto block = out[group][image].slice(channels);
    auto window = in[group][image];
    std::vector<std::pair<const char*, std::size_t>> sizes = {{"outputChannels", channels.size()},
                                                              {"inputChannels", s.inputChannels}};
    constexpr const char* kOut[] = {"outDepth", "outHeight", "outWidth"};
    constexpr const char* kIn[] = {"inDepth", "inHeight", "inWidth"};
    constexpr const char* kKernel[] = {"kernelDepth", "kernelHeight", "kernelWidth"};
    constexpr const char* kStride[] = {"strideZ", "strideY", "strideX"};
    for (unsigned d = 0; d != 3; ++d) {
      const auto outputs = part(s.output(d), plan.fieldParts[d], fieldPart[d]);
      block = block.slice(outputs, 1 + d);
      const auto begin = outputs.begin() * stride[d];
      const auto end = (outputs.end() - 1) * stride[d] + s.kernel[d];
      window = window.slice(begin, end, 1 + d);
      sizes.insert(sizes.end(), {{kOut[d], outputs.size()},
                                 {kIn[d], end - begin},
                                 {kKernel[d], s.kernel[d]},
                                 {kStride[d], stride[d]}});
    }
    const auto tile = plan.tile(group * s.batch + image, channelPart, fieldPart, numTiles);
    graph.setTileMapping(block, tile);
    const auto v = graph.addVertex(cs, type,
                                   {{"in", window.flatten()},
                                    {"weights", weights[group].slice(channels).flatten()},
                                    {"out", block.flatten()}});
    for (const auto& [field, size] : sizes)
      graph.setInitialValue(v[field], static_cast<unsigned>(size));
    graph.setTileMapping(v, tile);
  };

  for (std::size_t group = 0; group != s.groups; ++group)
    for (std::size_t image = 0; image != s.batch; ++image)
      for (std::size_t channels = 0; channels != plan.channelParts; ++channels)
        forEachFieldPart(
            plan, [&](const Field& fieldPart) { addBlock(group, image, channels, fieldPart); });
  prog.add(poplar::program::Execute(cs, debugContext));
  return out;
}

} // namespace poplin
