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
  std::vector<std::uint64_t*> answers; // by batch as bound, those not asked too: into fresh
  // By slot: vertices that are asked, then those with an estimate.
  std::vector<std::uint64_t> cycles;     // of the last execution
  std::vector<std::uint64_t> fresh;      // of this one
  std::vector<Entry> entries;            // by tile, in compute-set order
  std::vector<std::size_t> tileBegin;    // into entries, parallel to sums.tiles, and the end
  std::vector<char> allWorkers;          // parallel to sums.tiles: no vertex takes the whole tile
  std::vector<std::uint64_t> tileCycles; // of the last execution, parallel to sums.tiles
  std::vector<std::uint64_t> busyCycles; // over all contexts
  std::uint64_t slowest = 0;             // of tileCycles
  std::uint64_t repeats = 0;             // executions like the last one that are not in sums yet
  unsigned workerContexts = 6;
  MeasuredComputeSet sums;

  void schedule();
  void flush();
};

// From the vertices' cycles to the tiles'.
void Account::DynamicSet::schedule() {
  slowest = 0;
  for (std::size_t tile = 0; tile < sums.tiles.size(); ++tile) {
    const std::span<const Entry> here(&entries[tileBegin[tile]],
                                      tileBegin[tile + 1] - tileBegin[tile]);
    if (here.size() <= workerContexts && allWorkers[tile]) { // a context each: no need to search
      std::uint64_t longest = 0, sum = 0;
      for (const Entry& entry : here) {
        longest = std::max(longest, cycles[entry.slot]);
        sum += cycles[entry.slot];
      }
      tileCycles[tile] = workerContexts * longest;
      busyCycles[tile] = workerContexts * sum;
    } else {
      WorkerSchedule schedule(workerContexts);
      for (const Entry& entry : here) {
        if (entry.isWorker)
          schedule.addWorker(cycles[entry.slot]);
        else
          schedule.addWholeTile(cycles[entry.slot]);
      }
      const TileCompute compute = schedule.result();
      tileCycles[tile] = compute.cycles;
      busyCycles[tile] = compute.busyCycles;
    }
    slowest = std::max(slowest, tileCycles[tile]);
  }
}

void Account::DynamicSet::flush() {
  for (std::size_t tile = 0; tile < sums.tiles.size() && repeats > 0; ++tile) {
    sums.cyclesByTile[tile] += repeats * tileCycles[tile];
    sums.busyByTile[tile] += repeats * busyCycles[tile];
  }
  sums.executions += repeats;
  sums.cycles += repeats * slowest;
  if (repeats > 0)
    sums.maxCycles = std::max(sums.maxCycles, slowest);
  repeats = 0;
}

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
  std::size_t numBlocks = 0;
  for (std::uint32_t i = 0; i < steps.size(); ++i)
    numBlocks += std::holds_alternative<node::Block>(steps.node(StepId{i}).op) ? 1 : 0;
  if (numBlocks > 0)
    blocks_.reserve(limits.traceEntries);
  openBlocks_.reserve(numBlocks);
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
      set->allWorkers.push_back(true);
    }
    set->entries.push_back(p.entry);
    set->allWorkers.back() = set->allWorkers.back() && p.entry.isWorker;
  }
  set->tileBegin.push_back(set->entries.size());
  set->sums.cyclesByTile.resize(set->sums.tiles.size());
  set->sums.busyByTile.resize(set->sums.tiles.size());
  set->tileCycles.resize(set->sums.tiles.size());
  set->busyCycles.resize(set->sums.tiles.size());
  set->fresh = set->cycles;
  std::size_t next = 0;
  for (const VertexBatch& batch : batches)
    set->answers.push_back(isAsked(batch) ? &set->fresh[set->batches[next++].firstSlot] : nullptr);
  set->schedule();

  for (std::uint32_t step = 0; step < steps_.size(); ++step) {
    const auto* execute = std::get_if<node::Execute>(&steps_.node(StepId{step}).op);
    if (execute && execute->computeSet == computeSet)
      dynamicOf_[step] = set.get();
  }
  dynamicSets_[computeSet.value] = std::move(set);
}

std::span<std::uint64_t* const> Account::answersOf(StepId step) const {
  const DynamicSet* set = dynamicOf_[step.value];
  return set ? std::span<std::uint64_t* const>(set->answers) : std::span<std::uint64_t* const>();
}

std::uint64_t Account::measure(DynamicSet& set, Answers answers) {
  if (answers == Answers::Asked)
    for (const DynamicSet::Batch& batch : set.batches)
      batch.type->cost(batch.first, batch.stride, batch.count, &set.fresh[batch.firstSlot]);
  // Most vertices cost the same again; then there is nothing to do for the tiles.
  if (set.fresh != set.cycles) {
    set.flush();
    std::copy(set.fresh.begin(), set.fresh.end(), set.cycles.begin());
    set.schedule();
  }
  ++set.repeats;
  return set.slowest;
}

void Account::startClock(const CostTable& costs) {
  now_ = 0;
  clock_.assign(costs.size(), {});
  stalledOf_.assign(costs.size(), 0);
  for (std::uint32_t i = 0; i < costs.size(); ++i) {
    const StepCost& cost = costs.step(StepId{i});
    ClockEntry& entry = clock_[i];
    entry.link = cost.link;
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
  if (!clock_.empty())
    waitForLink();
  while (!openBlocks_.empty()) // the run was aborted inside them
    blockEnds();
  RunRecord& run = runs_.back();
  run.endTraceEntry = traceSteps_.size();
  run.numSteps = stepsInRun_;
  run.hostSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - runBegan_).count();
}

namespace {

constexpr std::size_t kNotKept = static_cast<std::size_t>(-1);

} // namespace

void Account::blockBegins(StepId block) {
  const bool isKept =
      traceSteps_.size() < limits_.traceEntries && blocks_.size() < limits_.traceEntries;
  openBlocks_.push_back(isKept ? blocks_.size() : kNotKept);
  if (isKept)
    blocks_.push_back({block, traceSteps_.size(), traceSteps_.size()});
}

void Account::blockEnds() {
  if (openBlocks_.back() != kNotKept)
    blocks_[openBlocks_.back()].endTraceEntry = traceSteps_.size();
  openBlocks_.pop_back();
}

void Account::reset() {
  std::fill(counts_.begin(), counts_.end(), 0);
  traceSteps_.clear();
  link_ = {};
  std::fill(stalledOf_.begin(), stalledOf_.end(), 0);
  traceCycles_.clear();
  runs_.clear();
  blocks_.clear();
  for (const auto& set : dynamicSets_) {
    if (!set)
      continue;
    MeasuredComputeSet& sums = set->sums;
    set->repeats = 0;
    sums.executions = sums.cycles = sums.maxCycles = 0;
    std::fill(sums.cyclesByTile.begin(), sums.cyclesByTile.end(), 0);
    std::fill(sums.busyByTile.begin(), sums.busyByTile.end(), 0);
  }
}

const MeasuredComputeSet* Account::measured(ComputeSetId computeSet) const {
  const auto& set = dynamicSets_[computeSet.value];
  if (!set)
    return nullptr;
  set->flush();
  return &set->sums;
}

} // namespace ipumodel
