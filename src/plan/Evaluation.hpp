// One strategy under one request: its fastest parameters that fit, and what they come to.
#pragma once

#include "plan/Planner.hpp"

#include <optional>
#include <utility>

namespace spillway::plan {

class Evaluation {
public:
  // REQUIRES: the request and the memory outlive this.
  Evaluation(Strategy strategy, const PlanRequest& request, const MemoryModel& memory);

  StrategyPlan run(PlanDetail detail);

  // By slots alone: how long the table of actions gets depends on parameters.
  bool possible(Step numSteps) const;

private:
  std::optional<StrategyChoice> fastestThatFits() const;
  std::optional<StrategyChoice> onChipHistory() const;
  // The best shape of blocks, where schedules take long to find tried on a shorter chain that still
  // is many blocks long.
  std::optional<StrategyChoice> spilledHistory() const;
  // Overlapped schedules may be faster with longer gaps: fewer actions, and room for spikes.
  double bestMargin(StrategyChoice choice, Step numSteps) const;
  std::optional<StrategyChoice> fastest(Step numSteps, const StrategyChoice& spill) const;

  // The choice that takes the fewest bytes, and those.
  const std::pair<StrategyChoice, std::uint64_t>& leanestAndBytes();
  MemoryDemand demandOfChoice(const StrategyChoice& choice) const;
  std::optional<Step> largestSteps() const;

  bool transfers() const;
  double lowerBound(std::uint32_t numSlots) const;
  // Of the memory, before slots and actions are known.
  MemoryDemand demandFor(const StrategyChoice& choice, Step numSteps) const;
  ScheduleBudget budgetFor(const StrategyChoice& choice, Step numSteps) const;
  // On the machine that the schedule runs on.
  TimeSplit timeFor(const StrategyChoice& choice, const Schedule& schedule) const;
  Schedule make(const StrategyChoice& choice, Step numSteps) const;
  // An overlapped strategy that comes out without transfers needs no IO tiles.
  const MemoryModel& memoryOf(const Schedule& schedule) const {
    return memoryFor(schedule, request_, plain_);
  }

  Strategy strategy_;
  const PlanRequest& request_;
  const MemoryModel &plain_, &memory_; // without IO tiles, and as the strategy needs it
  const Costs& costs_;
  std::uint64_t reservedActions_ = 0; // of the table, before its length is known
  std::optional<std::pair<StrategyChoice, std::uint64_t>> leanest_;
};

} // namespace spillway::plan
