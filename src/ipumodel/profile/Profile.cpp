#include "profile/Profile.hpp"

#include "graph/TypeInfo.hpp"
#include "profile/ExecutionRecord.hpp"
#include "profile/Ledger.hpp"
#include "profile/Liveness.hpp"
#include "profile/ProgramTree.hpp"
#include "profile/TargetMachine.hpp"

#include <algorithm>
#include <map>

namespace ipumodel {
namespace {

const char* nameOf(VertexKind kind) {
  switch (kind) {
  case VertexKind::Multi:
    return "MultiVertex";
  case VertexKind::Supervisor:
    return "SupervisorVertex";
  case VertexKind::Worker:
    break;
  }
  return "Vertex";
}

const char* nameOf(poplar::TargetType type) {
  switch (type) {
  case poplar::TargetType::IPU:
    return "IPU";
  case poplar::TargetType::CPU:
    return "CPU";
  default:
    return "IPU_MODEL";
  }
}

std::uint64_t numEdges(const GraphData& graph) {
  std::uint64_t edges = 0;
  for (const Vertex& vertex : graph.vertices)
    for (const Connection& c : vertex.connections)
      edges += c.view.shape.size() < 2 ? 1 : c.view.shape[0];
  return edges;
}

std::vector<VertexCount> countTypes(const GraphData& graph, const ComputeSet& set,
                                    const std::map<const VertexType*, std::uint32_t>& index) {
  std::map<std::uint32_t, std::uint64_t> counts;
  for (const VertexId id : set.vertices)
    if (const auto it = index.find(graph.vertices[id.value].type); it != index.end())
      ++counts[it->second];
  std::vector<VertexCount> result;
  for (const auto& [type, count] : counts)
    result.push_back({type, count});
  return result;
}

} // namespace

struct Profiler::Compiled {
  Liveness liveness;
  ProgramTree tree;
  ProfileData data;
};

Profiler::Profiler(const GraphData& graph, std::vector<ProgramPtr> programs,
                   const std::string& machineOption)
    : graph_(graph),
      programs_(std::move(programs)),
      steps_(programs_, graph.functions),
      machine_(machineOf(graph.target, machineOption)) {}

Profiler::~Profiler() = default;

const CostTable& Profiler::costs() {
  if (!costs_)
    costs_ = std::make_unique<CostTable>(graph_, steps_, machine_.parameters());
  return *costs_;
}

std::unique_ptr<Account> Profiler::makeAccount() const {
  return std::make_unique<Account>(graph_, steps_);
}

const ProfileData& Profiler::compiled() {
  if (compiled_)
    return compiled_->data;
  compiled_.reset(new Compiled{
      Liveness(graph_, programs_, steps_), makeProgramTree(graph_, steps_, costs()), {}});
  ProfileData& data = compiled_->data;
  data.producer = "Spillway IPU Model";
  data.target = {.type = nameOf(graph_.target.getTargetType()),
                 .architecture = graph_.target.getTargetArchString(),
                 .numIpus = graph_.target.getNumIPUs(),
                 .tilesPerIpu = graph_.target.getTilesPerIPU(),
                 .numReplicas = graph_.replicationFactor,
                 .bytesPerTile = machine_.parameters().bytesPerTile,
                 .clockHz = machine_.parameters().clockHz};
  data.machine = machine_.notes();
  data.workerContexts = static_cast<std::uint32_t>(machine_.parameters().workerContexts);
  data.graph = {graph_.vertices.size(), numEdges(graph_), graph_.variables.size(),
                graph_.computeSets.size()};

  const std::vector<const VertexType*> types = usedTypes(graph_, steps_);
  std::map<const VertexType*, std::uint32_t> typeIndex;
  for (const VertexType* type : types) {
    typeIndex[type] = static_cast<std::uint32_t>(data.vertexTypes.size());
    data.vertexTypes.push_back(
        {type->name, nameOf(type->kind), machine_.parameters().vertexCodeBytes, 0});
  }
  for (std::uint32_t i = 0; i < graph_.computeSets.size(); ++i) {
    const ComputeSet& set = graph_.computeSets[i];
    const ComputeSetCost& cost = costs().computeSet(ComputeSetId{i});
    ComputeSetInfo info;
    info.name = set.name;
    info.vertices = countTypes(graph_, set, typeIndex);
    info.flops = cost.flops;
    info.unknownVertices = cost.unknownVertices;
    info.askedVertices = cost.askedVertices;
    for (const TileEstimate& tile : cost.tiles)
      info.estimatedCycles.emplace_back(tile.tile, tile.cycles);
    if (!cost.tiles.empty())
      for (const VertexCount& count : info.vertices)
        data.vertexTypes[count.type].instances += count.count;
    data.computeSets.push_back(std::move(info));
  }

  for (const Variable& variable : graph_.variables)
    data.variables.push_back(
        {.name = variable.name, .isConstant = variable.kind != VariableKind::Variable});
  for (const Atom& atom : compiled_->liveness.atoms()) {
    VariableInfo& info = data.variables[atom.var.value];
    info.bytes += (atom.end - atom.begin) * sizeOf(graph_.variables[atom.var.value].type);
    info.alwaysLive |= atom.alwaysLive;
  }

  Ledger ledger = makeLedger(graph_, steps_, costs(), compiled_->liveness, types);
  data.tiles = std::move(ledger.tiles);
  data.livenessSteps = std::move(ledger.livenessSteps);
  for (LivenessStep& step : data.livenessSteps)
    step.program = compiled_->tree.ofStep[step.program];
  data.programs = compiled_->tree.programs;
  const auto idsOf = [&](std::span<const ProgramPtr> roots, std::vector<std::uint32_t>& ids) {
    for (const ProgramPtr& root : roots)
      if (root)
        ids.push_back(compiled_->tree.ofStep[steps_.of(*root).value]);
  };
  idsOf(programs_, data.entryPrograms);
  idsOf(graph_.functions, data.functionPrograms);
  return data;
}

std::shared_ptr<const ProfileData> Profiler::profile(const Account* account,
                                                     const BlockFilter& blocks) {
  auto data = std::make_shared<ProfileData>(compiled());
  if (account)
    data->execution =
        makeExecutionRecord(*account, costs(), compiled_->tree, blocks, data->computeSets);
  return data;
}

std::optional<Profiler::Shortage> Profiler::shortage() {
  const ProfileData& data = compiled();
  const std::uint64_t limit = machine_.parameters().bytesPerTile;
  Shortage result;
  for (std::uint32_t tile = 0; tile < data.tiles.size(); ++tile) {
    const std::uint64_t bytes = data.tiles[tile].totalBytes();
    if (bytes <= limit)
      continue;
    ++result.tilesOver;
    if (bytes > result.bytesNeeded) {
      result.bytesNeeded = bytes;
      result.tile = tile;
    }
  }
  if (result.tilesOver == 0)
    return std::nullopt;
  result.bytesPerTile = limit;

  const TileMemory& memory = data.tiles[result.tile];
  const Liveness& liveness = compiled_->liveness;
  std::map<std::uint32_t, std::uint64_t> variables; // bytes on the tile
  const auto addAtom = [&](const Atom& atom) {
    const Variable& variable = graph_.variables[atom.var.value];
    for (const TileMap::Range& range : variable.tiles.ranges())
      if (range.tile.value == result.tile && range.begin < atom.end && atom.begin < range.end)
        variables[atom.var.value] += (std::min<std::uint64_t>(range.end, atom.end) -
                                      std::max<std::uint64_t>(range.begin, atom.begin)) *
                                     sizeOf(variable.type);
  };
  for (const Atom& atom : liveness.atoms())
    if (atom.alwaysLive)
      addAtom(atom);
  if (!data.livenessSteps.empty())
    for (const std::uint32_t atom : liveness.liveDuring(memory.peakStep))
      addAtom(liveness.atoms()[atom]);
  for (const auto& [var, bytes] : variables)
    result.largest.push_back({"variable " + graph_.variables[var].name, bytes});
  for (std::size_t c = 0; c < kNumCategories; ++c) {
    const auto category = static_cast<Category>(c);
    const std::uint64_t bytes = memory.alwaysLive[category] + memory.atPeak[category];
    if (category != Category::Variable && category != Category::Constant && bytes > 0)
      result.largest.push_back({std::string(kCategoryNames[c]), bytes});
  }
  std::sort(result.largest.begin(), result.largest.end(),
            [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  constexpr std::size_t kMostItems = 10;
  result.largest.resize(std::min(result.largest.size(), kMostItems));
  return result;
}

std::string Profiler::Shortage::message() const {
  std::string text = "Out of memory on tile " + std::to_string(tile) + ": " +
                     std::to_string(bytesNeeded) + " bytes needed, " +
                     std::to_string(bytesPerTile) + " available (modelled); " +
                     std::to_string(tilesOver) + (tilesOver == 1 ? " tile is" : " tiles are") +
                     " over the limit. Largest on the tile:";
  for (const Item& item : largest)
    text += "\n  " + std::to_string(item.bytes) + " bytes: " + item.name;
  return text;
}

} // namespace ipumodel
