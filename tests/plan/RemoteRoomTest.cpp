// A limited Streaming Memory: everything that is spilled counts.
#include "plan/RemoteRoom.hpp"

#include "plan/Planner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace spillway::plan {
namespace {

// A tile whose states take 100 bytes and whose steps make 10 bytes of spikes, 4 of them inputs.
MemoryModel tile(std::uint32_t bytesPerAction = 0) {
  MachineBytes machine;
  machine.tiles.resize(1);
  TileBytes& only = machine.tiles[0];
  only.stateBytes = 100;
  only.spikeBytesPerStep = only.spilledBytesPerStep = 10;
  only.inputBytesPerStep = only.spilledInputBytesPerStep = 4;
  only.cacheBytesPerStep = 8;
  machine.bytesPerAction = bytesPerAction;
  return MemoryModel(machine);
}

PlanRequest requestFor(Step numSteps, std::uint64_t budgetBytes) {
  PlanRequest request;
  request.numSteps = numSteps;
  request.budgetBytes = budgetBytes;
  request.costs.writePerState = request.costs.readPerState = 0.5;
  request.spikePerStep = 0.01;
  request.spillSpikes = request.surrogateCache = true;
  return request;
}

TEST(RemoteRoom, CountsStatesSpikesValuesAndTheTableOfActions) {
  MemoryDemand demand;
  demand.numSteps = 100;
  demand.numRows = 3;
  EXPECT_EQ(tile().remote(demand).total(), 400u) << "and the row for what a transfer leaves";
  demand.numRows = 0;
  demand.numSpikeBuffers = 2;
  demand.numSpikeSteps = 2 * 17; // 7 blocks of 16 steps
  EXPECT_EQ(tile().remote(demand).spikes, 7u * (17 * 6 + 16 * 4));
  EXPECT_EQ(tile().remote(demand).values, 0u);
  demand.surrogateCache = true;
  EXPECT_EQ(tile().remote(demand).values, 7u * 17 * 8);
  demand.numActions = 256;
  EXPECT_EQ(tile(36).remote(demand).table, 0u);
  demand.numActions = 257; // two pages, and one of evaluation
  EXPECT_EQ(tile(36).remote(demand).table, 3u * 256 * 36);
}

TEST(RemoteRoom, LeavesStatesWhatASpilledHistoryDoesNotTake) {
  MemoryDemand demand;
  demand.numSteps = 100;
  demand.numSpikeBuffers = 2;
  demand.numSpikeSteps = 2 * 17; // 1,162 bytes, the room of 12 states
  PlanRequest request = requestFor(100, 1000);
  EXPECT_FALSE(roomFor(demand, request, tile()).rows) << "no limit";
  request.remoteRows = 15;
  EXPECT_EQ(roomFor(demand, request, tile()).rows, 3u);
  request.remoteRows = 11;
  EXPECT_FALSE(roomFor(demand, request, tile()).holdsTheRest);
  request.remoteRows.reset();
  request.remoteBytes = 1162 + 400;
  EXPECT_EQ(roomFor(demand, request, tile()).rows, 3u) << "and a spare one";
  request.remoteBytes = 1162 + 199;
  EXPECT_EQ(roomFor(demand, request, tile()).rows, 0u);
  EXPECT_TRUE(roomFor(demand, request, tile()).holdsTheRest);
  request.remoteBytes = 1161;
  EXPECT_FALSE(roomFor(demand, request, tile()).holdsTheRest);
}

// Whatever is limited, a plan that fits keeps to it, and one that does not names what is enough.
TEST(RemoteRoom, IsKeptByEveryPlanAndTheLeastThatIsNamedIsEnough) {
  std::mt19937 random(11);
  const auto upTo = [&](std::uint64_t most) { return random() % most + 1; };
  unsigned numNamed = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const MemoryModel memory = tile(trial % 2 == 0 ? 0 : 36);
    const auto T = static_cast<Step>(upTo(120));
    PlanRequest request = requestFor(T, 400 + upTo(1500));
    request.remoteBytes = upTo(trial % 5 == 0 ? 40 * T : 12 * T);
    request.costs.light = trial % 2 == 0 ? 0.2 : 1.0;
    for (Strategy strategy : kAllStrategies) {
      if (!isAllowed(strategy, request))
        continue;
      const StrategyPlan row = planStrategy(strategy, request, memory);
      SCOPED_TRACE(describe(row.choice) + " T=" + std::to_string(T) + " budget " +
                   std::to_string(request.budgetBytes) + " remote " +
                   std::to_string(*request.remoteBytes));
      EXPECT_EQ(scheduleOf(row, request).actions.size(), row.numActions);
      if (row.fits) {
        EXPECT_LE(row.remote.total(), *request.remoteBytes);
        EXPECT_FALSE(row.smallestRemote);
        continue;
      }
      if (!row.smallestRemote)
        continue;
      ++numNamed;
      PlanRequest enough = request;
      enough.remoteBytes = row.smallestRemote->bytes;
      EXPECT_TRUE(planStrategy(strategy, enough, memory).fits) << row.smallestRemote->bytes;
      ASSERT_GT(row.smallestRemote->bytes, 0u);
      enough.remoteBytes = row.smallestRemote->bytes - 1;
      EXPECT_FALSE(planStrategy(strategy, enough, memory).fits) << row.smallestRemote->bytes;
    }
  }
  EXPECT_GT(numNamed, 30u) << "the trials are too easy";
}

TEST(RemoteRoom, IsNamedWhereNothingFits) {
  PlanRequest request = requestFor(1000, 1500); // of the history nothing stays but a few blocks
  request.surrogateCache = false;
  ASSERT_TRUE(planAll(request, tile()).chosen);
  request.remoteBytes = 5000;
  const Plan plan = planAll(request, tile());
  ASSERT_FALSE(plan.chosen);
  ASSERT_TRUE(plan.smallestRemote);
  EXPECT_GT(plan.smallestRemote->bytes, 9000u) << "spikes of 1,000 steps";
  EXPECT_THAT(plan.reason,
              testing::HasSubstr("with this budget Streaming Memory would have to "
                                 "hold " +
                                 std::to_string(plan.smallestRemote->bytes) + " bytes"));
  request.remoteBytes.reset();
  request.remoteRows = 50;
  EXPECT_THAT(planAll(request, tile()).reason, testing::HasSubstr(" states"));
}

} // namespace
} // namespace spillway::plan
