#include "popnn/codelets/PoolGeometry.hpp"

#include <poplar/exceptions.hpp>
#include <popnn/Pooling.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <ostream>
#include <string>

namespace popnn {
namespace pooling {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;

using Dims = std::vector<PoolDim>;

void checkOptions(const OptionFlags& options) {
  for (const auto& option : options)
    if (option.first != "poolUseIntrospectiveMapping")
      throw poplar::invalid_option("Unrecognised pooling option '" + option.first +
                                   "'; poolUseIntrospectiveMapping is known");
}

void checkParams(const PoolParams& p) {
  const auto n = p.inputFieldShape.size();
  if (n == 0 || n > kManyPoolDims)
    throw poputil::poplibs_error("pooling: a field of " + std::to_string(n) +
                                 " dimensions is not supported; 1 to " +
                                 std::to_string(kManyPoolDims) + " are");
  if (p.kernelShape.size() != n || p.stride.size() != n ||
      p.inputTruncationOrPaddingLower.size() != n || p.inputTruncationOrPaddingUpper.size() != n)
    throw poputil::poplibs_error("pooling: field, kernel, stride and padding differ in their "
                                 "numbers of dimensions");
  for (const auto s : p.stride)
    if (s == 0)
      throw poputil::poplibs_error("pooling: a stride is 0");
}

void checkShape(const PoolParams& p, const Tensor& t, const std::vector<std::size_t>& field,
                const char* name) {
  std::vector<std::size_t> shape = {p.batchSize, p.numChannels};
  shape.insert(shape.end(), field.begin(), field.end());
  if (t.shape() != shape)
    throw poputil::poplibs_error(std::string("pooling: the shape of ") + name + ", " +
                                 t.shapeToString() + ", does not follow from the parameters");
}

int asInt(std::size_t n) {
  return static_cast<int>(n);
}

// Dimensions of the vertices that pool a field of `n`.
unsigned rankFor(std::size_t n) {
  return n > kFewPoolDims ? kManyPoolDims : kFewPoolDims;
}

// The whole field; missing outer dimensions are 1 long.
Dims wholeField(const PoolParams& p) {
  Dims dims(rankFor(p.inputFieldShape.size()), {1, 0, 1, 0, 1, 1, 1, 0});
  const auto out = p.getOutputFieldShape();
  for (std::size_t i = 0; i != out.size(); ++i) {
    auto& d = dims[dims.size() - out.size() + i];
    d.field = d.inSize = asInt(p.inputFieldShape[i]);
    d.outSize = asInt(out[i]);
    d.kernel = asInt(p.kernelShape[i]);
    d.stride = static_cast<int>(p.stride[i]);
    d.padding = p.inputTruncationOrPaddingLower[i];
  }
  return dims;
}

// [batch * channels][as many dimensions as the vertices have]
Tensor asPlanes(const Tensor& t) {
  const unsigned rank = rankFor(t.rank() - 2);
  std::vector<std::size_t> shape(1 + rank, 1);
  shape[0] = t.dim(0) * t.dim(1);
  for (unsigned i = 2; i != t.rank(); ++i)
    shape[1 + rank - (t.rank() - i)] = t.dim(i);
  return t.reshape(shape);
}

// The dimension that is cut if there are fewer planes than tiles: the outermost that has a length.
unsigned cutDimension(const Dims& dims, int PoolDim::*size) {
  for (unsigned d = 0; d + 1 != dims.size(); ++d)
    if (dims[d].*size > 1)
      return d;
  return static_cast<unsigned>(dims.size()) - 1;
}

// Calls f(tile, plane, begin, end) for bands of all planes along the cut dimension.
void forEachBand(unsigned numTiles, std::size_t planes, int length,
                 const std::function<void(unsigned, std::size_t, int, int)>& f) {
  const auto parts =
      std::clamp<std::size_t>(numTiles / planes, 1, static_cast<std::size_t>(length));
  const auto bands = planes * parts;
  for (std::size_t plane = 0; plane != planes; ++plane)
    for (std::size_t part = 0; part != parts; ++part)
      f(static_cast<unsigned>((plane * parts + part) * std::min<std::size_t>(numTiles, bands) /
                              bands),
        plane, asInt(static_cast<std::size_t>(length) * part / parts),
        asInt(static_cast<std::size_t>(length) * (part + 1) / parts));
}

Tensor band(const Tensor& planes, std::size_t plane, unsigned dim, int begin, int size) {
  return planes[plane]
      .slice(static_cast<std::size_t>(begin), static_cast<std::size_t>(begin + size), dim)
      .flatten();
}

poplar::VertexRef addVertex(Graph& graph, const poplar::ComputeSet& cs, const char* name,
                            const PoolParams& params, const Dims& dims, unsigned tile) {
  const auto v = graph.addVertex(
      cs, poputil::templateVertex(name, params.dType, static_cast<unsigned>(dims.size())));
  std::vector<int> numbers;
  for (const auto& d : dims)
    numbers.insert(numbers.end(), {d.field, d.inBegin, d.inSize, d.outBegin, d.outSize, d.kernel,
                                   d.stride, d.padding});
  graph.setFieldSize(v["geometry"], numbers.size());
  graph.setInitialValue(v["geometry"], poplar::ArrayRef<int>(numbers));
  graph.setTileMapping(v, tile);
  return v;
}

// The slice of the input that the windows of a slice of the output read.
void coverInput(PoolDim& d) {
  const int begin = std::clamp(d.windowBegin(d.outBegin), 0, d.field);
  const int end = std::clamp(d.windowBegin(d.outBegin + d.outSize - 1) + d.kernel, begin, d.field);
  d.inBegin = begin;
  d.inSize = d.outSize > 0 ? end - begin : 0;
}

// The slice of the output whose windows read [begin, end) of the input.
void coverOutput(PoolDim& d, int begin, int end) {
  const int first = d.firstWindow(begin);
  d.outSize = std::max(0, d.lastWindow(end - 1) - first + 1);
  d.outBegin = d.outSize > 0 ? first : 0;
}

std::uint64_t product(const std::vector<std::size_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t(1), std::multiplies<>());
}

Tensor newField(Graph& graph, const PoolParams& params, const std::vector<std::size_t>& field,
                const DebugContext& debugContext) {
  std::vector<std::size_t> shape = {params.batchSize, params.numChannels};
  shape.insert(shape.end(), field.begin(), field.end());
  return graph.addVariable(params.dType, shape, debugContext);
}

} // namespace

std::vector<std::size_t> PoolParams::getOutputFieldShape() const {
  checkParams(*this);
  std::vector<std::size_t> out;
  for (std::size_t d = 0; d != inputFieldShape.size(); ++d) {
    const auto padded = static_cast<std::ptrdiff_t>(inputFieldShape[d]) +
                        inputTruncationOrPaddingLower[d] + inputTruncationOrPaddingUpper[d];
    const auto kernel = static_cast<std::ptrdiff_t>(kernelShape[d]);
    if (kernel == 0 || padded < kernel)
      throw poputil::poplibs_error("pooling: a kernel of " + std::to_string(kernel) +
                                   " does not fit into a padded field of " +
                                   std::to_string(padded) + " along dimension " +
                                   std::to_string(d));
    out.push_back(static_cast<std::size_t>(padded - kernel) / stride[d] + 1);
  }
  return out;
}

std::vector<std::size_t> getOutputFieldShape(const PoolParams& params) {
  return params.getOutputFieldShape();
}

const char* asString(const PoolingType& method) {
  switch (method) {
  case PoolingType::MAX:
    return "max";
  case PoolingType::AVG:
    return "avg";
  case PoolingType::SUM:
    return "sum";
  }
  return "";
}

std::ostream& operator<<(std::ostream& os, const PoolParams& params) {
  const auto list = [&os](const char* name, const auto& values) {
    os << "\n  " << name;
    for (const auto value : values)
      os << ' ' << value;
  };
  os << "Pooling: " << asString(params.poolingType) << ' ' << params.dType << "\n  batch "
     << params.batchSize << "\n  channels " << params.numChannels;
  list("field", params.inputFieldShape);
  list("kernel", params.kernelShape);
  list("stride", params.stride);
  list("padding lower", params.inputTruncationOrPaddingLower);
  list("padding upper", params.inputTruncationOrPaddingUpper);
  return os << '\n';
}

std::uint64_t getFwdFlops(const PoolParams& params) {
  const auto outputs =
      params.batchSize * params.numChannels * product(params.getOutputFieldShape());
  return outputs * (product(params.kernelShape) + (params.poolingType == PoolingType::AVG ? 1 : 0));
}

std::uint64_t getBwdFlops(const PoolParams& params) {
  return params.poolingType == PoolingType::MAX ? 0 : getFwdFlops(params);
}

double getFwdPerfectCycleCount(const Graph& graph, const PoolParams& params) {
  const auto& target = graph.getTarget();
  return static_cast<double>(getFwdFlops(params)) / target.getNumTiles() /
         target.getVectorWidth(params.dType);
}

double getBwdPerfectCycleCount(const Graph& graph, const PoolParams& params) {
  const auto& target = graph.getTarget();
  return static_cast<double>(getFwdFlops(params)) / target.getNumTiles() /
         target.getVectorWidth(params.dType);
}

Tensor pool(Graph& graph, const PoolParams& params, const Tensor& in, Sequence& prog,
            const DebugContext& debugContext, const OptionFlags& options) {
  checkOptions(options);
  checkParams(params);
  checkShape(params, in, params.inputFieldShape, "the input");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto dims = wholeField(params);
  const auto out = newField(graph, params, params.getOutputFieldShape(), {di, "out"});
  const auto inPlanes = asPlanes(in), outPlanes = asPlanes(out);
  const auto cs = graph.addComputeSet({di, "pool"});
  const auto cut = cutDimension(dims, &PoolDim::outSize);
  forEachBand(graph.getTarget().getNumTiles(), outPlanes.dim(0), dims[cut].outSize,
              [&](unsigned tile, std::size_t plane, int begin, int end) {
                auto slice = dims;
                slice[cut].outBegin = begin;
                slice[cut].outSize = end - begin;
                coverInput(slice[cut]);
                const auto v = addVertex(graph, cs, "popnn::Pool", params, slice, tile);
                const auto result = band(outPlanes, plane, cut, begin, end - begin);
                graph.connect(v["in"],
                              band(inPlanes, plane, cut, slice[cut].inBegin, slice[cut].inSize));
                graph.connect(v["out"], result);
                graph.setInitialValue(v["type"], static_cast<unsigned char>(params.poolingType));
                graph.setTileMapping(result, tile);
              });
  prog.add(poplar::program::Execute(cs, {di}));
  return out;
}

Tensor poolInputGradient(Graph& graph, const PoolParams& params, const Tensor& in,
                         const Tensor& pooled, const Tensor& pooledGradient, bool useScaledGradient,
                         Sequence& prog, const DebugContext& debugContext,
                         const OptionFlags& options) {
  if (params.poolingType != PoolingType::MAX)
    return poolInputGradient(graph, params, 1, pooledGradient, prog, debugContext, options);
  checkOptions(options);
  checkParams(params);
  const auto outField = params.getOutputFieldShape();
  checkShape(params, in, params.inputFieldShape, "the input");
  checkShape(params, pooled, outField, "the pooled tensor");
  checkShape(params, pooledGradient, outField, "the gradient");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto dims = wholeField(params);
  const auto out = newField(graph, params, params.inputFieldShape, {di, "inGradient"});
  const auto inPlanes = asPlanes(in), outPlanes = asPlanes(out);
  const auto pooledPlanes = asPlanes(pooled), gradientPlanes = asPlanes(pooledGradient);
  const auto cs = graph.addComputeSet({di, "poolGradient"});
  const auto cut = cutDimension(dims, &PoolDim::inSize);
  forEachBand(graph.getTarget().getNumTiles(), inPlanes.dim(0), dims[cut].inSize,
              [&](unsigned tile, std::size_t plane, int begin, int end) {
                auto slice = dims;
                auto& d = slice[cut];
                coverOutput(d, begin, end);
                coverInput(d);
                const int readEnd = std::max(d.inBegin + d.inSize, end);
                d.inBegin = d.inSize > 0 ? std::min(d.inBegin, begin) : begin;
                d.inSize = readEnd - d.inBegin;
                const auto v = addVertex(graph, cs, "popnn::MaxPoolGradient", params, slice, tile);
                const auto result = band(outPlanes, plane, cut, begin, end - begin);
                const auto rowSize = asInt(result.numElements()) / (end - begin);
                graph.connect(v["in"], band(inPlanes, plane, cut, d.inBegin, d.inSize));
                graph.connect(v["pooled"], band(pooledPlanes, plane, cut, d.outBegin, d.outSize));
                graph.connect(v["pooledGradient"],
                              band(gradientPlanes, plane, cut, d.outBegin, d.outSize));
                graph.connect(v["out"], result);
                graph.setInitialValue(v["firstWritten"], (begin - d.inBegin) * rowSize);
                graph.setInitialValue(v["numWritten"], (end - begin) * rowSize);
                graph.setInitialValue(v["scaled"], useScaledGradient);
                graph.setTileMapping(result, tile);
              });
  prog.add(poplar::program::Execute(cs, {di}));
  return out;
}

Tensor poolInputGradient(Graph& graph, const PoolParams& params, const unsigned,
                         const Tensor& pooledGradient, Sequence& prog,
                         const DebugContext& debugContext, const OptionFlags& options) {
  checkOptions(options);
  checkParams(params);
  if (params.poolingType == PoolingType::MAX)
    throw poputil::poplibs_error("pooling: the gradient of MAX needs the input and the result");
  checkShape(params, pooledGradient, params.getOutputFieldShape(), "the gradient");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto dims = wholeField(params);
  const auto out = newField(graph, params, params.inputFieldShape, {di, "inGradient"});
  const auto outPlanes = asPlanes(out), gradientPlanes = asPlanes(pooledGradient);
  const auto cs = graph.addComputeSet({di, "poolGradient"});
  const auto cut = cutDimension(dims, &PoolDim::inSize);
  forEachBand(graph.getTarget().getNumTiles(), outPlanes.dim(0), dims[cut].inSize,
              [&](unsigned tile, std::size_t plane, int begin, int end) {
                auto slice = dims;
                auto& d = slice[cut];
                coverOutput(d, begin, end);
                d.inBegin = begin;
                d.inSize = end - begin;
                const auto v = addVertex(graph, cs, "popnn::SumPoolGradient", params, slice, tile);
                const auto result = band(outPlanes, plane, cut, begin, end - begin);
                graph.connect(v["pooledGradient"],
                              band(gradientPlanes, plane, cut, d.outBegin, d.outSize));
                graph.connect(v["out"], result);
                graph.setInitialValue(v["average"], params.poolingType == PoolingType::AVG);
                graph.setTileMapping(result, tile);
              });
  prog.add(poplar::program::Execute(cs, {di}));
  return out;
}

} // namespace pooling
} // namespace popnn
