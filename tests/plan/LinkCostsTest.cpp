#include "plan/LinkCosts.hpp"

#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

const Activity kActivity{10.0, {20.0, 30.0}, {20.0, 30.0}};

Costs withLinks(std::uint32_t numIpus, std::uint32_t blockSteps) {
  Costs costs;
  costs.forward = costs.light = costs.backward = 1000.0;
  addLinkCosts({.numIpus = numIpus}, kActivity, 16, blockSteps, 1, 1.6e9, costs);
  return costs;
}

TEST(LinkCosts, OneIpuPaysNothing) {
  const Costs costs = withLinks(1, 1);
  EXPECT_EQ(costs.forward, 1000.0);
  EXPECT_EQ(costs.light, 1000.0);
  EXPECT_EQ(costs.backward, 1000.0);
}

TEST(LinkCosts, StepsWaitForAllIpusAndTheirSpikes) {
  // 16 * 60 ids of 2 bytes at 100 bytes a cycle: 19.2 cycles; a global sync is 474 dearer.
  const Costs costs = withLinks(2, 1);
  EXPECT_DOUBLE_EQ(costs.forward, 1000.0 + 2 * 474.0 + 19.2);
  EXPECT_DOUBLE_EQ(costs.light, 1000.0 + 474.0 + 19.2);
  EXPECT_DOUBLE_EQ(costs.backward, 1000.0 + 4 * 474.0 + 19.2 + 16 * 50 * 4 / 100.0);
}

TEST(LinkCosts, BlocksShareTheirSyncs) {
  EXPECT_DOUBLE_EQ(withLinks(2, 4).forward, 1000.0 + 2 * 474.0 / 4 + 19.2);
}

} // namespace
} // namespace spillway::plan
