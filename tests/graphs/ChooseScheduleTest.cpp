// What the checkpoint settings leave open.
#include "train/ChooseSchedule.hpp"

#include "plan/PaperStrategies.hpp"

#include <gtest/gtest.h>

namespace spillway {
namespace {

plan::Schedule standardOf(plan::Step numSteps, plan::Step block, plan::Step chunk) {
  CheckpointSettings settings;
  settings.strategy = StrategyKind::Standard;
  settings.chunk = chunk;
  return chooseSchedule(settings, numSteps, block, {});
}

TEST(ChooseSchedule, TakesChunksOfWholeTimeBlocksNearestToTheSquareRoot) {
  EXPECT_EQ(standardOf(300, 1, 0), plan::standard(300, 17));
  EXPECT_EQ(standardOf(300, 16, 0), plan::standard(300, 16));
  EXPECT_EQ(standardOf(4000, 16, 0), plan::standard(4000, 64));
  EXPECT_EQ(standardOf(20, 16, 0), plan::standard(20, 16)); // never less than a block
}

TEST(ChooseSchedule, LeavesAGivenChunkAsItIs) {
  EXPECT_EQ(standardOf(300, 16, 17), plan::standard(300, 17));
}

} // namespace
} // namespace spillway
