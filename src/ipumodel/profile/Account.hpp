// What the engine tells the account while it runs: which steps were executed, and where the
// vertices lie that know their own cost.
//
// Everything else about a step (its exchange, the estimates of its vertices, its transfers) is
// known before the run and worked out when a report is asked for, so counting costs a few
// instructions per step. Only vertices with `estimateCycles() const` are asked after each
// execution, best by the thread that ran them, which has their data at hand.
#pragma once

#include "graph/Ids.hpp"
#include "popc/VertexType.hpp"
#include "profile/StepTable.hpp"
#include "profile/TransfersBeside.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ipumodel {

class CostTable;
struct GraphData;

// Vertices of one type and compute set, `stride` bytes apart, in the engine's memory.
struct VertexBatch {
  const VertexType* type = nullptr;
  const void* first = nullptr;
  std::size_t stride = 0;             // bytes
  std::span<const VertexId> vertices; // in memory order; its size is their number
};

// One Engine::run.
struct RunRecord {
  std::string name;
  unsigned program = 0;
  std::uint64_t firstTraceEntry = 0; // index into the trace, also where the trace was cut short
  std::uint64_t endTraceEntry = 0;
  std::uint64_t numSteps = 0; // executed, in the trace or not
  double hostSeconds = 0;     // measured on the host that runs the model; not modelled
};

// Tile cycles of a compute set whose vertices say what they cost, summed over its executions.
struct MeasuredComputeSet {
  std::uint64_t executions = 0;
  std::uint64_t cycles = 0;                // of the slowest tile of each execution
  std::uint64_t maxCycles = 0;             // of one execution
  std::vector<std::uint32_t> tiles;        // those with vertices, ascending
  std::vector<std::uint64_t> cyclesByTile; // parallel to tiles
  std::vector<std::uint64_t> busyByTile;   // worker-cycles, parallel to tiles
};

// One execution of a Block: the entries of the trace inside it.
struct BlockRecord {
  StepId block{0};
  std::uint64_t firstTraceEntry = 0, endTraceEntry = 0;
};

class Account {
public:
  struct Limits {
    std::size_t traceEntries = 1u << 18; // steps kept one by one; the sums go on beyond it
  };

  // REQUIRES: `graph` and `steps` outlive the account.
  Account(const GraphData& graph, const StepTable& steps, Limits limits);
  Account(const GraphData& graph, const StepTable& steps) : Account(graph, steps, Limits{}) {}
  ~Account();
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;

  // Call once per compute set after the vertices have been placed in memory (of replica 0), with
  // all batches of the set; batches whose type has no cost function are read but not kept. The
  // vertex ids are copied, the vertices are not.
  void bind(ComputeSetId computeSet, std::span<const VertexBatch> batches);

  // From now on cycles() advances with every step. The costs are copied. Copies that run beside the
  // program (TransfersBeside.hpp) are known only with a clock; without one they are waited for.
  void startClock(const CostTable& costs);

  // Modelled cycles since startClock; 0 without one. What is unknown is not in it.
  std::uint64_t cycles() const { return now_; }

  void beginRun(unsigned program, std::string name);
  void endRun();

  // Where the vertices of an Execute that are asked say what they cost: for each batch as bound,
  // one number a vertex, or null; empty where none is asked. Threads may write to them at once.
  std::span<std::uint64_t* const> answersOf(StepId step) const;

  enum class Answers { Asked, Written }; // the account asks, or all are where answersOf says
  // A leaf of the program has been executed; or a Repeat, RepeatWhile, If, Switch has decided once
  // (a Repeat: once per entry; a RepeatWhile: once per evaluation of its predicate). Containers
  // (Sequence, Block, CallFunction) need not be reported. From one thread only.
  void executed(StepId step, Answers answers = Answers::Asked) {
    ++counts_[step.value];
    ++stepsInRun_;
    std::uint64_t measured = 0;
    if (dynamicOf_[step.value])
      measured = measure(*dynamicOf_[step.value], answers);
    if (traceSteps_.size() < limits_.traceEntries) {
      traceSteps_.push_back(step);
      traceCycles_.push_back(measured);
    }
    if (!clock_.empty())
      advance(step, measured);
  }

  // Around the steps of a Block. Blocks nest; those beyond the trace are not kept.
  void blockBegins(StepId block);
  void blockEnds();

  // Forgets what was executed, not what was bound; the clock goes on.
  void reset();

  const std::vector<std::uint64_t>& executions() const { return counts_; } // by step
  const std::vector<StepId>& traceSteps() const { return traceSteps_; }
  // Parallel to traceSteps: cycles of the slowest tile where vertices were asked, otherwise 0.
  const std::vector<std::uint64_t>& traceCycles() const { return traceCycles_; }
  const std::vector<RunRecord>& runs() const { return runs_; }
  const std::vector<BlockRecord>& blocks() const { return blocks_; }
  // Of the copies that ran beside the program; and, by step, how long the program waited for each.
  const LinkClock& link() const { return link_; }
  const std::vector<std::uint64_t>& stalledCycles() const { return stalledOf_; }
  // Null for a compute set whose vertices are not asked.
  const MeasuredComputeSet* measured(ComputeSetId computeSet) const;

private:
  struct DynamicSet;

  struct ClockEntry {
    std::uint64_t cycles = 0;       // all parts, or without the vertices where they are asked
    std::uint64_t joinedSaving = 0; // less when the step before it was a stream copy as well
    bool isStream = false;
    LinkUse link = LinkUse::None;
  };

  std::uint64_t measure(DynamicSet& set, Answers answers);
  void advance(StepId step, std::uint64_t measured) {
    const ClockEntry& entry = clock_[step.value];
    if (entry.link == LinkUse::Starts) {
      link_.start(now_, entry.cycles);
      lastStarted_ = step;
      return;
    }
    if (entry.link == LinkUse::Waits)
      waitForLink();
    now_ += entry.cycles + measured;
    if (entry.isStream && hostWaits_)
      now_ -= entry.joinedSaving;
    if (entry.cycles > 0 || measured > 0)
      hostWaits_ = entry.isStream;
  }
  void waitForLink() {
    const std::uint64_t cycles = link_.wait(now_);
    if (cycles > 0)
      stalledOf_[lastStarted_.value] += cycles;
    now_ += cycles;
  }

  const GraphData& graph_;
  const StepTable& steps_;
  Limits limits_;
  std::vector<std::uint64_t> counts_;                    // by step
  std::vector<DynamicSet*> dynamicOf_;                   // by step, null where static
  std::vector<std::unique_ptr<DynamicSet>> dynamicSets_; // by compute set
  std::vector<StepId> traceSteps_;
  std::vector<std::uint64_t> traceCycles_;
  std::vector<RunRecord> runs_;
  std::vector<BlockRecord> blocks_;     // in the order in which they began
  std::vector<std::size_t> openBlocks_; // into blocks_, outermost first; kNotKept beyond the trace
  std::vector<ClockEntry> clock_;       // by step; empty without a clock
  std::uint64_t now_ = 0;
  LinkClock link_;
  std::vector<std::uint64_t> stalledOf_; // by step, with a clock
  StepId lastStarted_{0};
  bool hostWaits_ = false;
  std::uint64_t stepsInRun_ = 0;
  std::chrono::steady_clock::time_point runBegan_;
};

} // namespace ipumodel
