#include "profile/CostTable.hpp"

#include "machine/TransferCost.hpp"
#include "machine/WorkerSchedule.hpp"
#include "profile/Estimates.hpp"

#include <algorithm>
#include <map>
#include <variant>

namespace ipumodel {

struct CostTable::Builder {
  CostTable& table;
  const GraphData& graph;
  TrafficModel model;
  std::vector<std::vector<StepPart>> executeParts; // by compute set; shared by all its Executes
  std::vector<bool> isBuilt;
  StepCost* out = nullptr;

  const MachineParameters& machine() const { return table.machine_; }

  // Sync, exchange and copies inside tiles, as far as there is something to move.
  void move(Traffic traffic, std::vector<StepPart>& parts) {
    const Traffic& kept = table.traffics_.emplace_back(std::move(traffic));
    const std::uint64_t bytes = kept.exchange.bytesReceived;
    if (kept.ipuLinkBytes > 0) {
      parts.push_back({.kind = PartKind::GlobalExchange,
                       .cycles = ipuLinkCycles(kept.ipuLinkBytes, machine()) +
                                 exchangeCycles(kept.exchange, machine()),
                       .bytes = bytes,
                       .traffic = &kept});
    } else if (bytes > 0) {
      parts.push_back({.kind = PartKind::Sync, .cycles = machine().internalSyncCycles});
      parts.push_back({.kind = PartKind::Exchange,
                       .cycles = exchangeCycles(kept.exchange, machine()),
                       .bytes = bytes,
                       .traffic = &kept});
    }
    if (const std::uint64_t largest = kept.largestOnTileCopy(); largest > 0) {
      std::uint64_t total = 0;
      for (const auto& [tile, local] : kept.onTileCopy)
        total += local;
      parts.push_back({.kind = PartKind::OnTileCopy,
                       .cycles = onTileCopyCycles(largest, machine()),
                       .bytes = total,
                       .traffic = &kept});
    }
  }

  // All tiles must know where control goes, so the tile that holds the predicate tells them; those
  // of other IPUs over the links.
  void broadcastPredicate() {
    const std::uint64_t numIpus = graph.target.getNumIPUs();
    std::uint64_t sync = machine().internalSyncCycles, links = 0;
    if (numIpus > 1) {
      sync = machine().globalSyncCycles;
      links = ipuLinkCycles(4 * (numIpus - 1) * machine().tilesPerIpu, machine()) - sync;
    }
    out->parts.push_back({.kind = PartKind::Sync, .cycles = sync});
    out->parts.push_back({.kind = PartKind::Exchange,
                          .cycles = machine().exchangeFixedCycles + 1 + links,
                          .bytes = 4});
  }

  struct OffChip {
    const BytesByTile* byTile;
    std::uint64_t total = 0, busiest = 0;
  };

  OffChip offChip(const View& view) {
    OffChip result{&table.offChips_.emplace_back(model.bytesByTile(view))};
    for (const auto& [tile, bytes] : *result.byTile) {
      result.total += bytes;
      result.busiest = std::max(result.busiest, bytes);
    }
    return result;
  }

  void stream(const View& view, bool toHost) {
    const OffChip bytes = offChip(view);
    out->parts.push_back(
        {.kind = PartKind::StreamCopy,
         .cycles = streamCopyCycles(bytes.total, bytes.busiest, HostAnswer::Callback, machine()),
         .joinedCycles =
             streamCopyCycles(bytes.total, bytes.busiest, HostAnswer::Waiting, machine()),
         .bytes = bytes.total,
         .offChip = bytes.byTile,
         .toHost = toHost});
  }

  // The IPUs of a machine share its Streaming Memory: what a copy moves there adds up, and the
  // replicas beside this one do the same at the same time.
  void remote(const View& view, bool toHost) {
    const OffChip bytes = offChip(view);
    std::map<std::uint64_t, std::uint64_t> byMachine;
    std::uint64_t busiestMachine = 0;
    for (const auto& [tile, onTile] : *bytes.byTile) {
      std::uint64_t& sum = byMachine[tile / machine().tilesPerIpu / machine().ipusPerMachine];
      busiestMachine = std::max(busiestMachine, sum += onTile);
    }
    const std::uint64_t sharing = std::clamp<std::uint64_t>(
        machine().ipusPerMachine / graph.target.getNumIPUs(), 1, graph.replicationFactor);
    out->parts.push_back({.kind = PartKind::RemoteCopy,
                          .cycles = remoteCopyCycles(busiestMachine, bytes.busiest,
                                                     static_cast<unsigned>(sharing), machine()),
                          .bytes = bytes.total,
                          .offChip = bytes.byTile,
                          .toHost = toHost});
  }

  ComputeSetCost estimateSet(ComputeSetId id) {
    ComputeSetCost cost;
    std::vector<VertexId> vertices = graph.computeSets[id.value].vertices;
    std::stable_sort(vertices.begin(), vertices.end(), [&](VertexId a, VertexId b) {
      return graph.vertices[a.value].tile < graph.vertices[b.value].tile;
    });
    for (std::size_t i = 0; i < vertices.size();) {
      const TileId tile = graph.vertices[vertices[i].value].tile;
      WorkerSchedule schedule(static_cast<unsigned>(machine().workerContexts));
      for (; i < vertices.size() && graph.vertices[vertices[i].value].tile == tile; ++i) {
        const VertexType& type = *graph.vertices[vertices[i].value].type;
        const auto expected = estimate(graph, vertices[i]);
        if (type.cost)
          ++cost.askedVertices;
        else if (!expected)
          ++cost.unknownVertices;
        if (expected) {
          schedule.add(type.kind, expected->cycles);
          cost.flops += expected->flops;
        }
      }
      const TileCompute compute = schedule.result();
      cost.tiles.push_back({tile.value, compute.cycles, compute.busyCycles});
      cost.cycles = std::max(cost.cycles, compute.cycles);
    }
    return cost;
  }

  void operator()(const node::Execute& n) {
    const std::size_t set = n.computeSet.value;
    std::vector<StepPart>& parts = executeParts[set];
    if (!isBuilt[set]) {
      isBuilt[set] = true;
      table.computeSets_[set] = estimateSet(n.computeSet);
      move(model.before(n.computeSet), parts);
      parts.push_back({.kind = PartKind::Compute,
                       .cycles = table.computeSets_[set].cycles + machine().executeControlCycles});
      move(model.after(n.computeSet), parts);
    }
    out->computeSet = n.computeSet;
    out->parts = parts;
    if (n.exitValue)
      broadcastPredicate();
  }
  void operator()(const node::CopyTensor& n) {
    move(model.copy(n.source, n.destination), out->parts);
  }
  void operator()(const node::CopyFromStream& n) { stream(n.destination, false); }
  void operator()(const node::CopyToStream& n) { stream(n.source, true); }
  void operator()(const node::CopyFromRemote& n) { remote(n.destination, false); }
  void operator()(const node::CopyToRemote& n) { remote(n.source, true); }
  void operator()(const node::CrossReplicaCopy& n) {
    const OffChip bytes = offChip(n.source);
    out->parts.push_back({.kind = PartKind::GlobalExchange,
                          .cycles = ipuLinkCycles(bytes.total, machine()),
                          .bytes = bytes.total,
                          .offChip = bytes.byTile});
  }
  void operator()(const node::RepeatWhile&) { broadcastPredicate(); }
  void operator()(const node::If&) { broadcastPredicate(); }
  void operator()(const node::Switch&) { broadcastPredicate(); }
  void operator()(const node::AbortOnCondition&) { broadcastPredicate(); }
  void operator()(const node::CallHostFunction& n) {
    for (const View& input : n.inputs)
      stream(input, true);
    for (const View& output : n.outputs)
      stream(output, false);
  }
  void operator()(const node::PrintTensor& n) { stream(n.view, true); }
  void operator()(const node::Sync& n) {
    out->parts.push_back(
        {.kind = PartKind::Sync,
         .cycles = n.external ? machine().globalSyncCycles : machine().internalSyncCycles});
  }
  template <class Other>
  void operator()(const Other&) {} // no cost of its own
};

CostTable::CostTable(const GraphData& graph, const StepTable& steps,
                     const MachineParameters& machine)
    : machine_(machine), steps_(steps.size()), computeSets_(graph.computeSets.size()) {
  const std::size_t numSets = graph.computeSets.size();
  Builder builder{*this, graph, TrafficModel(graph, machine_),
                  std::vector<std::vector<StepPart>>(numSets), std::vector<bool>(numSets)};
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    builder.out = &steps_[i];
    std::visit(builder, steps.node(StepId{i}).op);
  }
  markLinkUse(graph, steps, steps_);
}

} // namespace ipumodel
