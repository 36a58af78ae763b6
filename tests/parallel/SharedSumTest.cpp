#include "parallel/SharedSum.hpp"

#include "support/ThreadRanks.hpp"

#include <gtest/gtest.h>

#include <random>

namespace spillway {
namespace {

std::vector<std::vector<float>> randomLeaves(std::size_t numLeaves, std::size_t width) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<std::vector<float>> leaves(numLeaves, std::vector<float>(width));
  for (auto& leaf : leaves) {
    for (float& value : leaf) {
      value = normal(random);
    }
  }
  return leaves;
}

// Straight from the definition.
std::vector<float> pairwise(std::span<const std::vector<float>> leaves) {
  if (leaves.size() == 1) {
    return leaves[0];
  }
  std::size_t first = 1;
  while (first * 2 < leaves.size()) {
    first *= 2;
  }
  std::vector<float> sum = pairwise(leaves.first(first));
  const std::vector<float> rest = pairwise(leaves.subspan(first));
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] += rest[i];
  }
  return sum;
}

TEST(SharedSum, HasTheSameBitsForAnyNumberOfRanks) {
  for (std::size_t numLeaves = 1; numLeaves <= 17; ++numLeaves) {
    const auto leaves = randomLeaves(numLeaves, 23);
    const std::vector<float> expected = pairwise(leaves);
    for (unsigned numRanks = 1; numRanks <= std::min<std::size_t>(numLeaves, 6); ++numRanks) {
      std::vector<std::vector<float>> totals(numRanks);
      onThreads(numRanks, [&](Ranks& ranks) {
        SharedSum sum(ranks, numLeaves);
        for (int round = 0; round < 2; ++round) { // the second: nothing is left of the first
          for (std::size_t leaf = sum.mine().begin; leaf < sum.mine().end; ++leaf) {
            sum.add(leaf, leaves[leaf]);
          }
          totals[ranks.rank()] = sum.finish();
        }
      });
      for (const std::vector<float>& total : totals) {
        EXPECT_EQ(total, expected) << numLeaves << " leaves, " << numRanks << " ranks";
      }
    }
  }
}

TEST(SharedSum, TakesVectorsShorterThanThereAreRanks) {
  const auto leaves = randomLeaves(5, 2);
  std::vector<std::vector<float>> totals(5);
  onThreads(5, [&](Ranks& ranks) {
    SharedSum sum(ranks, 5);
    sum.add(ranks.rank(), leaves[ranks.rank()]);
    totals[ranks.rank()] = sum.finish();
  });
  for (const std::vector<float>& total : totals) {
    EXPECT_EQ(total, pairwise(leaves));
  }
}

TEST(TreeSum, KeepsFewSumsOfManyLeaves) {
  TreeSum tree(1024);
  std::vector<std::vector<float>> spare;
  std::size_t most = 0;
  for (std::size_t leaf = 0; leaf < 1024; ++leaf) {
    tree.add({leaf, leaf + 1, {1.0f}}, spare);
    most = std::max(most, tree.sums().size());
  }
  EXPECT_EQ(most, 10u);
  ASSERT_EQ(tree.sums().size(), 1u);
  EXPECT_EQ(tree.sums()[0].values, std::vector<float>{1024.0f});
}

TEST(SharedSum, SharesLeavesOutEvenly) {
  for (std::size_t numLeaves : {1u, 5u, 8u, 100u}) {
    for (unsigned numRanks = 1; numRanks <= std::min<std::size_t>(numLeaves, 7); ++numRanks) {
      std::size_t next = 0;
      for (unsigned r = 0; r < numRanks; ++r) {
        const LeafRange range = leavesOf(r, numRanks, numLeaves);
        EXPECT_EQ(range.begin, next);
        EXPECT_GE(range.end - range.begin, numLeaves / numRanks);
        EXPECT_LE(range.end - range.begin, (numLeaves + numRanks - 1) / numRanks);
        next = range.end;
      }
      EXPECT_EQ(next, numLeaves);
    }
  }
}

} // namespace
} // namespace spillway
