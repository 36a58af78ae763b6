// Every strategy against a replay that shares no code with the library.
#include "ReplayOracle.hpp"
#include "plan/Binomial.hpp"
#include "plan/ClosedForms.hpp"
#include "plan/Optimal.hpp"
#include "plan/PaperStrategies.hpp"
#include "plan/Simulator.hpp"
#include "plan/Streamed.hpp"
#include "plan/TimeModel.hpp"

#include <gtest/gtest.h>

#include <set>

namespace spillway::plan {
namespace {

constexpr Step kMostSteps = 40;

// All up to T, one more, and far more.
std::set<Step> chunksFor(Step T) {
  std::set<Step> chunks{T + 1, 2 * T + 3, 1000};
  for (Step chunk = 1; chunk <= T; ++chunk)
    chunks.insert(chunk);
  return chunks;
}

void expectCounts(const Schedule& schedule, const ScheduleCounts& closedForm, const char* what) {
  const ScheduleCounts replayed = ReplayOracle::replay(schedule);
  ASSERT_EQ(replayed, simulate(schedule)) << what << " T=" << schedule.numSteps;
  ASSERT_EQ(replayed, closedForm) << what << " T=" << schedule.numSteps;
}

TEST(Oracle, CountsThePapersStrategiesAsTheClosedFormsDo) {
  for (const Form form : {Form::Tight, Form::Literal})
    for (Step T = 1; T <= kMostSteps; ++T) {
      expectCounts(base(T), baseCounts(T), "base");
      for (const Step k : chunksFor(T)) {
        SCOPED_TRACE(k);
        expectCounts(standard(T, k, form), standardCounts(T, k, form), "standard");
        expectCounts(remote(T, k, form), remoteCounts(T, k, form), "remote");
        for (const Step other : {1u, 2u, 3u, 5u, 8u, 13u, 40u, 1000u}) {
          expectCounts(hierarchical(T, k, other, form), hierarchicalCounts(T, k, other, form),
                       "hierarchical");
          expectCounts(doubleCheckpointing(T, k, other, form), doubleCounts(T, k, other, form),
                       "double");
        }
      }
    }
}

TEST(Oracle, RunsWhatIsBeyondThePaper) {
  Costs costs;
  for (const double light : {0.1, 0.3, 1.0})
    for (const double transfer : {0.0, 1.0, 7.0}) {
      costs.light = light;
      costs.writePerState = transfer;
      costs.readPerState = transfer / 2.0;
      for (Step T = 1; T <= kMostSteps; ++T)
        for (std::uint32_t c = 1; c <= 9; ++c) {
          SCOPED_TRACE(testing::Message() << "T=" << T << " c=" << c << " r=" << light);
          for (const Schedule& schedule :
               {revolve(T, c), optimal(T, c, costs).schedule, optimal(T, c, costs, 2).schedule}) {
            const ScheduleCounts counts = ReplayOracle::replay(schedule);
            ASSERT_EQ(counts, simulate(schedule));
            ASSERT_LE(counts.slotsUsed, c);
          }
          if (c >= 2) {
            const Schedule overlapped = streamed(T, c, costs).schedule;
            ASSERT_EQ(ReplayOracle::replay(overlapped), simulate(overlapped));
          }
        }
    }
}

// The time of the optimum is the cost of what it does, counted by the replay.
TEST(Oracle, TimesTheOptimumByItsCounts) {
  Costs costs;
  costs.light = 0.3;
  costs.writePerState = 1.5;
  costs.readPerState = 0.75;
  for (Step T = 1; T <= kMostSteps; ++T)
    for (std::uint32_t c = 1; c <= 6; ++c) {
      const OptimalSchedule found = optimal(T, c, costs);
      const ScheduleCounts counts = ReplayOracle::replay(found.schedule);
      const double time = T * (costs.forward + costs.backward) +
                          costs.light * static_cast<double>(counts.lightSteps) +
                          1.5 * static_cast<double>(counts.remoteWrites) +
                          0.75 * static_cast<double>(counts.remoteReads);
      ASSERT_NEAR(found.time, time, 1e-9) << "T=" << T << " c=" << c;
    }
}

} // namespace
} // namespace spillway::plan
