#include "plan/PaperStrategies.hpp"

#include "network/UserError.hpp"
#include "plan/ClosedForms.hpp"
#include "plan/Simulator.hpp"

#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

constexpr Step kMaxSteps = 60;
constexpr Form kForms[] = {Form::Tight, Form::Literal};

// Chunk parameters worth trying for T steps: all up to T, and two beyond.
std::vector<Step> parametersUpTo(Step limit) {
  std::vector<Step> result;
  for (Step value = 1; value <= limit + 1; ++value)
    result.push_back(value);
  result.push_back(3 * limit);
  return result;
}

TEST(PaperStrategies, BaseKeepsEveryStateInOneRangeEachWay) {
  for (Step T = 1; T < kMaxSteps; ++T) {
    const Schedule schedule = base(T);
    EXPECT_EQ(simulate(schedule), baseCounts(T));
    EXPECT_EQ(schedule.actions.size(), 2u);
  }
}

TEST(PaperStrategies, StandardDoesWhatItsClosedFormSays) {
  for (Form form : kForms)
    for (Step T = 1; T < kMaxSteps; ++T)
      for (Step k : parametersUpTo(T))
        ASSERT_EQ(simulate(standard(T, k, form)), standardCounts(T, k, form))
            << "T=" << T << " k=" << k << " literal=" << (form == Form::Literal);
}

TEST(PaperStrategies, RemoteDoesWhatItsClosedFormSays) {
  for (Form form : kForms)
    for (Step T = 1; T < kMaxSteps; ++T)
      for (Step k : parametersUpTo(T))
        ASSERT_EQ(simulate(remote(T, k, form)), remoteCounts(T, k, form))
            << "T=" << T << " k=" << k << " literal=" << (form == Form::Literal);
}

TEST(PaperStrategies, HierarchicalDoesWhatItsClosedFormSays) {
  for (Form form : kForms)
    for (Step T = 1; T < 45; ++T)
      for (Step k : parametersUpTo(T))
        for (Step nl : parametersUpTo(T / k + 1))
          ASSERT_EQ(simulate(hierarchical(T, k, nl, form)), hierarchicalCounts(T, k, nl, form))
              << "T=" << T << " k=" << k << " nl=" << nl << " literal=" << (form == Form::Literal);
}

TEST(PaperStrategies, DoubleDoesWhatItsClosedFormSays) {
  for (Form form : kForms)
    for (Step T = 1; T < 45; ++T)
      for (Step K : parametersUpTo(T))
        for (Step k : parametersUpTo(std::min(K, T)))
          ASSERT_EQ(simulate(doubleCheckpointing(T, K, k, form)), doubleCounts(T, K, k, form))
              << "T=" << T << " K=" << K << " k=" << k << " literal=" << (form == Form::Literal);
}

TEST(PaperStrategies, AreEachOtherInTheLimits) {
  for (Step T = 1; T < kMaxSteps; ++T) {
    EXPECT_EQ(standard(T, T + 5), base(T));
    EXPECT_EQ(standard(T, 1), base(T));
    for (Step k = 1; k <= T; ++k) {
      EXPECT_EQ(remote(T, k), hierarchical(T, k, 1));
      EXPECT_EQ(hierarchical(T, k, (T + k - 1) / k), standard(T, k));
      EXPECT_EQ(doubleCheckpointing(T, T, k), standard(T, k));
    }
  }
}

TEST(PaperStrategies, TightNeverCostsMoreThanLiteral) {
  for (Step T = 1; T < kMaxSteps; ++T)
    for (Step K : parametersUpTo(T))
      for (Step k : parametersUpTo(std::min(K, T))) {
        const ScheduleCounts tight = doubleCounts(T, K, k),
                             literal = doubleCounts(T, K, k, Form::Literal);
        ASSERT_LE(tight.slotsUsed, literal.slotsUsed) << "T=" << T << " K=" << K << " k=" << k;
        ASSERT_LE(tight.lightSteps, literal.lightSteps);
        ASSERT_LE(tight.remoteWrites, literal.remoteWrites);
      }
}

// Slots / light steps / transfers both ways at T = 4096, worked out by hand from the equations.
TEST(PaperStrategies, CountsAtFourThousandSteps) {
  const auto expect = [](const ScheduleCounts& counts, std::uint32_t slots, std::uint64_t light,
                         std::uint64_t transfers) {
    EXPECT_EQ(counts.slotsUsed, slots);
    EXPECT_EQ(counts.lightSteps, light);
    EXPECT_EQ(counts.remoteWrites + counts.remoteReads, transfers);
  };
  expect(simulate(standard(4096, 64)), 127, 3969, 0);
  expect(simulate(standard(4096, 64, Form::Literal)), 128, 4096, 0);
  expect(simulate(remote(4096, 64)), 65, 3969, 124);
  expect(simulate(remote(4096, 64, Form::Literal)), 65, 4096, 128);
  expect(simulate(hierarchical(4096, 64, 8)), 71, 3969, 112);
  expect(simulate(hierarchical(4096, 64, 8, Form::Literal)), 72, 4096, 112);
  expect(simulate(doubleCheckpointing(4096, 64, 8)), 16, 7105, 124);
  expect(simulate(doubleCheckpointing(4096, 64, 8, Form::Literal)), 16, 8192, 128);
  expect(simulate(doubleCheckpointing(4096, 256, 16)), 32, 7425, 28);
  expect(simulate(doubleCheckpointing(4096, 256, 16, Form::Literal)), 32, 8192, 32);
}

TEST(SurrogateCached, KeepsNoStateAndRecomputesNothing) {
  ScheduleCounts expected = baseCounts(50);
  expected.slotsUsed = 1;
  EXPECT_EQ(simulate(surrogateCached(50)), expected);
}

TEST(PaperStrategies, RefuseZero) {
  EXPECT_THROW(base(0), UserError);
  EXPECT_THROW(standard(5, 0), UserError);
  EXPECT_THROW(hierarchical(5, 2, 0), UserError);
  EXPECT_THROW(doubleCheckpointing(5, 0, 2), UserError);
}

} // namespace
} // namespace spillway::plan
