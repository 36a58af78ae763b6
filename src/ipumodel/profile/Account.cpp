#include "profile/Account.hpp"

#include "graph/GraphData.hpp"
#include "machine/WorkerSchedule.hpp"
#include "profile/CostTable.hpp"
#include "profile/Estimates.hpp"

#include <algorithm>
#include <variant>

namespace ipumodel {

struct Account::DynamicSet {
  struct Batch {
    const VertexType* type;
    const void* first;
    std::size_t stride;
    std::size_t count;
    std::size_t firstSlot;
  };
  struct Entry {
    std::uint32_t slot; // into cycles
    bool isWorker;
  };

  std::vector<Batch> batches;
  std::vector<std::uint64_t>
      cycles;                 // by slot: vertices that are asked, then those with an estimate
  std::vector<Entry> entries; // by tile, in compute-set order
  std::vector<std::size_t> tileBegin; // into entries, parallel to sums.tiles, and the end
  unsigned workerContexts = 6;
  MeasuredComputeSet sums;
};

Account::Account(const GraphData& graph, const StepTable& steps, Limits limits)
    : graph_(graph),
      steps_(steps),
      limits_(limits),
      counts_(steps.size()),
      dynamicOf_(steps.size(), nullptr),
      dynamicSets_(graph.computeSets.size()) {
  // A run must not allocate.
  traceSteps_.reserve(limits.traceEntries);
  traceCycles_.reserve(limits.traceEntries);
}

Account::~Account() = default;

void Account::bind(ComputeSetId computeSet, std::span<const VertexBatch> batches) {
  const auto isAsked = [](const VertexBatch& batch) { return batch.type->cost != nullptr; };
  if (std::none_of(batches.begin(), batches.end(), isAsked))
    return;

  auto set = std::make_unique<DynamicSet>();
  set->workerContexts = graph_.target.getNumWorkerContexts();
  struct Placed {
    TileId tile;
    VertexId vertex; // ids ascend in the order vertices were added
    DynamicSet::Entry entry;
  };
  std::vector<Placed> placed;
  const auto place = [&](const VertexBatch& batch, VertexId vertex) {
    placed.push_back(
        {graph_.vertices[vertex.value].tile,
         vertex,
         {static_cast<std::uint32_t>(set->cycles.size()), batch.type->kind == VertexKind::Worker}});
  };
  for (const VertexBatch& batch : batches) {
    if (isAsked(batch))
      set->batches.push_back(
          {batch.type, batch.first, batch.stride, batch.vertices.size(), set->cycles.size()});
    for (const VertexId vertex : batch.vertices) {
      const auto expected = isAsked(batch) ? VertexEstimate{} : estimate(graph_, vertex);
      if (!expected)
        continue;
      place(batch, vertex);
      set->cycles.push_back(expected->cycles);
    }
  }
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return std::pair(a.tile, a.vertex) < std::pair(b.tile, b.vertex);
  });
  for (const Placed& p : placed) {
    if (set->sums.tiles.empty() || set->sums.tiles.back() != p.tile.value) {
      set->sums.tiles.push_back(p.tile.value);
      set->tileBegin.push_back(set->entries.size());
    }
    set->entries.push_back(p.entry);
  }
  set->tileBegin.push_back(set->entries.size());
  set->sums.cyclesByTile.resize(set->sums.tiles.size());
  set->sums.busyByTile.resize(set->sums.tiles.size());

  for (std::uint32_t step = 0; step < steps_.size(); ++step) {
    const auto* execute = std::get_if<node::Execute>(&steps_.node(StepId{step}).op);
    if (execute && execute->computeSet == computeSet)
      dynamicOf_[step] = set.get();
  }
  dynamicSets_[computeSet.value] = std::move(set);
}

std::uint64_t Account::measure(DynamicSet& set) {
  for (const DynamicSet::Batch& batch : set.batches)
    batch.type->cost(batch.first, batch.stride, batch.count, &set.cycles[batch.firstSlot]);

  std::uint64_t slowest = 0;
  for (std::size_t tile = 0; tile < set.sums.tiles.size(); ++tile) {
    WorkerSchedule schedule(set.workerContexts);
    for (std::size_t i = set.tileBegin[tile]; i < set.tileBegin[tile + 1]; ++i) {
      const DynamicSet::Entry entry = set.entries[i];
      if (entry.isWorker)
        schedule.addWorker(set.cycles[entry.slot]);
      else
        schedule.addWholeTile(set.cycles[entry.slot]);
    }
    const TileCompute compute = schedule.result();
    set.sums.cyclesByTile[tile] += compute.cycles;
    set.sums.busyByTile[tile] += compute.busyCycles;
    slowest = std::max(slowest, compute.cycles);
  }
  ++set.sums.executions;
  set.sums.cycles += slowest;
  set.sums.maxCycles = std::max(set.sums.maxCycles, slowest);
  return slowest;
}

void Account::startClock(const CostTable& costs) {
  now_ = 0;
  clock_.assign(costs.size(), {});
  for (std::uint32_t i = 0; i < costs.size(); ++i) {
    const StepCost& cost = costs.step(StepId{i});
    ClockEntry& entry = clock_[i];
    for (const StepPart& part : cost.parts) {
      entry.cycles += part.cycles;
      if (part.kind == PartKind::StreamCopy) {
        entry.isStream = true;
        entry.joinedSaving += part.cycles - part.joinedCycles;
      }
    }
    if (cost.computeSet && dynamicSets_[cost.computeSet->value])
      entry.cycles -= costs.computeSet(*cost.computeSet).cycles;
  }
}

void Account::beginRun(unsigned program, std::string name) {
  runs_.push_back({.name = std::move(name),
                   .program = program,
                   .firstTraceEntry = traceSteps_.size(),
                   .endTraceEntry = traceSteps_.size()});
  stepsInRun_ = 0;
  runBegan_ = std::chrono::steady_clock::now();
}

void Account::endRun() {
  RunRecord& run = runs_.back();
  run.endTraceEntry = traceSteps_.size();
  run.numSteps = stepsInRun_;
  run.hostSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - runBegan_).count();
}

void Account::reset() {
  std::fill(counts_.begin(), counts_.end(), 0);
  traceSteps_.clear();
  traceCycles_.clear();
  runs_.clear();
  for (const auto& set : dynamicSets_) {
    if (!set)
      continue;
    MeasuredComputeSet& sums = set->sums;
    sums.executions = sums.cycles = sums.maxCycles = 0;
    std::fill(sums.cyclesByTile.begin(), sums.cyclesByTile.end(), 0);
    std::fill(sums.busyByTile.begin(), sums.busyByTile.end(), 0);
  }
}

const MeasuredComputeSet* Account::measured(ComputeSetId computeSet) const {
  const auto& set = dynamicSets_[computeSet.value];
  return set ? &set->sums : nullptr;
}

} // namespace ipumodel
