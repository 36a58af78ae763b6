#include "plan/Crossover.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace spillway::plan {
namespace {

Costs costsOf(double light, double transfer) {
  Costs costs;
  costs.light = light;
  costs.writePerState = costs.readPerState = transfer;
  return costs;
}

double timeFor(Strategy strategy, std::uint32_t slots, const Costs& costs) {
  const auto ranking = rankWithSlots(4096, slots, costs, Overlap::Yes);
  const auto found = std::find_if(ranking.begin(), ranking.end(), [&](const StrategyTime& entry) {
    return entry.choice.strategy == strategy;
  });
  return found->time;
}

// On chip binomial beats double as soon as a transfer costs a few steps: about 4 at r = 0.1 f.
TEST(Crossover, OnChipBinomialOvertakesDoubleAsTransfersGetDear) {
  EXPECT_LT(timeFor(Strategy::Double, 16, costsOf(0.1, 1)),
            timeFor(Strategy::Revolve, 16, costsOf(0.1, 1)));
  EXPECT_GT(timeFor(Strategy::Double, 32, costsOf(0.1, 16)),
            timeFor(Strategy::Revolve, 32, costsOf(0.1, 16)));
  EXPECT_GT(timeFor(Strategy::Double, 16, costsOf(0.3, 50)),
            timeFor(Strategy::Revolve, 16, costsOf(0.3, 50)));
}

TEST(Crossover, OptimalIsFirstWithoutOverlapAndStreamedWithIt) {
  for (double light : {0.1, 0.3, 1.0})
    for (double transfer : {1.0, 4.0, 16.0}) {
      const auto plain = rankWithSlots(512, 9, costsOf(light, transfer), Overlap::No);
      for (const StrategyTime& entry : plain)
        if (entry.choice.strategy == Strategy::Optimal) {
          EXPECT_LE(entry.time, plain.front().time * (1 + 1e-9));
        }
      EXPECT_EQ(
          rankWithSlots(512, 9, costsOf(light, transfer), Overlap::Yes).front().choice.strategy,
          Strategy::Streamed);
    }
}

TEST(Crossover, MapHasACellForEachCombination) {
  const auto cells = crossoverMap(128, {4, 8, 200}, {0.1, 0.3}, {1.0, 10.0}, 2.0, Overlap::No);
  ASSERT_EQ(cells.size(), 12u);
  EXPECT_EQ(cells.back().fastest.choice.strategy, Strategy::Base);
}

} // namespace
} // namespace spillway::plan
