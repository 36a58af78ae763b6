#include "plan/FewRows.hpp"

#include "plan/Binomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace spillway::plan {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

FewRowsCosts costsOf(Step numSteps, std::uint32_t numSlots, double perSegment) {
  FewRowsCosts costs;
  costs.light = 0.2;
  const auto scaled = [&](std::vector<double> table) {
    for (double& value : table)
      value *= costs.light;
    return table;
  };
  costs.fromInitial = scaled(binomialTable(numSteps, numSlots));
  costs.onChip = scaled(binomialTable(numSteps, numSlots - 1));
  costs.segment.assign(numSteps + 1, 0.0);
  for (Step length = 1; length <= numSteps; ++length)
    costs.segment[length] = perSegment + costs.light * length + costs.onChip[length - 1];
  return costs;
}

// Over every first run and every division of the rest.
double bestOfAll(Step numSteps, std::uint32_t numRows, const FewRowsCosts& costs) {
  std::vector<double> after = costs.onChip; // so many states after the first run, k segments
  double best = costs.fromInitial[numSteps];
  for (std::uint32_t k = 1; k <= numRows; ++k) {
    std::vector<double> next(after.size(), kInfinity);
    for (Step n = 1; n < next.size(); ++n)
      for (Step length = 1; length <= n; ++length)
        next[n] = std::min(next[n], costs.segment[length] + after[n - length]);
    after = next;
  }
  for (Step run = 1; run < numSteps; ++run)
    best = std::min(best, costs.light * run + costs.fromInitial[run - 1] + after[numSteps - run]);
  return best;
}

TEST(FewRows, FindsTheBestDivisionWhereSegmentsAreConvex) {
  for (Step T : {5u, 17u, 60u, 200u})
    for (std::uint32_t slots : {1u, 2u, 3u, 7u})
      for (std::uint32_t rows : {1u, 2u, 4u}) {
        const FewRowsCosts costs = costsOf(T, slots, 1.5);
        const FewRowsLayout layout = solveFewRows(T, rows, costs);
        EXPECT_NEAR(layout.value, bestOfAll(T, rows, costs), 1e-9 * layout.value)
            << "T=" << T << " slots=" << slots << " rows=" << rows;
      }
}

TEST(FewRows, IsOffByWhatOneSegmentCostsAboveTheHull) {
  const Step T = 200;
  for (std::uint32_t rows : {1u, 3u, 8u}) {
    FewRowsCosts costs = costsOf(T, 3, 1.5);
    double above = 0.0;
    for (Step length = 1; length <= T; ++length) // waves on a straight line
      if (length % 9 != 0) {
        costs.segment[length] += 0.7;
        above = 0.7;
      }
    const double best = bestOfAll(T, rows, costs), value = solveFewRows(T, rows, costs).value;
    EXPECT_GE(value, best - 1e-9);
    EXPECT_LE(value, best + above + 9 * costs.light) << rows;
  }
}

TEST(FewRows, WritesNothingWhereThatCostsLess) {
  const FewRowsLayout layout = solveFewRows(50, 2, costsOf(50, 10, 1e6));
  EXPECT_EQ(layout.firstRun, 0u);
  EXPECT_TRUE(layout.segments.empty());
}

} // namespace
} // namespace spillway::plan
