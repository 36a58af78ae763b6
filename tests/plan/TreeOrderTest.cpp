#include "plan/TreeOrder.hpp"

#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

// Seven leaves are (0 1 2 3) + ((4 5) + 6); the second of two has 3, 4, 5 and 6.
TEST(TreeOrder, SaysWhatAHolderDoesWithEveryLeaf) {
  const Holding holding = holdingOf(1, 2, 7);
  ASSERT_EQ(holding.pushes.size(), 4u);
  const std::size_t slots[] = {0, 1, 1, 1}, merges[] = {0, 0, 1, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(holding.pushes[i].leaf, 3 + i);
    EXPECT_EQ(holding.pushes[i].slot, slots[i]);
    EXPECT_EQ(holding.pushes[i].numMerges, merges[i]);
  }
  ASSERT_EQ(holding.sums.size(), 2u);
  EXPECT_EQ(holding.sums[0].size(), 1u);
  EXPECT_EQ(holding.sums[1].size(), 3u);
  EXPECT_EQ(holding.mostSlots, 2u);
}

TEST(TreeOrder, KnowsWhatAllHoldersNeed) {
  EXPECT_EQ(sumNeedsOf(4, 4).mostSlots, 1u);
  EXPECT_EQ(sumNeedsOf(4, 4).mostSums, 1u);
  EXPECT_EQ(sumNeedsOf(2, 8).mostSlots, 2u); // 0 1 and 2, on the way to one sum
  EXPECT_EQ(sumNeedsOf(2, 8).mostSums, 1u);
  EXPECT_EQ(sumNeedsOf(2, 6).mostSums, 2u); // 0 1 and 2; 3 and 4 5
}

} // namespace
} // namespace spillway::plan
