#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/NormaliseImage.hpp>
#include <popops/Zero.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

namespace popops {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;

constexpr unsigned kChannels = 3, kPaddedChannels = 4;

void checkImage(const char* function, const poplar::Type& type,
                poplar::ArrayRef<std::size_t> shape) {
  if (type != poplar::UNSIGNED_CHAR && type != poplar::HALF && type != poplar::FLOAT)
    throw poputil::poplibs_error(std::string(function) + ": the image is of type " +
                                 type.toString().cloneAsString() +
                                 "; UNSIGNED_CHAR, HALF and FLOAT are supported");
  if (shape.size() < 2 || shape.back() != kChannels)
    throw poputil::poplibs_error(std::string(function) +
                                 ": the innermost of at least two dimensions must be 3");
}

// A pixel stays on the tile of its first channel.
void mapLikePixels(Graph& graph, const Tensor& out, const Tensor& in) {
  const unsigned last = in.rank() - 1;
  auto mapping = graph.getTileMapping(in.slice(0, 1, last));
  for (auto& regions : mapping)
    for (auto& region : regions)
      region = {region.begin() * kPaddedChannels, region.end() * kPaddedChannels};
  graph.setTileMapping(out, mapping);
}

} // namespace

Tensor createNormaliseImageInput(Graph& graph, const poplar::Type& type,
                                 const poplar::ArrayRef<std::size_t> shape,
                                 const DebugContext& debugContext) {
  checkImage("createNormaliseImageInput", type, shape);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto t = graph.addVariable(type, shape, {di, "image"});
  // Whole pixels, whole words, and some for each worker.
  const auto& target = graph.getTarget();
  const auto grain =
      static_cast<unsigned>(kChannels * std::max<std::size_t>(4 / target.getTypeSize(type), 1));
  poputil::mapTensorLinearly(graph, t, grain * target.getNumWorkerContexts(), grain);
  di.addOutput(t);
  return t;
}

Tensor normaliseImage(Graph& graph, poplar::program::Sequence& seq, Tensor tIn, float inScale,
                      Tensor offsets, Tensor scales, const DebugContext& debugContext) {
  const auto inType = tIn.elementType();
  checkImage("normaliseImage", inType, tIn.shape());
  const auto outType = inType == poplar::UNSIGNED_CHAR ? poplar::HALF : inType;
  for (const Tensor* t : {&offsets, &scales})
    if (t->elementType() != outType || t->shape() != std::vector<std::size_t>{kChannels})
      throw poputil::poplibs_error("normaliseImage: offsets and scales must be " +
                                   outType.toString().cloneAsString() + " of shape {3}, not " +
                                   t->elementType().toString().cloneAsString() + " of shape " +
                                   t->shapeToString());
  if (inScale == 0)
    throw poputil::poplibs_error("normaliseImage: inScale is 0");
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(tIn, inScale, offsets, scales));
  auto shape = tIn.shape();
  shape.back() = kPaddedChannels;
  const unsigned last = tIn.rank() - 1;
  const auto out = graph.addVariable(outType, shape, {di, "normalised"});
  mapLikePixels(graph, out, tIn);

  const auto values = inType == outType ? tIn : cast(graph, tIn, outType, seq, {di, "cast"});
  const auto pixelShape = std::vector<std::size_t>(last, 1);
  const auto perChannel = [&](const Tensor& t) {
    auto wide = pixelShape;
    wide.push_back(kChannels);
    return t.reshape(wide);
  };
  namespace pe = expr;
  mapWithOutput(graph, pe::Mul(pe::Sub(pe::Mul(pe::_1, pe::Const(inScale)), pe::_2), pe::_3),
                {values, perChannel(offsets), perChannel(scales)}, out.slice(0, kChannels, last),
                seq, {di, "normalise"});
  zero(graph, out.slice(kChannels, kPaddedChannels, last), seq, {di, "pad"});
  di.addOutput(out);
  return out;
}

} // namespace popops
