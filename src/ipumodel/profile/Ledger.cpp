#include "profile/Ledger.hpp"

#include "graph/TypeInfo.hpp"
#include "machine/TransferCost.hpp"
#include "machine/VertexBytes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <variant>

namespace ipumodel {
namespace {

constexpr std::uint64_t kAlignBytes = 8;

struct AtomOnTile {
  std::uint32_t tile;
  std::uint64_t bytes;
};

// Number of vectors or elements a field has on this vertex, for the size of its descriptors.
std::size_t sizeOfField(const Vertex& vertex, unsigned field) {
  if (const auto it = vertex.fieldSizes.find(field); it != vertex.fieldSizes.end())
    return it->second;
  const FieldInfo& info = vertex.type->fields[field];
  std::size_t size = 0;
  for (const Connection& c : vertex.connections) {
    if (c.field != field)
      continue;
    if (info.rank == FieldRank::VectorList)
      size += c.element || c.view.shape.size() < 2 ? 1 : c.view.shape[0];
    else
      size += c.view.numElements();
  }
  for (const FieldValue& v : vertex.values)
    if (v.field == field)
      size += v.bytes.size() / std::max<std::size_t>(1, sizeOf(info.elementType));
  return size;
}

class Builder {
public:
  Builder(const GraphData& graph, const StepTable& steps, const CostTable& costs,
          const Liveness& liveness, const std::vector<const VertexType*>& types)
      : graph_(graph),
        steps_(steps),
        costs_(costs),
        liveness_(liveness),
        machine_(costs.machine()) {
    ledger_.tiles.resize(graph.target.getNumTiles());
    for (std::uint32_t i = 0; i < types.size(); ++i)
      typeIndex_[types[i]] = i;
  }

  Ledger build() {
    placeAtoms();
    addVertices();
    addCode();
    addPeaks();
    return std::move(ledger_);
  }

private:
  CategoryBytes& always(std::uint32_t tile) { return ledger_.tiles[tile].alwaysLive; }

  void placeAtoms() {
    for (const Atom& atom : liveness_.atoms()) {
      const Variable& variable = graph_.variables[atom.var.value];
      const std::uint64_t elementBytes = sizeOf(variable.type);
      std::vector<AtomOnTile>& places = places_.emplace_back();
      for (const TileMap::Range& range : variable.tiles.ranges()) {
        const std::uint64_t begin = std::max<std::uint64_t>(atom.begin, range.begin);
        const std::uint64_t end = std::min<std::uint64_t>(atom.end, range.end);
        if (begin < end && range.tile.value < ledger_.tiles.size())
          places.push_back({range.tile.value, (end - begin) * elementBytes});
      }
      if (!atom.alwaysLive)
        continue;
      const Category category =
          variable.kind == VariableKind::Variable ? Category::Variable : Category::Constant;
      for (const AtomOnTile& place : places) {
        always(place.tile)[category] += place.bytes;
        ledger_.tiles[place.tile].gapBytes +=
            (kAlignBytes - place.bytes % kAlignBytes) % kAlignBytes;
      }
    }
  }

  void addVertices() {
    const auto elementBytes = [](const poplar::Type& type) { return sizeOf(type); };
    std::vector<std::map<std::uint32_t, std::uint64_t>> counts(ledger_.tiles.size());
    for (const ComputeSetId set : usedComputeSets(steps_)) {
      for (const VertexId id : graph_.computeSets[set.value].vertices) {
        const Vertex& vertex = graph_.vertices[id.value];
        const VertexBytes bytes = bytesOf(
            *vertex.type, [&](unsigned field) { return sizeOfField(vertex, field); }, elementBytes);
        CategoryBytes& tile = always(vertex.tile.value);
        tile[Category::VertexInstanceState] += bytes.instanceState;
        tile[Category::VertexFieldData] += bytes.fieldData;
        tile[Category::VectorListDescriptor] += bytes.vectorListDescriptor;
        ++counts[vertex.tile.value][typeIndex_.at(vertex.type)];
      }
    }
    for (std::uint32_t tile = 0; tile < counts.size(); ++tile) {
      for (const auto& [type, count] : counts[tile])
        ledger_.tiles[tile].vertices.push_back({type, count});
      always(tile)[Category::VertexCode] += counts[tile].size() * machine_.vertexCodeBytes;
      always(tile)[Category::Stack] +=
          machine_.supervisorStackBytes + machine_.workerContexts * machine_.workerStackBytes;
    }
  }

  void addControl(std::uint64_t bytesPerTile) { controlPerTile_ += bytesPerTile; }

  void addOffChipCode(const StepPart& part, Category code, Category headers) {
    for (const auto& [tile, bytes] : *part.offChip) {
      const std::uint64_t header = part.toHost ? packetHeadersToHost(bytes, machine_)
                                               : packetHeadersFromHost(bytes, machine_);
      const std::uint64_t packets = header / std::max<std::uint64_t>(1, machine_.packetHeaderBytes);
      always(tile)[headers] += header;
      always(tile)[code] += machine_.exchangeInstructionBytes * (2 + 2 * packets);
    }
  }

  void addPart(const StepPart& part) {
    switch (part.kind) {
    case PartKind::Exchange:
    case PartKind::GlobalExchange:
      addControl(machine_.exchangeControlBytes);
      // The exchange of a compute set is the same wherever it is executed: its code is shared.
      if (part.traffic && counted_.insert(part.traffic).second) {
        const Category code = part.kind == PartKind::Exchange ? Category::InternalExchangeCode
                                                              : Category::GlobalExchangeCode;
        for (const TileTraffic& tile : part.traffic->exchange.tiles)
          always(tile.tile)[code] += exchangeCodeBytes(tile, machine_);
      }
      if (part.offChip)
        addOffChipCode(part, Category::GlobalExchangeCode, Category::GlobalExchangePacketHeader);
      break;
    case PartKind::OnTileCopy:
      for (const auto& [tile, bytes] : part.traffic->onTileCopy)
        always(tile)[Category::ControlCode] += machine_.executeControlBytes;
      break;
    case PartKind::StreamCopy:
    case PartKind::RemoteCopy:
      addControl(machine_.exchangeControlBytes);
      addOffChipCode(part, Category::HostExchangeCode, Category::HostExchangePacketHeader);
      break;
    case PartKind::Sync:    // in the control code of what follows it
    case PartKind::Compute: // by tile, below
      break;
    }
  }

  void addCode() {
    for (std::uint32_t i = 0; i < steps_.size(); ++i) {
      const StepCost& cost = costs_.step(StepId{i});
      for (const StepPart& part : cost.parts)
        addPart(part);
      if (cost.computeSet)
        for (const TileEstimate& tile : costs_.computeSet(*cost.computeSet).tiles)
          always(tile.tile)[Category::ControlCode] += machine_.executeControlBytes;
      if (std::holds_alternative<node::Repeat>(steps_.node(StepId{i}).op))
        addControl(machine_.exchangeControlBytes);
    }
    for (TileMemory& tile : ledger_.tiles)
      tile.alwaysLive[Category::ControlCode] += controlPerTile_;
  }

  // Buffers that exist only while a step lasts.
  void addBuffers(StepId step, std::map<std::uint32_t, CategoryBytes>& buffers) const {
    for (const StepPart& part : costs_.step(step).parts) {
      if (!part.traffic || part.kind == PartKind::OnTileCopy)
        continue;
      for (const auto& [tile, bytes] : part.traffic->message)
        buffers[tile][Category::Message] += bytes;
    }
    for (const StepPart& part : costs_.step(step).parts)
      if (part.kind == PartKind::OnTileCopy)
        for (const auto& [tile, bytes] : part.traffic->rearrangement)
          buffers[tile][Category::Rearrangement] += bytes;
  }

  void addPeaks() {
    const auto& leaves = liveness_.leaves();
    std::vector<std::uint64_t> live(ledger_.tiles.size()); // bytes of variables now
    std::vector<std::uint64_t> peak(ledger_.tiles.size());
    std::uint64_t liveTotal = 0;
    std::vector<std::uint32_t> none;
    const std::vector<std::uint32_t>* last = &none;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const std::vector<std::uint32_t>& now = liveness_.liveDuring(i);
      std::vector<std::uint32_t> changed;
      std::set_difference(last->begin(), last->end(), now.begin(), now.end(),
                          std::back_inserter(changed));
      for (const std::uint32_t atom : changed)
        for (const AtomOnTile& place : places_[atom]) {
          live[place.tile] -= place.bytes;
          liveTotal -= place.bytes;
        }
      changed.clear();
      std::set_difference(now.begin(), now.end(), last->begin(), last->end(),
                          std::back_inserter(changed));
      for (const std::uint32_t atom : changed)
        for (const AtomOnTile& place : places_[atom]) {
          live[place.tile] += place.bytes;
          liveTotal += place.bytes;
        }
      last = &now;

      std::map<std::uint32_t, CategoryBytes> buffers;
      addBuffers(leaves[i], buffers);
      LivenessStep& step = ledger_.livenessSteps.emplace_back();
      step.program = leaves[i].value;
      step.bytes = liveTotal;
      for (const auto& [tile, bytes] : buffers)
        step.bytes += bytes.total();
      std::set<std::uint32_t> variables;
      for (const std::uint32_t atom : now)
        variables.insert(liveness_.atoms()[atom].var.value);
      step.variables.assign(variables.begin(), variables.end());

      auto buffer = buffers.begin();
      for (std::uint32_t tile = 0; tile < live.size(); ++tile) {
        const bool hasBuffer = buffer != buffers.end() && buffer->first == tile;
        const std::uint64_t bytes = live[tile] + (hasBuffer ? buffer->second.total() : 0);
        step.busiestTileBytes = std::max(step.busiestTileBytes, bytes);
        if (bytes > peak[tile]) {
          peak[tile] = bytes;
          TileMemory& memory = ledger_.tiles[tile];
          memory.peakStep = static_cast<std::uint32_t>(i);
          memory.atPeak = hasBuffer ? buffer->second : CategoryBytes{};
          memory.atPeak[Category::Variable] += live[tile];
        }
        if (hasBuffer)
          ++buffer;
      }
    }
  }

  const GraphData& graph_;
  const StepTable& steps_;
  const CostTable& costs_;
  const Liveness& liveness_;
  const MachineParameters& machine_;
  Ledger ledger_;
  std::unordered_map<const VertexType*, std::uint32_t> typeIndex_;
  std::vector<std::vector<AtomOnTile>> places_; // by atom
  std::unordered_set<const Traffic*> counted_;
  std::uint64_t controlPerTile_ = 0;
};

} // namespace

std::vector<ComputeSetId> usedComputeSets(const StepTable& steps) {
  std::set<ComputeSetId> used;
  for (std::uint32_t i = 0; i < steps.size(); ++i)
    if (const auto* execute = std::get_if<node::Execute>(&steps.node(StepId{i}).op))
      used.insert(execute->computeSet);
  return {used.begin(), used.end()};
}

std::vector<const VertexType*> usedTypes(const GraphData& graph, const StepTable& steps) {
  std::vector<const VertexType*> types;
  std::unordered_set<const VertexType*> seen;
  for (const ComputeSetId set : usedComputeSets(steps))
    for (const VertexId id : graph.computeSets[set.value].vertices)
      if (seen.insert(graph.vertices[id.value].type).second)
        types.push_back(graph.vertices[id.value].type);
  return types;
}

Ledger makeLedger(const GraphData& graph, const StepTable& steps, const CostTable& costs,
                  const Liveness& liveness, const std::vector<const VertexType*>& types) {
  return Builder(graph, steps, costs, liveness, types).build();
}

} // namespace ipumodel
