#include "plan/LeastWeightPath.hpp"

#include <gtest/gtest.h>

#include <random>

namespace spillway::plan {
namespace {

// Convex but for a drop of the slope at some lengths.
std::vector<double> bentWeight(std::size_t size, std::mt19937& random, int numBends) {
  std::vector<double> weight(size, 0.0);
  std::uniform_real_distribution<double> bend(0.0, 0.3);
  std::uniform_int_distribution<std::size_t> where(3, size - 1);
  std::vector<bool> drops(size, false);
  for (int i = 0; i < numBends; ++i)
    drops[where(random)] = true;
  double slope = 0.5;
  weight[0] = 7.0;
  for (std::size_t i = 1; i < size; ++i) {
    slope = drops[i] ? slope * 0.7 : slope + bend(random);
    weight[i] = i == 1 ? 4.0 : weight[i - 1] + slope;
  }
  return weight;
}

TEST(LeastWeightPath, QueuesFindWhatTryingEveryEdgeFinds) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t size = 20 + static_cast<std::size_t>(trial) * 5;
    const std::vector<double> weight = bentWeight(size, random, trial % 5);
    std::vector<double> direct(size), node(size);
    std::uniform_real_distribution<double> spread(0.0, 2.0);
    for (std::size_t n = 0; n < size; ++n) {
      direct[n] = static_cast<double>(n * n) * 0.2 + spread(random);
      node[n] = spread(random);
    }
    const std::size_t longest = size - 1 - static_cast<std::size_t>(trial % 3) * 5;
    const auto stretches = convexStretches(weight, longest);
    const PathTable queued = leastWeightPath(direct, node, weight, stretches);
    const PathTable tried = leastWeightPathBounded(direct, node, weight, longest);
    for (std::size_t n = 0; n < size; ++n)
      ASSERT_NEAR(queued.value[n], tried.value[n], 1e-9) << "trial " << trial << " n " << n;
  }
}

TEST(LeastWeightPath, StretchesCoverAllLengthsOnce) {
  std::mt19937 random(5);
  for (int bends = 0; bends < 6; ++bends) {
    const auto stretches = convexStretches(bentWeight(100, random, bends), 99);
    std::size_t next = 1;
    for (const Stretch& stretch : stretches) {
      EXPECT_EQ(stretch.begin, next);
      next = stretch.end + 1;
    }
    EXPECT_EQ(next, 100u);
    EXPECT_EQ(stretches.size() == 1, bends == 0);
  }
}

} // namespace
} // namespace spillway::plan
