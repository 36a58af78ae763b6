#include "network/CounterRandom.hpp"

#include <gtest/gtest.h>

#include <set>

namespace spillway {
namespace {

// The known answers published with the generator.
TEST(CounterRandom, PhiloxGivesThePublishedVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(CounterRandom, SeedStreamAndIndexAllMatter) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (std::uint64_t stream = 0; stream < 4; ++stream) {
      for (std::uint64_t index = 0; index < 4; ++index) {
        seen.insert(CounterRandom(seed, {stream}).bits(index));
        seen.insert(CounterRandom(seed, {stream, 0}).bits(index));
        seen.insert(CounterRandom(seed, {0, stream}).bits(index + 100));
      }
    }
  }
  // {0, s} meets {s, 0} at s = 0; the shifted index keeps even those apart.
  EXPECT_EQ(seen.size(), 4u * 4u * 4u * 3u);
}

TEST(CounterRandom, UniformHasItsMomentsAndRange) {
  const CounterRandom random(7, {1});
  double sum = 0, sumOfSquares = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform(static_cast<std::uint64_t>(i));
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
    sumOfSquares += x * x;
  }
  EXPECT_NEAR(sum / n, 0.5, 0.005);
  EXPECT_NEAR(sumOfSquares / n - (sum / n) * (sum / n), 1.0 / 12, 0.002);
}

TEST(CounterRandom, NormalHasItsMoments) {
  const CounterRandom random(7, {2});
  double sum = 0, sumOfSquares = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal(static_cast<std::uint64_t>(i));
    sum += x;
    sumOfSquares += x * x;
  }
  EXPECT_NEAR(sum / n, 0.0, 0.02);
  EXPECT_NEAR(sumOfSquares / n, 1.0, 0.02);
}

TEST(CounterRandom, BelowReachesEveryValueAndNoMore) {
  const CounterRandom random(7, {3});
  std::array<int, 5> histogram{};
  for (std::uint64_t i = 0; i < 5000; ++i) {
    ++histogram.at(random.below(i, 5));
  }
  for (int count : histogram) {
    EXPECT_NEAR(count, 1000, 150);
  }
}

} // namespace
} // namespace spillway
