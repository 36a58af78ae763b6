#include "graph/Access.hpp"
#include "graph/SameGraph.hpp"
#include "graph/TypeInfo.hpp"
#include "graph/Values.hpp"

#include <poplar/MetadataCreation.hpp>
#include <poplar/TypeConversion.hpp>
#include <poplar/exceptions.hpp>

#include <ipumodel/QuarterBits.hpp>

#include <cstring>
#include <ostream>
#include <sstream>

namespace poplar {
namespace {

// Written by a vertex, since a program has no arithmetic of its own.
constexpr const char* kPacking = R"(
#include <poplar/Vertex.hpp>
#include <ipumodel/QuarterBits.hpp>
namespace poplar {
class PackQuarterMetadata : public Vertex {
public:
  Input<int> scale;
  Output<unsigned char> metadata;
  bool hasThreeMantissaBits;
  void compute() { *metadata = ipumodel::packQuarterMetadata(hasThreeMantissaBits, *scale); }
  unsigned estimateCycles() const { return 12; }
};
} // namespace poplar
)";

// The variable of a tensor's first element; all parts of a tensor are taken to share its metadata.
ipumodel::VarId firstVariable(const Tensor& t) {
  const std::vector<VariableInterval> regions = t.getVarRegions();
  if (regions.empty())
    throw poplar_error("a tensor without elements has no metadata");
  return ipumodel::VarId{regions.front().var.id};
}

Tensor scalarOf(const std::shared_ptr<ipumodel::GraphData>& graph, ipumodel::VarId var) {
  return makeTensor(graph, ipumodel::View::whole(var, QUARTER_METADATA, {}));
}

} // namespace

QuarterMetadata::QuarterMetadata(Format format, std::int8_t scale)
    : format_(format), scale_(scale) {
  if (scale < -32 || scale > 31)
    throw poplar_error("scale " + std::to_string(scale) + " of QUARTER; it must be from -32 to 31");
}
QuarterMetadata::QuarterMetadata(std::uint8_t binary)
    : format_(ipumodel::quarterHasThreeMantissaBits(binary) ? Format::F143 : Format::F152),
      scale_(static_cast<std::int8_t>(ipumodel::quarterScale(binary))) {}
std::uint8_t QuarterMetadata::getBinary() const {
  return ipumodel::packQuarterMetadata(format_ == Format::F143, scale_);
}

std::string toString(QuarterMetadata::Format format) {
  return format == QuarterMetadata::Format::F143 ? "F143" : "F152";
}
std::ostream& operator<<(std::ostream& os, QuarterMetadata::Format format) {
  return os << toString(format);
}
std::ostream& operator<<(std::ostream& os, const QuarterMetadata& metadata) {
  return os << metadata.getFormat() << " * 2^" << static_cast<int>(metadata.getScale());
}

bool Tensor::hasMetadata() const {
  return elementType().requiresMetadata();
}

Tensor Tensor::getMetadata() const {
  if (!hasMetadata())
    throw poplar_error("tensor " + getVarStr() + " of type " + elementType().toString() +
                       " has no metadata");
  const std::shared_ptr<ipumodel::GraphData>& graph = data_->graph;
  const ipumodel::VarId var = firstVariable(*this);
  const auto found = graph->quarterMetadata.find(var);
  if (found != graph->quarterMetadata.end())
    return scalarOf(graph, found->second);
  const ipumodel::VarId metadata{static_cast<std::uint32_t>(graph->variables.size())};
  ipumodel::Variable& variable = graph->variables.emplace_back();
  variable.name = graph->variables[var.value].name + "/metadata";
  variable.type = QUARTER_METADATA;
  variable.numElements = 1;
  variable.tiles.assign(0, 1, ipumodel::TileId{0});
  graph->quarterMetadata[var] = metadata;
  return scalarOf(graph, metadata);
}

void Graph::shareMetadata(const Tensor& t, const Tensor& metadata) {
  if (!t.hasMetadata())
    return;
  viewIn(*data_, metadata, "metadata");
  if (metadata.numElements() != 1 || metadata.elementType() != QUARTER_METADATA)
    throw poplar_error("metadata of tensor " + t.getVarStr() +
                       " must be one element of type QUARTER_METADATA");
  for (const VariableInterval& region : t.getVarRegions())
    data_->quarterMetadata[ipumodel::VarId{region.var.id}] = firstVariable(metadata);
}

Tensor createVariableMetadataTensor(Graph& graph, QuarterMetadata::Format format, int scale,
                                    const DebugContext& debugContext) {
  const Tensor t = graph.addVariable(QUARTER_METADATA, {}, debugContext);
  graph.setTileMapping(t, 0);
  graph.setInitialValue(t, QuarterMetadata(format, static_cast<std::int8_t>(scale)).getBinary());
  return t;
}

Tensor createVariableMetadataTensor(Graph& graph, QuarterMetadata::Format format,
                                    const Tensor& scale, program::Sequence& prog,
                                    const DebugContext& debugContext) {
  const char* const vertex = "poplar::PackQuarterMetadata";
  if (!graph.hasCodelet(vertex)) {
    std::stringstream codelet(kPacking);
    graph.addCodelets(codelet);
  }
  const Tensor t = graph.addVariable(QUARTER_METADATA, {}, debugContext);
  graph.setTileMapping(t, 0);
  const ComputeSet cs = graph.addComputeSet({debugContext, "PackQuarterMetadata"});
  const VertexRef v = graph.addVertex(
      cs, vertex, {{"scale", scale.reshape({})}, {"metadata", t.reinterpret(UNSIGNED_CHAR)}});
  graph.setInitialValue(v["hasThreeMantissaBits"], format == QuarterMetadata::Format::F143);
  graph.setTileMapping(v, 0);
  prog.add(program::Execute(cs, debugContext));
  return t;
}

Tensor createConstantMetadataTensor(Graph& graph, QuarterMetadata::Format format, int scale,
                                    const DebugContext& debugContext) {
  const QuarterMetadata metadata(format, static_cast<std::int8_t>(scale));
  const Tensor t = graph.addConstant(QUARTER_METADATA, {}, metadata.getBinary(), debugContext);
  graph.setTileMapping(t, 0);
  return t;
}

void convertToDeviceType(const Type& type, const QuarterMetadata& metadata, const void* src,
                         const TypeTraits& traits, std::size_t n, void* dst) {
  if (type != QUARTER) {
    const std::vector<std::byte> bytes = ipumodel::toDevice(src, traits, n, type);
    std::memcpy(dst, bytes.data(), bytes.size());
    return;
  }
  const std::vector<std::byte> floats = ipumodel::toDevice(src, traits, n, FLOAT);
  for (std::size_t i = 0; i < n; ++i) {
    float value;
    std::memcpy(&value, floats.data() + i * sizeof value, sizeof value);
    static_cast<unsigned char*>(dst)[i] = ipumodel::toQuarter(value, metadata.getBinary());
  }
}

void convertFromDeviceType(const Type& type, const QuarterMetadata& metadata, const void* src,
                           void* dst, const TypeTraits& traits, std::size_t n) {
  if (type != QUARTER) {
    ipumodel::toHost(static_cast<const std::byte*>(src), type, n, dst, traits);
    return;
  }
  std::vector<float> floats(n);
  for (std::size_t i = 0; i < n; ++i)
    floats[i] = static_cast<float>(
        ipumodel::fromQuarter(static_cast<const unsigned char*>(src)[i], metadata.getBinary()));
  ipumodel::toHost(reinterpret_cast<const std::byte*>(floats.data()), FLOAT, n, dst, traits);
}

} // namespace poplar
