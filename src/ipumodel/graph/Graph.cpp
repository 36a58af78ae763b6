// What a graph is made of: its target, codelets, compute sets and vertices.
#include "graph/Access.hpp"
#include "graph/VirtualTiles.hpp"
#include "popc/CanonicalName.hpp"
#include "popc/HardwareCodelets.hpp"
#include "poputil/LibraryFolder.hpp"
#include "profile/Estimates.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <filesystem>

namespace ipumodel {

poplar::Target targetOfReplica(const poplar::Target& target, unsigned replicationFactor) {
  if (replicationFactor == 0 || target.getNumIPUs() % replicationFactor != 0)
    throw poplar::graph_replication_error(
        "replication factor " + std::to_string(replicationFactor) + " does not divide the " +
        std::to_string(target.getNumIPUs()) + " IPUs of the target");
  if (replicationFactor == 1)
    return target;
  return target.createVirtualTarget(target.getNumIPUs() / replicationFactor,
                                    target.getTilesPerIPU());
}

GraphData::GraphData(const poplar::Target& wholeTarget, unsigned factor)
    : target(targetOfReplica(wholeTarget, factor)), replicationFactor(factor) {}
GraphData::~GraphData() = default;

} // namespace ipumodel

namespace poplar {

StringRef versionString() {
  return "3.3.0 (open IPU Model)";
}
StringRef packageHash() {
  return "open-ipu-model";
}

Graph::Graph() = default;
Graph::Graph(const Target& target, replication_factor r)
    : data_(std::make_shared<ipumodel::GraphData>(target, r.value)) {}
Graph::Graph(const Device& device, replication_factor r) : Graph(device.getTarget(), r) {}
Graph::Graph(std::shared_ptr<ipumodel::GraphData> data,
             std::shared_ptr<const ipumodel::VirtualTiles> tiles)
    : data_(std::move(data)), tiles_(std::move(tiles)) {}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

const Target& Graph::getTarget() const {
  if (!data_)
    throw poplar_error("a default-constructed or moved-from graph was used");
  return tiles_ ? tiles_->target : data_->target;
}
unsigned Graph::getReplicationFactor() const {
  return data_->replicationFactor;
}

bool Graph::addCodelets(StringRef src, CodeletFileType type, StringRef compileFlags, StringRef) {
  const std::string path = src;
  if (type == CodeletFileType::Auto)
    type = getCodeletFileType(path.c_str());
  switch (type) {
  case CodeletFileType::CppSource:
  case CodeletFileType::CSource:
    data_->codelets.addFile(path, ipumodel::CodeletSource::Cpp, compileFlags);
    return true;
  case CodeletFileType::Object:
    data_->codelets.addFile(path, ipumodel::CodeletSource::GraphProgram, compileFlags);
    return true;
  default:
    throw graph_object_creation_error("codelet file '" + path +
                                      "': assembly and IR sources cannot run on the model");
  }
}

bool Graph::addCodelets(ArrayRef<std::string> files, StringRef compileFlags, StringRef targetName) {
  for (const std::string& file : files)
    addCodelets(StringRef(file), CodeletFileType::Auto, compileFlags, targetName);
  return true;
}

bool Graph::addCodelets(std::stringstream& stream, StringRef compileFlags, CodeletFileType type,
                        StringRef) {
  if (type != CodeletFileType::CppSource && type != CodeletFileType::CSource &&
      type != CodeletFileType::Auto)
    throw graph_object_creation_error("codelets in a stream must be C++ source");
  data_->codelets.addText(stream.str(), compileFlags);
  return true;
}

bool Graph::hasCodelet(StringRef codeletName) const {
  return data_->codelets.find(codeletName.cloneAsString()) != nullptr;
}

void Graph::registerPerfEstimator(StringRef vertexTypeName, PerfEstimateFunc f) {
  data_->perfEstimators[ipumodel::popc::canonicalName(vertexTypeName.cloneAsString())] =
      std::move(f);
}

ComputeSet Graph::addComputeSet(const DebugContext& debugContext) {
  data_->computeSets.push_back({debugContext.getPathName(), {}});
  return ComputeSet(static_cast<unsigned>(data_->computeSets.size() - 1));
}

namespace {

// An unknown vertex type, and what to do about it.
class UnaddedVertexType : public unknown_vertex_type {
public:
  UnaddedVertexType(const std::string& name, const std::string& advice)
      : unknown_vertex_type(name), message_(unknown_vertex_type::what() + advice) {}
  const char* what() const noexcept override { return message_.c_str(); }

private:
  std::string message_;
};

const char kInThisLibrary = 0;

// Many functions of popnn need vertices of popops only in Graphcore's libraries, and ours have
// other vertices: where there are popops' codelets, popnn's are found without being asked for.
void addCodeletsOfPopnn(Graph& graph, const std::string& vertexType) {
  if (!vertexType.starts_with("popnn::") || !graph.getImpl()->codelets.hasTypeOf("popops::"))
    return;
  const std::string file = poputil::libraryFolder(&kInThisLibrary) + "popnn_codelets.gp";
  if (std::filesystem::exists(file))
    graph.addCodelets(file);
}

// How a program gets the vertices of a library that it forgot to add; empty if that is not why.
std::string adviceFor(const ipumodel::CodeletLibrary& codelets, const std::string& vertexType) {
  for (const char* library :
       {"popops", "poplin", "poprand", "popnn", "popsparse", "popfloat::experimental"}) {
    const std::string prefix = library + std::string("::");
    if (!vertexType.starts_with(prefix) || codelets.hasTypeOf(prefix))
      continue;
    std::string header = library;
    if (const std::size_t scope = header.find("::"); scope != std::string::npos)
      header.replace(scope, 2, "/");
    return "; call " + prefix + "addCodelets(graph) first, of <" + header + "/codelets.hpp>";
  }
  return "";
}

} // namespace

VertexRef Graph::addVertex(ComputeSet cs, StringRef vertexType) {
  const std::string name = vertexType;
  const ipumodel::VertexType* type = data_->codelets.find(name);
  if (!type) {
    addCodeletsOfPopnn(*this, name);
    type = data_->target.getTargetType() == TargetType::IPU
               ? ipumodel::findForHardware(data_->codelets, name)
               : data_->codelets.find(name);
  }
  if (!type)
    throw UnaddedVertexType(name, adviceFor(data_->codelets, name));
  if (cs.getId() >= data_->computeSets.size())
    throw poplar_error("vertex '" + name + "' added to a compute set that is not in the graph");
  const auto id = static_cast<unsigned>(data_->vertices.size());
  ipumodel::Vertex& vertex = data_->vertices.emplace_back();
  vertex.type = type;
  vertex.computeSet = ipumodel::ComputeSetId{cs.getId()};
  if (data_->mapsByItself())
    vertex.tile = ipumodel::TileId{0};
  data_->computeSets[cs.getId()].vertices.push_back(ipumodel::VertexId{id});
  return VertexRef(id);
}

unsigned Graph::getNumVertices() const {
  return static_cast<unsigned>(data_->vertices.size());
}

namespace {

ipumodel::Vertex& vertexOf(ipumodel::GraphData& data, const VertexRef& v) {
  if (v.getId() >= data.vertices.size())
    throw poplar_error("vertex " + std::to_string(v.getId()) + " is not in the graph");
  return data.vertices[v.getId()];
}

} // namespace

void Graph::setPerfEstimate(const VertexRef& v, std::uint64_t cycles, std::uint64_t flops) {
  ipumodel::Vertex& vertex = vertexOf(*data_, v);
  vertex.cycles = cycles;
  vertex.flops = flops;
}
void Graph::setPerfEstimate(const VertexRef& v, const VertexPerfEstimate& estimate) {
  setPerfEstimate(v, estimate.cycles, estimate.flops);
}

VertexPerfEstimate Graph::getPerfEstimate(const VertexRef& v) const {
  const ipumodel::Vertex& vertex = vertexOf(*data_, v);
  const auto estimate = ipumodel::estimate(*data_, ipumodel::VertexId{v.getId()});
  if (!estimate)
    throw missing_perf_estimate("vertex '" + vertex.type->name + "' has no performance estimate");
  return VertexPerfEstimate(estimate->cycles, estimate->flops);
}

} // namespace poplar
