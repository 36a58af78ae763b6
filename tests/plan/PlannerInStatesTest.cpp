// The planner where states are all that takes memory.
#include "plan/Planner.hpp"

#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

// In states, of which a budget is so many.
MemoryModel statesOnly() {
  MachineBytes machine;
  machine.tiles.resize(1);
  machine.tiles[0].stateBytes = 1;
  return MemoryModel(machine);
}

TEST(PlannerInStates, SaysTheFewestStatesForTheRowsThereAre) {
  const MemoryModel memory = statesOnly();
  for (Strategy strategy : {Strategy::Standard, Strategy::Remote, Strategy::Hierarchical,
                            Strategy::Double, Strategy::Revolve, Strategy::Optimal})
    for (Step T : {1u, 2u, 9u, 40u})
      for (std::uint32_t rows : {0u, 1u, 3u, 40u})
        for (Form form : {Form::Tight, Form::Literal}) {
          PlanRequest request;
          request.numSteps = T;
          request.remoteRows = rows;
          request.fixed.form = form;
          request.budgetBytes = 1000;
          const StrategyPlan row = planStrategy(strategy, request, memory);
          EXPECT_EQ(row.fits, row.smallestBudget.has_value()) << describe(row.choice);
          if (!row.smallestBudget)
            continue;
          request.budgetBytes = *row.smallestBudget;
          const StrategyPlan smallest = planStrategy(strategy, request, memory);
          EXPECT_TRUE(smallest.fits);
          EXPECT_LE(smallest.counts.remoteWrites, strategy == Strategy::Optimal ? T * T : rows);
          ASSERT_TRUE(!smallest.largestSteps || *smallest.largestSteps >= T)
              << describe(smallest.choice) << " T=" << T << " rows=" << rows;
          --request.budgetBytes;
          EXPECT_FALSE(planStrategy(strategy, request, memory).fits)
              << describe(smallest.choice) << " T=" << T << " rows=" << rows;
        }
}

// A host holds a batch in transfer several times over: one checkpoint at a time is a batch too.
TEST(PlannerInStates, IsNeverSlowerInBatchesThanWithoutThemOnAHost) {
  MachineBytes machine;
  machine.tiles.resize(1);
  machine.tiles[0].stateBytes = 100;
  machine.tiles[0].spikeBytesPerStep = machine.tiles[0].spilledBytesPerStep = 3;
  machine.stagesAllTransfers = machine.stagesOnHost = true;
  const MemoryModel memory(machine);
  for (Step T : {50u, 1000u, 20000u})
    for (std::uint64_t states : {10u, 20u, 300u, 4000u})
      for (double latency : {0.0, 2.0, 50.0}) {
        PlanRequest request;
        request.numSteps = T;
        request.limit = MemoryModel::Limit::Total;
        request.budgetBytes = 3 * (T + 1) + 100 * states;
        request.costs.light = 0.5;
        request.costs.writePerState = request.costs.readPerState = 0.1;
        request.costs.writeLatency = request.costs.readLatency = latency;
        const auto rowOf = [&](Strategy strategy) {
          return planStrategy(strategy, request, memory, PlanDetail::Times);
        };
        const StrategyPlan remote = rowOf(Strategy::Remote),
                           batches = rowOf(Strategy::Hierarchical);
        ASSERT_TRUE(remote.fits && batches.fits) << "T=" << T << " states=" << states;
        EXPECT_LE(batches.time.total, remote.time.total * (1 + 1e-9))
            << describe(batches.choice) << " against " << describe(remote.choice) << " T=" << T
            << " states=" << states << " latency=" << latency;
      }
}

TEST(PlannerInStates, SaysWhatWouldFitOfTheOnlyStrategyAskedFor) {
  PlanRequest request;
  request.numSteps = 10;
  request.budgetBytes = 2;
  for (PlanDetail detail : {PlanDetail::Lengths, PlanDetail::Limits}) {
    const Plan plan = planOnly(Strategy::Base, request, statesOnly(), detail);
    EXPECT_FALSE(plan.chosen);
    EXPECT_EQ(plan.reason, "the only strategy asked for does not fit: the smallest budget for 10 "
                           "steps is 10, the largest number of steps for this one 2");
  }
  request.budgetBytes = 10;
  EXPECT_EQ(planOnly(Strategy::Base, request, statesOnly()).reason, "the only strategy asked for");
}

// Batches share a latency, with which hierarchical may be faster.
TEST(PlannerInStates, CallsOptimalExactForTransfersOfOneState) {
  PlanRequest request;
  request.numSteps = 40;
  request.budgetBytes = 5;
  const std::string text = certificateOf(planStrategy(Strategy::Optimal, request, statesOnly()));
  EXPECT_NE(text.find("is exact, no schedule in its slots and rows that transfers one state at a "
                      "time is faster"),
            std::string::npos)
      << text;
}

// One slot for a chain this long takes 134 million light steps, which blocks of 16 steps would cut
// into as many pieces as half a gigabyte holds.
TEST(PlannerInStates, MakesNoListOfActionsMuchLongerThanTheChain) {
  MachineBytes machine;
  machine.tiles.resize(1);
  machine.tiles[0].stateBytes = 1000;
  machine.tiles[0].spikeBytesPerStep = 1;
  PlanRequest request;
  request.numSteps = 16384;
  request.spillSpikes = true;
  request.budgetBytes = 1999;
  for (Strategy strategy : {Strategy::Revolve, Strategy::Optimal}) {
    const StrategyPlan row = planStrategy(strategy, request, MemoryModel(machine));
    EXPECT_LT(row.numActions, 6 * 16384u + 65536u) << describe(row.choice);
  }
}

} // namespace
} // namespace spillway::plan
