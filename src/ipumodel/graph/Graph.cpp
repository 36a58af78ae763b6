// What a graph is made of: its target, codelets, compute sets and vertices.
#include "graph/Access.hpp"
#include "graph/VirtualTiles.hpp"
#include "popc/CanonicalName.hpp"
#include "popc/HardwareCodelets.hpp"
#include "poputil/LibraryFolder.hpp"
#include "profile/Estimates.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
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

const char kInThisLibrary = 0;

// The libraries' programs lie beside this one and are named after them, so that their functions can
// be called without addCodelets().
void addLibraryCodelets(Graph& graph, const std::string& vertexType) {
  const std::string library = vertexType.substr(0, vertexType.find("::"));
  if (library != "popops" && library != "poplin" && library != "poprand" && library != "popnn")
    return;
  const std::filesystem::path folder = poputil::libraryFolder(&kInThisLibrary);
  std::vector<std::filesystem::path> programs;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".gp" &&
        entry.path().stem().string().starts_with(library + '_'))
      programs.push_back(entry.path());
  std::sort(programs.begin(), programs.end());
  for (const auto& program : programs)
    graph.addCodelets(program.string());
}

} // namespace

VertexRef Graph::addVertex(ComputeSet cs, StringRef vertexType) {
  const std::string name = vertexType;
  const ipumodel::VertexType* type = data_->codelets.find(name);
  if (!type) {
    addLibraryCodelets(*this, name);
    type = data_->target.getTargetType() == TargetType::IPU
               ? ipumodel::findForHardware(data_->codelets, name)
               : data_->codelets.find(name);
  }
  if (!type)
    throw unknown_vertex_type(name);
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
