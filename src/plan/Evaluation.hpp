// One strategy under one request: its fastest parameters that fit, and what they come to.
#pragma once

#include "plan/Planner.hpp"
#include "plan/RemoteRoom.hpp"

#include <optional>
#include <utility>

namespace spillway::plan {

class Evaluation {
public:
  // REQUIRES: the request and the memory outlive this.
  Evaluation(Strategy strategy, const PlanRequest& request, const MemoryModel& memory);

  StrategyPlan run(PlanDetail detail);

  // Whether anything fits, the leanest included.
  bool fitsAtAll();

  // By slots and rows alone: how long the table of actions gets depends on parameters.
  bool possible(Step numSteps);

private:
  struct Attempt {
    StrategyChoice choice;
    Schedule schedule;
    std::optional<std::uint32_t> rows; // offered to it; none: enough
  };
  // REQUIRES: its actions are not too many.
  Attempt attemptOf(const StrategyChoice& choice) const;
  // The fastest choice that fits.
  std::optional<Attempt> fastestThatFits();
  // Not the fastest, but soonest found.
  std::optional<Attempt> anythingThatFits();
  // With room for so many states in transfer.
  std::optional<Attempt> fastestReserving(std::uint64_t numStates);
  std::optional<StrategyChoice> fastestBySlots() const;
  std::optional<StrategyChoice> onChipHistory() const;
  // The best shape of blocks, where schedules take long to find tried on a shorter chain that still
  // is many blocks long.
  std::optional<StrategyChoice> spilledHistory() const;
  // Overlapped schedules may be faster with longer gaps: fewer actions, and room for spikes.
  double bestMargin(StrategyChoice choice, Step numSteps) const;
  std::optional<StrategyChoice> fastest(Step numSteps, const StrategyChoice& spill) const;
  // Of the paper's strategies, by the schedules of a few settings: none where none of those fits.
  std::optional<StrategyChoice> fastestMade(const StrategyChoice& spill,
                                            const ScheduleBudget& budget) const;
  bool fits(const Schedule& schedule) const;
  // With what is reserved for the table of actions.
  RemoteRoom roomFor(const StrategyChoice& spill, Step numSteps) const;
  // The least of Streaming Memory with which anything fits the budget; none: no amount is enough.
  std::optional<RemoteNeed> smallestRemote() const;
  std::optional<RemoteNeed> smallestRemote(const StrategyChoice& spill) const;

  // The choice that takes the fewest bytes, and those: with any budget from there on it fits. None:
  // Streaming Memory has too few rows for any.
  struct Lean {
    StrategyChoice choice;
    std::uint64_t bytes = 0;
  };
  const std::optional<Lean>& leanest();
  std::optional<Lean> leanestCandidate() const;
  void tryParameters(const StrategyChoice& spill, std::optional<Lean>& best) const;
  void trySlots(const StrategyChoice& spill, std::optional<Lean>& best) const;
  // Whatever schedule one slot leads to. REQUIRES: not one of the paper's strategies.
  bool surelyFitsOneSlot() const;
  std::optional<Step> largestSteps(bool requestFits);
  // REQUIRES: the request's history is in blocks where that was asked for, or the answer is cut to
  // one block.
  std::optional<Step> largestNearRequest(bool requestFits);

  bool mayTransfer() const;
  double lowerBound(std::uint32_t numSlots) const;
  // What a schedule takes at the very least, its actions aside.
  MemoryDemand leastDemand(const StrategyChoice& choice) const;
  // Of the memory, before slots and actions are known.
  MemoryDemand demandFor(const StrategyChoice& choice, Step numSteps) const;
  ScheduleBudget budgetFor(const StrategyChoice& choice, Step numSteps) const;
  std::uint64_t bytesOf(const Schedule& schedule) const;
  // On the machine that the schedule runs on; infinite where it has too many actions.
  double totalTimeOf(const StrategyChoice& choice, Step numSteps) const;
  TimeSplit timeFor(const StrategyChoice& choice, const Schedule& schedule) const;
  // None where blocks of spikes would cut its runs into so many pieces that the list of actions
  // outgrows the host's memory.
  std::optional<Schedule> make(const StrategyChoice& choice, Step numSteps) const;
  // An overlapped strategy that comes out without transfers needs no IO tiles.
  const MemoryModel& memoryOf(const Schedule& schedule) const {
    return memoryFor(schedule, request_, plain_);
  }

  Strategy strategy_;
  const PlanRequest& request_;
  const MemoryModel &plain_, &memory_; // without IO tiles, and as the strategy needs it
  const Costs& costs_;
  bool limitsPieces_; // of the runs that blocks of spikes cut
  // Of staging and of the table, before a schedule is made.
  std::uint64_t reservedStates_, reservedActions_ = 0;
  std::uint64_t remoteActions_ = 0; // in Streaming Memory
  std::optional<std::optional<Lean>> leanest_;
};

} // namespace spillway::plan
