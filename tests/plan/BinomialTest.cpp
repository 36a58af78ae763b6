#include "plan/Binomial.hpp"

#include "plan/PaperStrategies.hpp"
#include "plan/Simulator.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace spillway::plan {
namespace {

TEST(Binomial, ClosedFormIsTheRecurrence) {
  constexpr std::uint64_t kStates = 70, kSlots = 9;
  std::uint64_t P[kStates][kSlots] = {};
  for (std::uint64_t n = 1; n < kStates; ++n)
    for (std::uint64_t s = 1; s < kSlots; ++s) {
      P[n][s] = ~0ull;
      for (std::uint64_t j = 1; j <= n; ++j)
        if (s > 1 || j == n)
          P[n][s] = std::min(P[n][s], j + P[n - j][s - 1] + P[j - 1][s]);
      ASSERT_EQ(binomialSteps(n, s), P[n][s]) << n << " states, " << s << " slots";
    }
}

TEST(Binomial, TableIsTheClosedForm) {
  for (std::uint32_t s : {1u, 2u, 7u, 40u}) {
    const std::vector<double> table = binomialTable(500, s);
    for (Step n = 0; n <= 500; ++n)
      ASSERT_EQ(table[n], static_cast<double>(binomialSteps(n, s)));
  }
}

// Known step counts of Revolve, n states after a stored base, s further snapshots.
TEST(Binomial, ReproducesPublishedCounts) {
  EXPECT_EQ(binomialSteps(10, 3), 18u);
  EXPECT_EQ(binomialSteps(100, 10), 225u);
  EXPECT_EQ(binomialSteps(1000, 16), 2864u);
  EXPECT_EQ(binomialSteps(4096, 32), 11696u);
  EXPECT_EQ(binomialSteps(4096, 128), 8064u);
}

TEST(Revolve, RunsTheFewestStepsInItsSlots) {
  for (Step T = 1; T < 90; ++T)
    for (std::uint32_t c = 1; c <= T + 1; ++c) {
      const ScheduleCounts counts = simulate(revolve(T, c));
      ASSERT_EQ(counts.lightSteps, binomialSteps(T, c) - T) << "T=" << T << " c=" << c;
      ASSERT_EQ(counts.slotsUsed, std::min(c, T));
      ASSERT_EQ(counts.remoteWrites + counts.remoteReads, 0u);
    }
}

TEST(Revolve, WithASlotPerStateIsBase) {
  for (Step T = 1; T < 30; ++T)
    EXPECT_EQ(revolve(T, T + 3), base(T));
}

TEST(Revolve, NeedsNinetySlotsWhereStandardNeeds127) {
  EXPECT_EQ(slotsForRepeats(4096, 1), 90u);
  EXPECT_EQ(slotsForRepeats(4096, 2), 28u);
  EXPECT_EQ(slotsForRepeats(4096, 3), 16u);
  EXPECT_EQ(slotsForRepeats(4096, 4), 11u);
  EXPECT_EQ(slotsForRepeats(4096, 0), 4096u);
  EXPECT_EQ(simulate(revolve(4096, 90)).lightSteps, 4006u);
}

TEST(Revolve, HandlesLongChains) {
  const ScheduleCounts counts = simulate(revolve(100000, 50));
  EXPECT_EQ(counts.lightSteps, binomialSteps(100000, 50) - 100000);
  EXPECT_EQ(simulate(revolve(100000, 60000)).slotsUsed, 60000u);
}

} // namespace
} // namespace spillway::plan
