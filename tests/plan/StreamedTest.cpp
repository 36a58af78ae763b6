#include "plan/Streamed.hpp"

#include "plan/Binomial.hpp"
#include "plan/Optimal.hpp"
#include "plan/Simulator.hpp"
#include "plan/TimeModel.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace spillway::plan {
namespace {

Costs costsOf(double light, double write, double read) {
  Costs costs;
  costs.light = light;
  costs.writePerState = write;
  costs.readPerState = read;
  return costs;
}

// The best layout by trying them all.
double bestOfAllLayouts(Step T, std::uint32_t c, const Costs& costs, std::size_t capacity) {
  double best = streamedTime({T, {}, 0}, c, costs);
  StreamedLayout layout;
  const std::function<void(Step)> extend = [&](Step left) {
    if (!layout.gaps.empty()) {
      layout.last = left;
      best = std::min(best, streamedTime(layout, c, costs));
    }
    if (layout.gaps.size() == capacity)
      return;
    for (Step gap = 1; gap <= left; ++gap) {
      layout.gaps.push_back(gap);
      extend(left - gap);
      layout.gaps.pop_back();
    }
  };
  for (layout.first = 1; layout.first < T; ++layout.first)
    extend(T - layout.first);
  return best;
}

const Costs kCostVectors[] = {costsOf(0.3, 0.5, 0.5), costsOf(0.1, 4.0, 4.0),
                              costsOf(1.0, 2.0, 3.0), costsOf(0.3, 0.0, 0.0),
                              costsOf(0.5, 5.0, 0.5), costsOf(0.2, 1.0, 9.0)};

TEST(Streamed, IsTheBestOfItsLayouts) {
  for (const Costs& costs : kCostVectors)
    for (Step T = 1; T <= 11; ++T)
      for (std::uint32_t c = 1; c <= 4; ++c) {
        const StreamedSchedule found = streamed(T, c, costs);
        ASSERT_NEAR(found.time, bestOfAllLayouts(T, c, costs, T), 1e-9)
            << "T=" << T << " c=" << c << " r=" << costs.light << " w=" << costs.write();
        ASSERT_GE(found.time, found.lowerBound - 1e-9);
      }
}

TEST(Streamed, IsTheBestOfItsLayoutsWithFewRows) {
  for (const Costs& costs : kCostVectors)
    for (Step T = 1; T <= 10; ++T)
      for (std::uint32_t c = 1; c <= 3; ++c)
        for (std::uint32_t capacity = 0; capacity <= 4; ++capacity) {
          const StreamedSchedule found = streamed(T, c, costs, capacity);
          ASSERT_NEAR(found.time, bestOfAllLayouts(T, c, costs, capacity), 1e-9)
              << "T=" << T << " c=" << c << " rows=" << capacity << " w=" << costs.write();
          ASSERT_LE(found.schedule.numRows, capacity);
        }
}

TEST(Streamed, TakesTheTimeItSaysInTheReplay) {
  for (const Costs& costs : kCostVectors)
    for (Step T : {1u, 2u, 9u, 64u, 97u, 300u})
      for (std::uint32_t c : {1u, 2u, 3u, 8u}) {
        const StreamedSchedule found = streamed(T, c, costs);
        ASSERT_NEAR(timeOf(found.schedule, costs).total, found.time, 1e-6)
            << "T=" << T << " c=" << c;
        ASSERT_LE(simulate(found.schedule).slotsUsed, c);
      }
}

TEST(Streamed, ReproducesKnownOverheadsAtFourThousandSteps) {
  const auto overheadPercent = [](std::uint32_t c, double r, double tau) {
    return 100.0 * (streamed(4096, c, costsOf(r, tau, tau)).time / (4096 * 3.0) - 1.0);
  };
  EXPECT_NEAR(overheadPercent(8, 0.1, 4), 2.50, 0.005);
  EXPECT_NEAR(overheadPercent(8, 0.1, 16), 4.77, 0.005);
  EXPECT_NEAR(overheadPercent(8, 0.1, 50), 6.93, 0.005);
  EXPECT_NEAR(overheadPercent(16, 0.1, 16), 3.11, 0.005);
  EXPECT_NEAR(overheadPercent(32, 0.1, 50), 4.28, 0.005);
  EXPECT_NEAR(overheadPercent(16, 0.3, 16), 9.34, 0.005);
  EXPECT_NEAR(overheadPercent(32, 0.3, 50), 12.8, 0.05);
  const StreamedSchedule wide = streamed(4096, 64, costsOf(0.1, 16, 16));
  EXPECT_NEAR(100.0 * (wide.time / (4096 * 3.0) - 1.0), 3.08, 0.005);
  EXPECT_NEAR(100.0 * (wide.lowerBound / (4096 * 3.0) - 1.0), 2.96, 0.005);
}

TEST(Streamed, RecomputesNothingWhenTransfersAreFree) {
  for (Step T : {5u, 40u, 333u})
    EXPECT_EQ(simulate(streamed(T, 2, costsOf(0.3, 0.0, 0.0)).schedule).lightSteps, 0u);
}

TEST(Streamed, IsNoSlowerThanTheSynchronousOptimum) {
  for (const Costs& costs : kCostVectors)
    for (Step T : {30u, 97u, 400u})
      for (std::uint32_t c : {2u, 3u, 8u, 20u})
        EXPECT_LE(streamed(T, c, costs).time, optimal(T, c, costs).time + 1e-6)
            << "T=" << T << " c=" << c << " r=" << costs.light << " w=" << costs.write();
}

TEST(Streamed, PlansAHundredThousandSteps) {
  const Costs costs = costsOf(0.1, 16, 16);
  const StreamedSchedule found = streamed(100000, 16, costs);
  EXPECT_NEAR(timeOf(found.schedule, costs).total, found.time, 1e-3);
  EXPECT_LT(found.time / found.lowerBound, 1.005);
  simulate(found.schedule);
}

} // namespace
} // namespace spillway::plan
