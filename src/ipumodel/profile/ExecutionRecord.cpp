#include "profile/ExecutionRecord.hpp"

#include <algorithm>

namespace ipumodel {
namespace {

std::uint64_t& fieldOf(CycleSplit& split, PartKind kind) {
  switch (kind) {
  case PartKind::Sync:
    return split.sync;
  case PartKind::Exchange:
    return split.exchange;
  case PartKind::GlobalExchange:
    return split.globalExchange;
  case PartKind::StreamCopy:
    return split.stream;
  case PartKind::RemoteCopy:
    return split.remote;
  case PartKind::OnTileCopy:
  case PartKind::Compute:
    break;
  }
  return split.compute;
}

class Builder {
public:
  Builder(const Account& account, const CostTable& costs, const ProgramTree& tree,
          const BlockFilter& filter)
      : account_(account), costs_(costs), tree_(tree), filter_(filter) {}

  ExecutionInfo build() {
    info_.recorded = true;
    info_.programs.resize(tree_.programs.size());
    sum();
    info_.hiddenCycles = account_.link().hiddenCycles();
    info_.stalls = account_.link().numStalls();
    expandTrace();
    addBlocks();
    return std::move(info_);
  }

private:
  // Sums over all executions, kept in the trace or not.
  void sum() {
    for (std::uint32_t i = 0; i < costs_.size(); ++i) {
      const StepCost& cost = costs_.step(StepId{i});
      const std::uint64_t executions = account_.executions()[i];
      info_.programs[tree_.ofStep[i]].executions = executions;
      if (runsBeside(cost)) {
        sumBeside(i, executions);
        continue;
      }
      for (std::size_t p = 0; p < cost.parts.size() && executions > 0; ++p) {
        const std::uint64_t cycles = executions * cost.parts[p].cycles;
        ProgramTotal& total = info_.programs[tree_.ofPart[i][p]];
        total.executions = executions;
        total.cycles += cycles;
        fieldOf(info_.cycles, cost.parts[p].kind) += cycles;
      }
      if (cost.computeSet)
        sumComputeSet(i, cost, executions);
    }
  }

  bool runsBeside(const StepCost& cost) const {
    return cost.link == LinkUse::Starts && !account_.stalledCycles().empty();
  }

  // What the program waited for them is all they cost.
  void sumBeside(std::uint32_t step, std::uint64_t executions) {
    const std::uint64_t cycles = account_.stalledCycles()[step];
    ProgramTotal& total = info_.programs[tree_.ofPart[step].front()];
    total.executions = executions;
    total.cycles += cycles;
    info_.cycles.remote += cycles;
  }

  // Replaces the estimate by what the vertices said, step by step where the trace has it.
  void sumComputeSet(std::uint32_t step, const StepCost& cost, std::uint64_t executions) {
    const ComputeSetCost& set = costs_.computeSet(*cost.computeSet);
    info_.unknownVertexExecutions += executions * set.unknownVertices;
    const MeasuredComputeSet* measured = account_.measured(*cost.computeSet);
    if (!measured || measured->executions == 0 || executions == 0)
      return;
    const std::uint64_t cycles = measured->cycles * executions / measured->executions;
    const std::uint64_t estimated = set.cycles * executions;
    for (std::size_t p = 0; p < cost.parts.size(); ++p) {
      if (cost.parts[p].kind != PartKind::Compute)
        continue;
      ProgramTotal& total = info_.programs[tree_.ofPart[step][p]];
      total.cycles = total.cycles - estimated + cycles;
      info_.cycles.compute = info_.cycles.compute - estimated + cycles;
    }
  }

  void expandTrace() {
    std::uint64_t& now = now_;
    std::uint64_t kept = 0, executed = 0;
    bool hostWaits = false;
    const auto& steps = account_.traceSteps();
    std::size_t run = 0;
    const auto& runs = account_.runs();
    for (std::uint64_t entry = 0; entry <= steps.size(); ++entry) {
      while (run < runs.size() && runs[run].firstTraceEntry == entry) {
        waitForLink();
        closeRun();
        const RunRecord& record = runs[run++];
        info_.runs.push_back({.name = record.name,
                              .program = record.program,
                              .firstStep = info_.steps.size(),
                              .endStep = info_.steps.size(),
                              .numSteps = record.numSteps,
                              .hostSeconds = record.hostSeconds});
        executed += record.numSteps;
      }
      beganAt_.push_back(now);
      if (entry == steps.size())
        break;
      ++kept;
      const StepId step = steps[entry];
      const StepCost& cost = costs_.step(step);
      if (runsBeside(cost)) {
        startBeside(step, cost.parts.front());
        continue;
      }
      if (cost.link == LinkUse::Waits)
        waitForLink();
      for (std::size_t p = 0; p < cost.parts.size(); ++p) {
        const StepPart& part = cost.parts[p];
        std::uint64_t cycles = part.cycles;
        if (part.kind == PartKind::Compute && account_.measured(*cost.computeSet))
          cycles = account_.traceCycles()[entry] + costs_.machine().executeControlCycles;
        if (part.kind == PartKind::StreamCopy && hostWaits)
          cycles = join(part, tree_.ofPart[step.value][p]);
        hostWaits = part.kind == PartKind::StreamCopy;
        info_.steps.push_back({tree_.ofPart[step.value][p], now, cycles});
        now += cycles;
      }
    }
    waitForLink();
    closeRun();
    info_.stepsDropped = executed > kept ? executed - kept : 0;
  }

  void addBlocks() {
    info_.blockTile = filter_.tile;
    const auto add = [&](std::uint32_t program, std::uint64_t firstEntry, std::uint64_t endEntry) {
      info_.blocks.push_back(
          {program, beganAt_[firstEntry], beganAt_[endEntry] - beganAt_[firstEntry]});
    };
    for (const BlockRecord& block : account_.blocks())
      if (const std::uint32_t program = tree_.ofStep[block.block.value];
          filter_.watchesBlock(tree_.programs[program].name))
        add(program, block.firstTraceEntry, block.endTraceEntry);
    if (filter_.programs)
      for (std::size_t entry = 0; entry < account_.traceSteps().size(); ++entry)
        if (const std::uint32_t program = tree_.ofStep[account_.traceSteps()[entry].value];
            filter_.watchesProgram(tree_.programs[program].name))
          add(program, entry, entry + 1);
    if (filter_.transfers)
      for (const ExecutedStep& step : info_.steps)
        if (const ProgramType type = tree_.programs[step.program].type;
            type == ProgramType::StreamCopy || type == ProgramType::RemoteCopy)
          info_.blocks.push_back(step);
    std::stable_sort(info_.blocks.begin(), info_.blocks.end(),
                     [](const ExecutedStep& a, const ExecutedStep& b) {
                       return a.from != b.from ? a.from < b.from : a.cycles > b.cycles;
                     });
  }

  void startBeside(StepId step, const StepPart& part) {
    lastStarted_ = tree_.ofPart[step.value].front();
    info_.beside.push_back({lastStarted_, link_.start(now_, part.cycles), part.cycles});
  }

  void waitForLink() {
    if (const std::uint64_t cycles = link_.wait(now_); cycles > 0) {
      info_.steps.push_back({lastStarted_, now_, cycles});
      now_ += cycles;
    }
  }

  // A stream copy right behind another joins its host exchange and costs less. Only the trace knows
  // which did, so copies beyond it are charged in full.
  std::uint64_t join(const StepPart& part, std::uint32_t program) {
    const std::uint64_t saving = part.cycles - part.joinedCycles;
    info_.cycles.stream -= saving;
    info_.programs[program].cycles -= saving;
    return part.joinedCycles;
  }

  void closeRun() {
    if (!info_.runs.empty())
      info_.runs.back().endStep = info_.steps.size();
  }

  const Account& account_;
  const CostTable& costs_;
  const ProgramTree& tree_;
  const BlockFilter& filter_;
  ExecutionInfo info_;
  std::vector<std::uint64_t> beganAt_; // by entry of the trace, and the end
  std::uint64_t now_ = 0;              // of the trace, and
  LinkClock link_;
  std::uint32_t lastStarted_ = 0;
};

} // namespace

ExecutionInfo makeExecutionRecord(const Account& account, const CostTable& costs,
                                  const ProgramTree& tree, const BlockFilter& blocks,
                                  std::vector<ComputeSetInfo>& computeSets) {
  for (std::uint32_t i = 0; i < computeSets.size(); ++i) {
    const MeasuredComputeSet* measured = account.measured(ComputeSetId{i});
    if (!measured || measured->executions == 0)
      continue;
    computeSets[i].measuredExecutions = measured->executions;
    for (std::size_t t = 0; t < measured->tiles.size(); ++t) {
      computeSets[i].measuredCycles.emplace_back(measured->tiles[t], measured->cyclesByTile[t]);
      computeSets[i].measuredBusyCycles.emplace_back(measured->tiles[t], measured->busyByTile[t]);
    }
  }
  return Builder(account, costs, tree, blocks).build();
}

} // namespace ipumodel
