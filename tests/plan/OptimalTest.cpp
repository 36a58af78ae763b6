#include "plan/Optimal.hpp"

#include "ExhaustiveSearch.hpp"
#include "plan/Binomial.hpp"
#include "plan/PaperStrategies.hpp"
#include "plan/Simulator.hpp"
#include "plan/TimeModel.hpp"

#include <gtest/gtest.h>

#include <chrono>
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

const Costs kCostVectors[] = {
    costsOf(0.3, 0.5, 0.5),  costsOf(0.1, 1.0, 1.0),  costsOf(1.0, 0.25, 0.25),
    costsOf(1.0, 2.0, 2.0),  costsOf(1.0, 0.0, 1.0),  costsOf(1.0, 1.0, 0.0),
    costsOf(0.5, 0.25, 3.0), costsOf(1.0, 6.0, 0.25), costsOf(0.0, 1.0, 1.0),
    costsOf(0.3, 0.0, 0.0),  costsOf(0.2, 0.7, 0.1)};

double searched(Step T, std::uint32_t c, const Costs& costs, unsigned capacity = 32) {
  return exhaustiveOptimum(
      {T, c, costs.forward, costs.light, costs.backward, costs.write(), costs.read(), capacity});
}

TEST(Optimal, EqualsExhaustiveSearch) {
  for (const Costs& costs : kCostVectors)
    for (Step T = 1; T <= 9; ++T)
      for (std::uint32_t c = 1; c <= 5; ++c) {
        const OptimalSchedule found = optimal(T, c, costs);
        const double best = searched(T, c, costs);
        ASSERT_NEAR(found.time, best, 1e-9) << "T=" << T << " c=" << c << " r=" << costs.light
                                            << " w=" << costs.write() << " rd=" << costs.read();
        ASSERT_NEAR(timeOf(found.schedule, costs).total, found.time, 1e-9);
        ASSERT_LE(simulate(found.schedule).slotsUsed, c);
        ASSERT_TRUE(found.isExact);
      }
}

TEST(Optimal, EqualsExhaustiveSearchWithFewRows) {
  for (const Costs& costs : kCostVectors)
    for (Step T = 1; T <= 9; ++T)
      for (std::uint32_t c = 1; c <= 3; ++c)
        for (std::uint32_t capacity = 0; capacity <= 3; ++capacity) {
          const OptimalSchedule found = optimal(T, c, costs, capacity);
          ASSERT_NEAR(found.time, searched(T, c, costs, capacity), 1e-9)
              << "T=" << T << " c=" << c << " rows=" << capacity << " r=" << costs.light
              << " w=" << costs.write() << " rd=" << costs.read();
          ASSERT_LE(found.schedule.numRows, capacity);
          ASSERT_NEAR(timeOf(found.schedule, costs).total, found.time, 1e-9);
          simulate(found.schedule);
        }
}

TEST(Optimal, EqualsExhaustiveSearchOnLongerChains) {
  for (const Costs& costs :
       {costsOf(0.1, 1.0, 1.0), costsOf(0.3, 0.5, 0.5), costsOf(1.0, 2.0, 2.0)})
    for (Step T = 10; T <= 13; ++T)
      for (std::uint32_t c = 2; c <= 3; ++c) {
        if (T <= 11) {
          EXPECT_NEAR(optimal(T, c, costs).time, searched(T, c, costs), 1e-9) << T << " " << c;
        }
        EXPECT_NEAR(optimal(T, c, costs, 2).time, searched(T, c, costs, 2), 1e-9) << T << " " << c;
      }
}

// Costs by an independent implementation of the same recurrences (base stored, as in DiskRevolve,
// is covered by the search above); here its published results in percent over Base at T = 4096.
TEST(Optimal, ReproducesKnownOverheadsAtFourThousandSteps) {
  const auto overheadPercent = [](std::uint32_t c, double r, double tau) {
    const OptimalSchedule found = optimal(4096, c, costsOf(r, tau, tau));
    EXPECT_NEAR(timeOf(found.schedule, costsOf(r, tau, tau)).total, found.time, 1e-6);
    EXPECT_LE(simulate(found.schedule).slotsUsed, c);
    return 100.0 * (found.time / (4096 * 3.0) - 1.0);
  };
  EXPECT_NEAR(overheadPercent(65, 0.1, 1), 3.73, 0.005);
  EXPECT_NEAR(overheadPercent(65, 0.1, 4), 4.82, 0.005);
  EXPECT_NEAR(overheadPercent(17, 0.1, 1), 6.55, 0.005);
  EXPECT_NEAR(overheadPercent(17, 0.1, 4), 7.51, 0.005);
  EXPECT_NEAR(overheadPercent(16, 0.1, 4), 7.71, 0.005);
  EXPECT_NEAR(overheadPercent(32, 0.1, 1), 5.02, 0.005);
  EXPECT_NEAR(overheadPercent(16, 0.3, 1), 13.4, 0.05);
  EXPECT_NEAR(overheadPercent(16, 0.3, 16), 24.6, 0.05);
  EXPECT_NEAR(overheadPercent(32, 0.3, 4), 16.9, 0.05);
}

TEST(Optimal, WithoutCheapTransfersIsRevolve) {
  for (Step T : {1u, 5u, 23u, 97u})
    for (std::uint32_t c : {1u, 2u, 3u, 9u}) {
      EXPECT_EQ(optimal(T, c, costsOf(0.3, 1e9, 1e9)).schedule, revolve(T, c));
      EXPECT_EQ(optimal(T, c, costsOf(0.3, 0.0, 0.0), 0).schedule, revolve(T, c));
    }
}

TEST(Optimal, RecomputesNothingWhenTransfersAreFree) {
  for (Step T : {3u, 23u, 97u})
    EXPECT_EQ(simulate(optimal(T, 2, costsOf(0.3, 0.0, 0.0)).schedule).lightSteps, 0u);
}

TEST(Optimal, BeatsEveryNamedStrategyInTheSameSlots) {
  for (const Costs& costs : kCostVectors)
    for (Step T : {7u, 30u, 41u})
      for (Step K = 1; K <= T; ++K)
        for (Step k = 1; k <= K; ++k)
          for (const Schedule& other :
               {doubleCheckpointing(T, K, k), hierarchical(T, k, K), remote(T, k)}) {
            const double best = optimal(T, other.numSlots, costs).time;
            ASSERT_LE(best, timeOf(other, costs).total + 1e-9)
                << "T=" << T << " K=" << K << " k=" << k;
          }
}

TEST(Optimal, IsMonotoneAndAboveItsLowerBound) {
  for (double r : {0.1, 1.0})
    for (Step T = 1; T < 60; T += 7)
      for (std::uint32_t c = 1; c < 12; ++c) {
        const Costs costs = costsOf(r, 2.0, 1.0);
        const OptimalSchedule here = optimal(T, c, costs);
        EXPECT_GE(here.time, here.lowerBound - 1e-9);
        EXPECT_LE(optimal(T, c + 1, costs).time, here.time + 1e-9);
        EXPECT_GE(optimal(T + 1, c, costs).time, here.time - 1e-9);
        EXPECT_GE(optimal(T, c, costsOf(r, 2.5, 1.0)).time, here.time - 1e-9);
        EXPECT_GE(optimal(T, c, costsOf(r, 2.0, 1.5)).time, here.time - 1e-9);
        EXPECT_GE(optimal(T, c, costsOf(1.1 * r, 2.0, 1.0)).time, here.time - 1e-9);
        EXPECT_GE(optimal(T, c, costs, 3).time, here.time - 1e-9);
        EXPECT_GE(optimal(T, c, costs, 2).time, optimal(T, c, costs, 3).time - 1e-9);
      }
}

// The limit on the length of a segment must not cost optimality: compare with the plain
// recurrences.
TEST(Optimal, EqualsThePlainRecurrencesAtMiddleSizes) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Costs& costs : kCostVectors)
    for (std::uint32_t c : {1u, 2u, 3u, 5u}) {
      const Step T = 160;
      const double r = costs.light;
      const auto P = [](Step n, std::uint32_t s) {
        return n == 0 ? 0.0 : s == 0 ? 1e30 : static_cast<double>(binomialSteps(n, s));
      };
      std::vector<double> E(T + 1), G(T + 1);
      double best = infinity;
      for (Step n = 0; n <= T; ++n) {
        E[n] = G[n] = r * P(n, c - 1);
        for (Step j = 1; j <= n; ++j) {
          E[n] = std::min(E[n], r * j + r * P(n - j, c - 1) + costs.read() + E[j - 1]);
          G[n] = std::min(G[n], costs.write() + r * j + G[n - j] + costs.read() + E[j - 1]);
        }
      }
      for (Step j = 1; j <= T; ++j)
        best = std::min(best, r * j + G[T - j] + r * P(j - 1, c));
      best += T * (costs.forward - r + costs.backward);
      ASSERT_NEAR(optimal(T, c, costs).time, best, 1e-6) << "c=" << c << " r=" << r;
    }
}

TEST(Optimal, PlansAHundredThousandStepsInTime) {
  const auto start = std::chrono::steady_clock::now();
  const Costs costs = costsOf(0.3, 4.0, 4.0);
  const OptimalSchedule found = optimal(100000, 16, costs);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_NEAR(timeOf(found.schedule, costs).total, found.time, 1e-3);
  EXPECT_LE(simulate(found.schedule).slotsUsed, 16u);
  EXPECT_LT(taken.count(), 10.0); // unoptimised builds included
}

// Across the length from which it is no longer exact.
TEST(Optimal, IsNotSlowerWithMoreRows) {
  const Costs costs = costsOf(0.2, 3.0, 3.0);
  for (const auto& [T, slots] : {std::pair{11000u, 4u}, {9000u, 2u}, {30000u, 2u}}) {
    double before = std::numeric_limits<double>::infinity();
    bool wasExact = false, isCoarse = false;
    for (std::uint32_t rows : {2u, 4u, 6u, 8u, 13u, 20u, 60u, 100u}) {
      const OptimalSchedule found = optimal(T, slots, costs, rows);
      EXPECT_LE(found.time, 1.005 * before) << "T=" << T << " rows=" << rows;
      EXPECT_NEAR(timeOf(found.schedule, costs).total, found.time, 1e-6 * found.time);
      EXPECT_LE(found.schedule.numRows, rows);
      EXPECT_LE(simulate(found.schedule).slotsUsed, slots);
      before = found.time;
      (found.isExact ? wasExact : isCoarse) = true;
    }
    EXPECT_EQ(wasExact, T < 20000);
    EXPECT_TRUE(isCoarse);
  }
}

TEST(Optimal, WithABindingCapacityAndALongChainStaysWithinIt) {
  const Costs costs = costsOf(0.3, 1.0, 1.0);
  const OptimalSchedule found = optimal(20000, 8, costs, 10);
  EXPECT_FALSE(found.isExact);
  EXPECT_LE(found.schedule.numRows, 10u);
  EXPECT_NEAR(timeOf(found.schedule, costs).total, found.time, 1e-3);
  EXPECT_LT(found.time, timeOf(revolve(20000, 8), costs).total);
  EXPECT_GT(found.time, optimal(20000, 8, costs).time);
  simulate(found.schedule);
}

} // namespace
} // namespace spillway::plan
