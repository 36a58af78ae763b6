#include "plan/Planner.hpp"

#include "PaperNetwork.hpp"
#include "plan/LargestThatFits.hpp"
#include "plan/OurLayout.hpp"
#include "plan/PaperLayout.hpp"
#include "plan/Simulator.hpp"
#include "plan/StepCosts.hpp"
#include "plan/TimeModel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

class Planner : public testing::Test {
protected:
  static OurLayout layoutFor(std::uint32_t batch) {
    OurLayout layout;
    layout.batch = batch;
    layout.samplesPerGroup = 1;
    return layout;
  }

  // The paper's machine and network, lists filled to a tenth of their 5 % caps: light steps then
  // cost a tenth of a full one, as the paper says.
  PlanRequest requestFor(Step numSteps) const {
    PlanRequest request;
    request.numSteps = numSteps;
    request.budgetBytes = kTileBytes;
    request.costs =
        modelledCosts(network_, paperPartition(), kPaperBatch, 2, activityAt(network_, 0.1),
                      CodeletCosts::paper(), {}, memory_.stateBytes(), LightExchange::Fused);
    const MachineSpeed speed;
    request.spikePerStep = static_cast<double>(memory_.spikeBytesPerStep()) /
                           speed.streamingBytesPerSecond * speed.clockHz;
    request.spikeLatency = speed.streamingLatencyCycles;
    return request;
  }

  static double overBase(const PlanRequest& request, const TimeSplit& time) {
    return time.total / (request.numSteps * (request.costs.forward + request.costs.backward));
  }

  NetworkSpec network_ = paperNetwork();
  MemoryModel memory_{ourBytes(network_, {}, paperPartition(), layoutFor(kPaperBatch))};
};

TEST_F(Planner, TakesBaseWhereEveryStateFits) {
  const Plan plan = planAll(requestFor(100), memory_);
  ASSERT_TRUE(plan.chosen);
  EXPECT_EQ(plan.table[*plan.chosen].choice.strategy, Strategy::Base);
  EXPECT_THAT(plan.reason, testing::HasSubstr("every state is stored"));
  EXPECT_THAT(plan.reason, testing::Not(testing::HasSubstr("over storing every state")));
}

TEST_F(Planner, ComparesWithBaseAsItRuns) {
  PlanRequest request = requestFor(4096);
  request.costs.perAction = 1e5;
  request.fixed.chunk = 64;
  const Plan plan = planAll(request, memory_);
  ASSERT_TRUE(plan.chosen);
  const StrategyPlan& best = plan.table[*plan.chosen];
  const StrategyPlan& base = plan.table.front();
  ASSERT_EQ(base.choice.strategy, Strategy::Base);
  ASSERT_FALSE(base.fits);
  EXPECT_DOUBLE_EQ(timeOfBase(request), base.time.total);
  char over[64];
  std::snprintf(over, sizeof over, " %+.1f %% over storing every state",
                100.0 * (best.time.total / base.time.total - 1.0));
  EXPECT_THAT(plan.reason, testing::HasSubstr(over));
}

TEST_F(Planner, PlansFourThousandStepsWithinTenPercentOfBase) {
  const PlanRequest request = requestFor(4096);
  const StrategyPlan row = planStrategy(Strategy::Double, request, memory_);
  EXPECT_TRUE(row.fits);
  EXPECT_LT(overBase(request, row.time), 1.10);
  const Plan plan = planAll(request, memory_);
  ASSERT_TRUE(plan.chosen);
  EXPECT_LE(plan.table[*plan.chosen].time.total, row.time.total);
}

// Beyond what the spike history allows on chip; a hundred thousand steps take the same path.
TEST_F(Planner, FitsAnyNumberOfStepsBySpillingSpikes) {
  PlanRequest request = requestFor(60000);
  EXPECT_FALSE(planStrategy(Strategy::Remote, request, memory_).fits);
  request.spillSpikes = true;
  for (Strategy strategy : {Strategy::Remote, Strategy::Hierarchical, Strategy::Optimal}) {
    const StrategyPlan row = planStrategy(strategy, request, memory_);
    EXPECT_TRUE(row.fits) << describe(row.choice);
    EXPECT_LT(overBase(request, row.time), 1.15) << describe(row.choice);
    EXPECT_LE(row.memory.largest.total(), kTileBytes);
    EXPECT_FALSE(row.largestSteps);
  }
}

TEST_F(Planner, NeverTakesMoreThanTheBudgetNorAnUnboundSchedule) {
  for (Step T : {1u, 50u, 1500u})
    for (std::uint64_t budget : {0ull, 120000ull, 300000ull, 3000000ull})
      for (bool spill : {false, true}) {
        PlanRequest request = requestFor(T);
        request.budgetBytes = budget;
        request.spillSpikes = spill;
        request.overlap = request.surrogateCache = true;
        const Plan plan = planAll(request, memory_);
        for (const StrategyPlan& row : plan.table) {
          const Schedule schedule = scheduleOf(row, request);
          EXPECT_EQ(simulate(schedule), row.counts);
          EXPECT_EQ(row.fits, row.memory.largest.total() <= budget)
              << describe(row.choice) << " T=" << T << " budget=" << budget;
          EXPECT_GE(row.time.total, row.lowerBound * (1 - 1e-9)) << describe(row.choice);
          if (row.largestSteps && row.fits) {
            EXPECT_GE(*row.largestSteps, T) << describe(row.choice);
          }
        }
        if (!plan.chosen) {
          ASSERT_TRUE(plan.smallestBudget);
          EXPECT_GT(*plan.smallestBudget, budget);
          EXPECT_THAT(plan.reason, testing::HasSubstr("nothing fits"));
          request.budgetBytes = *plan.smallestBudget;
          EXPECT_TRUE(planAll(request, memory_).chosen) << "T=" << T << " spill=" << spill;
          --request.budgetBytes;
          EXPECT_FALSE(planAll(request, memory_).chosen) << "T=" << T << " spill=" << spill;
        }
      }
}

TEST_F(Planner, IsNeverSlowerThanAnyOfThePapersStrategiesInTheSameBytes) {
  struct Case {
    Step T;
    std::uint64_t budget;
    bool actionsCost; // where all parameters are tried; else the grid may miss an action or two
  };
  for (const auto& [T, budget, actionsCost] :
       {Case{200, kTileBytes, true}, Case{200, 300000, true}, Case{200, 220000, true},
        Case{250, 250000, true}, Case{500, kTileBytes, false}, Case{500, 300000, false},
        Case{1200, kTileBytes, false}, Case{1200, 350000, false}}) {
    PlanRequest request = requestFor(T);
    request.budgetBytes = budget;
    request.costs.perAction = actionsCost ? 5000.0 : 0.0;
    const Plan plan = planAll(request, memory_);
    ASSERT_TRUE(plan.chosen) << "T=" << T << " budget=" << budget;
    const double best = plan.table[*plan.chosen].time.total;
    for (Step K = 1; K <= T; K = K * 5 / 4 + 1)
      for (Step k = 1; k <= K; k = k * 4 / 3 + 1)
        for (const Schedule& schedule :
             {standard(T, k), remote(T, k), hierarchical(T, k, K), doubleCheckpointing(T, K, k)}) {
          if (memory_.fits(demandOf(schedule), request.budgetBytes, request.limit)) {
            EXPECT_LE(best, timeOf(schedule, request.costs).total * (1 + 1e-9))
                << "T=" << T << " K=" << K << " k=" << k;
          }
        }
  }
}

TEST_F(Planner, SpillsSpikesWhereTheRoomMakesItFaster) {
  PlanRequest request = requestFor(5000);
  const StrategyPlan onChip = planStrategy(Strategy::Revolve, request, memory_);
  request.budgetBytes = onChip.memory.largest.total() * 6 / 10; // the history fits, with few slots
  const StrategyPlan tight = planStrategy(Strategy::Revolve, request, memory_);
  ASSERT_TRUE(tight.fits);
  ASSERT_EQ(tight.choice.spikeBlock, 0u);
  request.spillSpikes = true;
  const StrategyPlan spilled = planStrategy(Strategy::Revolve, request, memory_);
  EXPECT_TRUE(spilled.fits);
  EXPECT_LE(spilled.time.total, tight.time.total);
}

// Batches of states share a latency, which one-state transfers pay each.
TEST_F(Planner, BoundsBatchedTransfersFromBelow) {
  MachineBytes states;
  states.tiles.resize(1);
  states.tiles[0].stateBytes = 1;
  PlanRequest request;
  request.numSteps = 52;
  request.budgetBytes = 6;
  request.costs.forward = request.costs.light = 2.5;
  request.costs.backward = 3.0;
  request.costs.writeLatency = 0.5;
  request.costs.readPerState = 0.1;
  const StrategyPlan row =
      planStrategy(Strategy::Hierarchical, request, MemoryModel(states), PlanDetail::Times);
  EXPECT_LE(row.lowerBound, row.time.total);
}

TEST_F(Planner, PlansOverlapOnTheMachineThatHasIoTiles) {
  NetworkSpec network = network_;
  for (LayerSpec& layer : network.layers)
    layer.size = 600;
  MachineShape shape;
  shape.numIoTiles = 32;
  const OurLayout layout = layoutFor(kPaperBatch);
  const MemoryModel plain(ourBytes(network, {}, partitionForIpu(network, {}, 2), layout));
  PlanRequest request = requestFor(4096);
  request.overlap = true;
  request.beside =
      PlanRequest::Beside{request.costs,
                          std::make_shared<MemoryModel>(
                              ourBytes(network, {}, partitionForIpu(network, shape, 2), layout)),
                          32};
  request.beside->costs.forward *= 1.5;
  request.beside->costs.stageOut = request.beside->costs.stageIn = 1000.0;
  const StrategyPlan row = planStrategy(Strategy::Streamed, request, plain);
  ASSERT_TRUE(row.fits);
  ASSERT_GT(row.counts.remoteWrites, 0u);
  EXPECT_DOUBLE_EQ(row.time.forward, 4096 * 1.5 * request.costs.forward);
  EXPECT_GT(row.time.sync, 2000.0 * static_cast<double>(row.counts.remoteWrites));
  const Schedule schedule = scheduleOf(row, request);
  EXPECT_EQ(&memoryFor(schedule, request, plain), request.beside->memory.get());
  EXPECT_EQ(simulate(schedule), row.counts);
}

TEST_F(Planner, PlansOverlapWithoutTransfersOnThePlainMachine) {
  PlanRequest request = requestFor(100); // every state fits
  request.overlap = true;
  request.beside =
      PlanRequest::Beside{request.costs, std::make_shared<MemoryModel>(memory_.machine()), 32};
  request.beside->costs.forward *= 1.5;
  const StrategyPlan row = planStrategy(Strategy::Streamed, request, memory_);
  ASSERT_TRUE(row.fits);
  ASSERT_EQ(row.counts.remoteWrites, 0u);
  EXPECT_DOUBLE_EQ(row.time.forward, 100 * request.costs.forward);
  EXPECT_LE(row.lowerBound, row.time.total);
}

TEST_F(Planner, TakesBlocksOfSpikesThatStayInAHostsCache) {
  PlanRequest request = requestFor(20000);
  request.limit = MemoryModel::Limit::Total;
  request.budgetBytes = 2ull << 30;
  request.surrogateCache = request.spillSpikes = true;
  const auto block = [&] {
    return planStrategy(Strategy::Cached, request, memory_, PlanDetail::Times).choice.spikeBlock;
  };
  const Step anyBlock = block();
  ASSERT_GT(anyBlock, 256u);
  const std::uint64_t perStep = memory_.spilledBytesPerStep() + memory_.cacheBytesPerStep();
  request.hostCache = PlanRequest::HostCache{257 * perStep, 1.0};
  EXPECT_EQ(block(), 256u);
  request.hostCache->missPerByte = 0.0;
  EXPECT_EQ(block(), anyBlock);
}

TEST_F(Planner, SaysTheLargestNumberOfStepsExactly) {
  for (Strategy strategy : kAllStrategies)
    for (const bool spill : {false, true})
      for (const std::uint64_t budget : {170000ull, 178000ull, 200000ull, 300000ull}) {
        PlanRequest request = requestFor(10);
        request.budgetBytes = budget;
        request.spillSpikes = spill;
        const auto fits = [&](Step numSteps) {
          request.numSteps = numSteps;
          return planStrategy(strategy, request, memory_, PlanDetail::Times).fits;
        };
        const auto longest =
            planStrategy(strategy, request, memory_, PlanDetail::Lengths).largestSteps;
        if (!longest) {
          EXPECT_TRUE(fits(10000)) << nameOf(strategy) << " in " << budget;
          continue;
        }
        EXPECT_TRUE(*longest == 0 || fits(*longest)) << nameOf(strategy) << " in " << budget;
        EXPECT_FALSE(fits(*longest + 1)) << nameOf(strategy) << " in " << budget;
      }
}

TEST_F(Planner, SaysTheLargestNumberOfStepsOfBlocksThatAShortChainDoesNotFill) {
  PlanRequest request = requestFor(10);
  request.budgetBytes = 300000;
  request.askedSpikeBlock = 64;
  request.askedSpikeBuffers = 4;
  for (Strategy strategy : {Strategy::Base, Strategy::Standard, Strategy::Double}) {
    const auto longestFor = [&](Step numSteps) {
      return planStrategy(strategy, withSteps(request, numSteps), memory_, PlanDetail::Lengths)
          .largestSteps;
    };
    EXPECT_EQ(longestFor(10), longestFor(100)) << nameOf(strategy);
  }
}

// With the paper's layout the limits come out in the paper's order and size.
TEST_F(Planner, ReproducesTheOrderOfThePapersLimits) {
  const MemoryModel paper(paperBytes(network_, {}, paperPartition(), kPaperBatch));
  const auto longest = [&](Strategy strategy) {
    return planStrategy(strategy, requestFor(10), paper).largestSteps.value();
  };
  EXPECT_NEAR(longest(Strategy::Base), 400.0, 40.0);
  EXPECT_GT(longest(Strategy::Standard), 2000u);
  EXPECT_GT(longest(Strategy::Double), 4000u);
  EXPECT_GT(longest(Strategy::Remote), longest(Strategy::Standard));
}

TEST_F(Planner, KeepsFixedParameters) {
  PlanRequest request = requestFor(1000);
  request.fixed.chunk = 16;
  request.fixed.remoteChunk = 128;
  request.fixed.form = Form::Literal;
  const StrategyPlan row = planStrategy(Strategy::Double, request, memory_);
  EXPECT_EQ(row.choice.chunk, 16u);
  EXPECT_EQ(row.choice.remoteChunk, 128u);
  EXPECT_EQ(row.counts.lightSteps, 2000u);
}

TEST_F(Planner, LimitsTheWholeMachineOnACpu) {
  const TilePartition partition = partitionForCpu(network_);
  OurLayout layout = layoutFor(16);
  layout.history = OurLayout::History::WithGroups;
  const MemoryModel memory(ourBytes(network_, {}, partition, layout));
  PlanRequest request = requestFor(1000);
  request.limit = MemoryModel::Limit::Total;
  request.budgetBytes = 80'000'000;
  const Plan plan = planAll(request, memory);
  ASSERT_TRUE(plan.chosen) << plan.reason;
  EXPECT_LE(plan.table[*plan.chosen].memory.totalBytes, request.budgetBytes);
}

TEST_F(Planner, TakesTheSurrogateCacheWhereItIsExactAndFits) {
  EXPECT_TRUE(surrogateCacheIsExact(network_));
  PlanRequest request = requestFor(2000);
  request.surrogateCache = true;
  const Plan plan = planAll(request, memory_);
  ASSERT_TRUE(plan.chosen);
  const StrategyPlan& row = plan.table[*plan.chosen];
  EXPECT_EQ(row.choice.strategy, Strategy::Cached);
  EXPECT_EQ(row.counts.lightSteps, 0u);
  EXPECT_GT(row.largestSteps.value(), 3000u);
  EXPECT_TRUE(row.demand.surrogateCache);
  const auto isExactWith = [&](const auto& change) {
    NetworkSpec network = network_;
    change(network);
    return surrogateCacheIsExact(network);
  };
  EXPECT_TRUE(isExactWith([](NetworkSpec& n) { n.layers[0].neuron = NeuronKind::Alif; }));
  EXPECT_FALSE(
      isExactWith([](NetworkSpec& n) { n.layers[0].resetGradient = ResetGradient::Gate; }));
  EXPECT_FALSE(
      isExactWith([](NetworkSpec& n) { n.layers[0].gradientTheta = LayerSpec().gradientTheta; }));
  EXPECT_FALSE(isExactWith([](NetworkSpec& n) {
    n.readout.kind = ReadoutKind::LeakyIntegrator;
    n.readout.reduction = ReadoutReduction::PerStep;
  }));
}

TEST_F(Planner, ChargesCachingToTheStrategyThatCaches) {
  PlanRequest request = requestFor(300);
  request.surrogateCache = true;
  const auto timeWith = [&](Strategy strategy) {
    return planStrategy(strategy, request, memory_, PlanDetail::Times).time;
  };
  const TimeSplit free = timeWith(Strategy::Cached), base = timeWith(Strategy::Base);
  request.cacheForward = 100.0;
  request.cacheBackward = 50.0;
  EXPECT_DOUBLE_EQ(timeWith(Strategy::Cached).forward, free.forward + 300 * 100.0);
  EXPECT_DOUBLE_EQ(timeWith(Strategy::Cached).backward, free.backward + 300 * 50.0);
  EXPECT_EQ(timeWith(Strategy::Base).total, base.total);
}

TEST_F(Planner, SpillsTheSurrogateCacheWithItsSpikes) {
  PlanRequest request = requestFor(20000);
  request.surrogateCache = request.spillSpikes = true;
  request.cachePerStep = request.spikePerStep * static_cast<double>(memory_.cacheBytesPerStep()) /
                         static_cast<double>(memory_.spikeBytesPerStep());
  const StrategyPlan row = planStrategy(Strategy::Cached, request, memory_);
  EXPECT_TRUE(row.fits);
  EXPECT_EQ(row.counts.spikeReads, row.counts.spikeWrites);
  EXPECT_GT(row.time.transfer, 0.0);
  EXPECT_LT(overBase(request, row.time), 1.20);
  EXPECT_LE(row.memory.largest.total(), kTileBytes);
}

// The steps that an answer names fit, and one more does not.
TEST_F(Planner, SaysTheMostStepsForABudgetThatIsTooSmall) {
  for (const bool spill : {false, true}) {
    PlanRequest request = requestFor(3000);
    request.spillSpikes = spill;
    request.budgetBytes = planAll(requestFor(40), memory_).smallestBudget.value();
    const Plan plan = planAll(request, memory_);
    ASSERT_FALSE(plan.chosen);
    ASSERT_TRUE(plan.largestSteps);
    EXPECT_THAT(plan.reason, testing::HasSubstr(std::to_string(*plan.largestSteps)));
    request.numSteps = *plan.largestSteps;
    EXPECT_TRUE(planAll(request, memory_).chosen) << request.numSteps;
    ++request.numSteps;
    EXPECT_FALSE(planAll(request, memory_).chosen) << request.numSteps;
  }
}

TEST(LargestThatFits, FindsTheEdge) {
  for (std::uint32_t edge : {0u, 1u, 7u, 100u})
    EXPECT_EQ(largestThatFits(100, [&](std::uint32_t n) { return n <= edge; }), edge);
}

TEST(LargestThatFits, FindsTheEdgeFromAnyGuess) {
  for (std::uint32_t edge : {0u, 1u, 7u, 63u, 100u})
    for (std::uint32_t guess = 0; guess <= 100; ++guess)
      EXPECT_EQ(largestNear(guess, 100, [&](std::uint32_t n) { return n <= edge; }), edge) << guess;
}

} // namespace
} // namespace spillway::plan
