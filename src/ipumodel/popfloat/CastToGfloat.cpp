// The graphs of casts: one vertex on each tile that holds a part of the input.
#include <popops/Cast.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <popfloat/experimental/CastToGfloat.hpp>

#include <functional>

namespace popfloat::experimental {
namespace {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::Type;
using poplar::VertexRef;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Sequence;
using CastConfig = GfloatCast::CastConfig;

bool isNative(const Type& type) {
  return type == poplar::FLOAT || type == poplar::HALF;
}

void requireNative(const Tensor& t) {
  if (!isNative(t.elementType()))
    throw poputil::poplibs_error("popfloat: only FLOAT and HALF are cast to a format, not tensor " +
                                 t.getDebugStr());
}

// Adds a vertex on each tile that holds elements of `input`; configure(vertex) sets the rest.
void addVertices(Graph& graph, const ComputeSet& cs, const std::string& type, const Tensor& input,
                 const Tensor* output, const Tensor& param,
                 const std::function<void(const VertexRef&)>& configure = {}) {
  const auto mapping = graph.getTileMapping(input);
  const auto in = input.flatten();
  for (unsigned tile = 0; tile != mapping.size(); ++tile) {
    if (mapping[tile].empty())
      continue;
    const auto v = graph.addVertex(cs, type);
    graph.connect(v["in"], concat(in.slices(mapping[tile])));
    if (output)
      graph.connect(v["out"], concat(output->flatten().slices(mapping[tile])));
    graph.connect(v["format"], param.reshape({}));
    graph.setTileMapping(v, tile);
    if (configure)
      configure(v);
  }
}

std::function<void(const VertexRef&)> rounding(Graph& graph, const CastConfig& cast) {
  if (cast.getRoundMode() == RoundType::INV)
    throw poputil::poplibs_error("popfloat: a cast to a format needs a mode of rounding");
  return [&graph, cast](const VertexRef& v) {
    graph.setInitialValue(v["mode"], static_cast<unsigned>(cast.getRoundMode()));
    graph.setInitialValue(v["density"], static_cast<unsigned>(cast.getSRNoiseDensity()));
    graph.setInitialValue(v["numBits"], cast.getNumSRBits());
    graph.setInitialValue(v["offset"], cast.getSRNoiseOffset());
    graph.setInitialValue(v["scale"], cast.getSRNoiseScale());
    graph.setInitialValue(v["low"], cast.getSRNoiseMin());
    graph.setInitialValue(v["high"], cast.getSRNoiseMax());
    graph.setInitialValue(v["probability"], cast.getBernoulliProbability());
    graph.setInitialValue(v["nanoo"], cast.isNanooModeEnabled());
  };
}

std::string vertexName(const char* base, const Type& in, const Type& out) {
  return poputil::templateVertex(std::string("popfloat::experimental::") + base, in, out);
}

Tensor asParameters(const Tensor& packed) {
  if (packed.numElements() != 1)
    throw poputil::poplibs_error("popfloat: the parameters of a format are one number, not " +
                                 packed.getDebugStr());
  return packed.reinterpret(poplar::UNSIGNED_INT).reshape({1});
}

Tensor constantParameters(Graph& graph, unsigned packed, const DebugContext& debugContext) {
  const auto t = graph.addConstant(poplar::UNSIGNED_INT, {1}, packed, debugContext);
  graph.setTileMapping(t, 0);
  return t;
}

Type orElse(SpecType spec, const Type& otherwise) {
  return spec == SpecType::AUTO ? otherwise : specTypeToPoplarType(spec);
}

} // namespace

GfloatCast::GfloatCast(const FormatConfig& format, const RoundConfig& round, const bool nanoo,
                       const SpecType& gfType, const SpecType& nativeType)
    : nativeToGFCastCfg(
          CastConfig::createCastNativeToGF(format.getFormatType(), format.getCalculationType(),
                                           orElse(gfType, format.getStorageType()), round, nanoo)),
      gfToNativeCastCfg(
          CastConfig::createCastGFToNative(format.getFormatType(), format.getCalculationType(),
                                           orElse(nativeType, format.getNativeType()))),
      formatCfg(format),
      gfParams(new Tensor),
      castOpParamSet(false) {}

GfloatCast::GfloatCast(const GfloatFormatOptions& format, const GfloatCastOptions& cast,
                       Type calculation, const SpecType& gfType, const SpecType& nativeType)
    : GfloatCast(FormatConfig(format, calculation), RoundConfig(cast, calculation),
                 cast.enableNanooMode, gfType, nativeType) {}

GfloatCast::GfloatCast(const GfloatCast& other)
    : nativeToGFCastCfg(other.nativeToGFCastCfg),
      gfToNativeCastCfg(other.gfToNativeCastCfg),
      formatCfg(other.formatCfg),
      gfParams(new Tensor(*other.gfParams)),
      castOpParamSet(other.castOpParamSet) {}

Tensor GfloatCast::createCastOpParamsTensor(Graph& graph, const ComputeSet&, Type,
                                            const unsigned packed) {
  return constantParameters(graph, packed, "gfloatParams");
}
Tensor GfloatCast::createCastOpParamsTensor(Graph&, const ComputeSet&, Type, Tensor packed) {
  return asParameters(packed);
}
Tensor GfloatCast::createCastOpParamsTensor(Graph& graph, Sequence&, Type, const unsigned packed,
                                            const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  return constantParameters(graph, packed, {di, "gfloatParams"});
}
Tensor GfloatCast::createCastOpParamsTensor(Graph& graph, Sequence& prog, Type, Tensor packed,
                                            const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto source = asParameters(packed);
  const auto t = graph.clone(source, {di, "gfloatParams"});
  prog.add(Copy(source, t, false, {di}));
  return t;
}

void GfloatCast::createCastOpParamsTensor(Graph& graph, Sequence& prog,
                                          const DebugContext& debugContext) {
  *gfParams = createCastOpParamsTensor(graph, prog, getCalculationType(),
                                       formatCfg.getPackedFloatParameters(), debugContext);
  castOpParamSet = true;
}
void GfloatCast::createCastOpParamsTensor(Graph& graph, const ComputeSet& cs) {
  *gfParams = createCastOpParamsTensor(graph, cs, getCalculationType(),
                                       formatCfg.getPackedFloatParameters());
  castOpParamSet = true;
}

Tensor GfloatCast::castNativeToGfloat(Graph& graph, Tensor input, const Tensor& param,
                                      const ComputeSet& cs, const CastConfig& cast) {
  requireNative(input);
  const auto type = cast.getStoreAsNative() ? cast.getStorageType() : cast.getCalculationType();
  const auto output = graph.clone(type, input, "quantised");
  addVertices(graph, cs, vertexName("Quantise", input.elementType(), type), input, &output, param,
              rounding(graph, cast));
  return output;
}

Tensor GfloatCast::castNativeToGfloat(Graph& graph, Tensor input, const Tensor& param,
                                      Sequence& prog, const CastConfig& cast,
                                      const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto cs = graph.addComputeSet({di, "quantise"});
  const auto quantised = castNativeToGfloat(graph, input, param, cs, cast);
  prog.add(Execute(cs, {di}));
  if (cast.getStoreAsNative())
    return quantised;
  const auto packing = graph.addComputeSet({di, "pack"});
  const auto output = graph.clone(cast.getStorageType(), quantised, {di, "packed"});
  addVertices(graph, packing,
              vertexName("PackGfloat", quantised.elementType(), cast.getStorageType()), quantised,
              &output, param);
  prog.add(Execute(packing, {di}));
  return output;
}

Tensor GfloatCast::castNativeToGfloat(Graph& graph, Tensor input, Sequence& prog,
                                      const DebugContext& debugContext) {
  return castNativeToGfloat(graph, input, *gfParams, prog, nativeToGFCastCfg, debugContext);
}

void GfloatCast::castNativeToGfloatInPlace(Graph& graph, Tensor input, const Tensor& param,
                                           const ComputeSet& cs, const CastConfig& cast) {
  requireNative(input);
  addVertices(
      graph, cs,
      poputil::templateVertex("popfloat::experimental::QuantiseInPlace", input.elementType()),
      input, nullptr, param, rounding(graph, cast));
}

void GfloatCast::castNativeToGfloatInPlace(Graph& graph, Tensor input, const Tensor& param,
                                           Sequence& prog, const CastConfig& cast,
                                           const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto cs = graph.addComputeSet({di, "quantise"});
  castNativeToGfloatInPlace(graph, input, param, cs, cast);
  prog.add(Execute(cs, {di}));
}

void GfloatCast::castNativeToGfloatInPlace(Graph& graph, Tensor input, Sequence& prog,
                                           const DebugContext& debugContext) {
  castNativeToGfloatInPlace(graph, input, *gfParams, prog, nativeToGFCastCfg, debugContext);
}
void GfloatCast::castNativeToGfloatInPlace(Graph& graph, Tensor input, const ComputeSet& cs) {
  castNativeToGfloatInPlace(graph, input, *gfParams, cs, nativeToGFCastCfg);
}

Tensor GfloatCast::castGfloatToNative(Graph& graph, Tensor input, const Tensor& param,
                                      const ComputeSet& cs, const CastConfig& cast) {
  const auto output = graph.clone(cast.getStorageType(), input, "native");
  if (isNative(input.elementType()))
    popops::cast(graph, input, output, cs);
  else
    addVertices(graph, cs, vertexName("UnpackGfloat", input.elementType(), cast.getStorageType()),
                input, &output, param);
  return output;
}

Tensor GfloatCast::castGfloatToNative(Graph& graph, Tensor input, const Tensor& param,
                                      Sequence& prog, const CastConfig& cast,
                                      const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto cs = graph.addComputeSet({di, "unpack"});
  const auto output = castGfloatToNative(graph, input, param, cs, cast);
  prog.add(Execute(cs, {di}));
  return output;
}

Tensor GfloatCast::castGfloatToNative(Graph& graph, Tensor input, Sequence& prog,
                                      const DebugContext& debugContext) {
  return castGfloatToNative(graph, input, *gfParams, prog, gfToNativeCastCfg, debugContext);
}
Tensor GfloatCast::castGfloatToNative(Graph& graph, Tensor input, const ComputeSet& cs) {
  return castGfloatToNative(graph, input, *gfParams, cs, gfToNativeCastCfg);
}

} // namespace popfloat::experimental
