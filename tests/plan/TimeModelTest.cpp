#include "plan/TimeModel.hpp"

#include "plan/PaperStrategies.hpp"
#include "plan/Streamed.hpp"

#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

TEST(TimeModel, FillsTheLayersOfEveryRange) {
  Costs costs;
  const Schedule schedule = standard(30, 10); // forward in three ranges, and backward
  const TimeSplit plain = timeOf(schedule, costs);
  costs.forwardFill = 5.0;
  costs.backwardFill = 7.0;
  const TimeSplit filled = timeOf(schedule, costs);
  EXPECT_DOUBLE_EQ(filled.sync - plain.sync, 3 * 5.0 + 3 * 7.0);
  EXPECT_DOUBLE_EQ(filled.total - plain.total, 3 * 5.0 + 3 * 7.0);
  EXPECT_EQ(filled.forward, plain.forward);
}

TEST(TimeModel, ChargesWhatTheLastBlockOfARangeLeavesEmpty) {
  Costs costs;
  const double plain = timeOf(base(30), costs).total;
  costs.blockSteps = 8;
  costs.forwardBlock = 4.0;
  costs.backwardBlock = 6.0;
  EXPECT_DOUBLE_EQ(timeOf(base(30), costs).total - plain, 2.0 / 8.0 * (4.0 + 6.0));
  EXPECT_DOUBLE_EQ(timeOf(base(32), costs).total, 32 * (costs.forward + costs.backward));
}

TEST(TimeModel, WaitsForOverlappedTransfersWhereTheyAre) {
  Costs costs;
  costs.writePerState = costs.readPerState = 3.0;
  const StreamedSchedule found = streamed(200, 4, costs);
  ASSERT_FALSE(found.layout.gaps.empty());
  const TimeSplit beside = timeOf(found.schedule, costs);
  EXPECT_GT(beside.hidden, 0.0);
  costs.waitsForTransfers = true;
  const TimeSplit waited = timeOf(found.schedule, costs);
  EXPECT_EQ(waited.hidden, 0.0);
  EXPECT_DOUBLE_EQ(waited.transfer, 6.0 * static_cast<double>(found.layout.gaps.size()));
  EXPECT_NEAR(waited.total, beside.total - beside.stall + waited.transfer, 1e-9);
}

} // namespace
} // namespace spillway::plan
