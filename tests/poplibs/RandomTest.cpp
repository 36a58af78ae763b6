#include "Harness.hpp"

#include <poprand/RandomGen.hpp>
#include <poprand/codelets.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <numeric>

using namespace harness;

namespace {

struct Moments {
  double mean, variance, low, high;
};

Moments momentsOf(const std::vector<float>& x) {
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / double(x.size());
  double variance = 0, low = x[0], high = x[0];
  for (float v : x) {
    variance += (v - mean) * (v - mean) / double(x.size());
    low = std::min<double>(low, v);
    high = std::max<double>(high, v);
  }
  return {mean, variance, low, high};
}

constexpr std::size_t kSamples = 20000;

} // namespace

TEST(Random, DistributionsHaveTheirMoments) {
  TestGraph g;
  poprand::addCodelets(g.graph);
  const auto reference = g.input(poplar::FLOAT, {kSamples}, std::vector<float>(kSamples));
  const auto uniform =
      g.output(poprand::uniform(g.graph, nullptr, 0, reference, poplar::FLOAT, -1, 3, g.prog));
  const auto normal =
      g.output(poprand::normal(g.graph, nullptr, 0, reference, poplar::FLOAT, 2, 0.5, g.prog));
  const auto cut = g.output(
      poprand::truncatedNormal(g.graph, nullptr, 0, reference, poplar::FLOAT, 0, 1, 1.5, g.prog));
  const auto bernoulli =
      g.output(poprand::bernoulli(g.graph, nullptr, 0, reference, poplar::HALF, 0.3, g.prog));
  const auto integers =
      g.output(poprand::uniform(g.graph, nullptr, 0, reference, poplar::INT, -2, 2, g.prog));
  g.run();
  const auto u = momentsOf(g.read<float>(uniform));
  EXPECT_NEAR(u.mean, 1, 0.03);
  EXPECT_NEAR(u.variance, 16.0 / 12, 0.03);
  EXPECT_GE(u.low, -1);
  EXPECT_LT(u.high, 3);
  const auto n = momentsOf(g.read<float>(normal));
  EXPECT_NEAR(n.mean, 2, 0.02);
  EXPECT_NEAR(n.variance, 0.25, 0.01);
  const auto c = momentsOf(g.read<float>(cut));
  EXPECT_NEAR(c.mean, 0, 0.02);
  EXPECT_LE(std::max(-c.low, c.high), 1.5);
  EXPECT_NEAR(momentsOf(g.read<float>(bernoulli)).mean, 0.3, 0.01);
  std::vector<int> counts(5);
  for (int i : g.read<int>(integers)) {
    ASSERT_GE(i, -2);
    ASSERT_LE(i, 2);
    ++counts[std::size_t(i + 2)];
  }
  for (int count : counts)
    EXPECT_NEAR(count / double(kSamples), 0.2, 0.015);
}

TEST(Random, TheSeedDecidesNotTheMapping) {
  const std::size_t n = 1000;
  const auto draw = [&](unsigned numTiles, unsigned seed, unsigned modifier) {
    TestGraph g(numTiles);
    poprand::addCodelets(g.graph);
    const auto reference = g.input(poplar::FLOAT, {n}, std::vector<float>(n));
    const auto seeds = g.input(poplar::UNSIGNED_INT, {2}, std::vector<unsigned>{seed, 7});
    const auto out = g.output(
        poprand::normal(g.graph, &seeds, modifier, reference, poplar::FLOAT, 0, 1, g.prog));
    g.run(2); // a seeded draw is the same each time
    return g.read<float>(out);
  };
  const auto first = draw(3, 42, 1);
  EXPECT_EQ(first, draw(17, 42, 1));
  EXPECT_NE(first, draw(3, 43, 1));
  EXPECT_NE(first, draw(3, 42, 2));
}

TEST(Random, WithoutSeedEveryExecutionDiffers) {
  TestGraph g;
  poprand::addCodelets(g.graph);
  const auto reference = g.input(poplar::FLOAT, {50}, std::vector<float>(50));
  const auto out =
      g.output(poprand::uniform(g.graph, nullptr, 0, reference, poplar::FLOAT, 0, 1, g.prog));
  g.run();
  const auto first = g.read<float>(out);
  g.engine->run(0);
  EXPECT_NE(first, g.read<float>(out));
}

TEST(Random, DropoutKeepsAndScales) {
  TestGraph g;
  poprand::addCodelets(g.graph);
  const auto in = g.input(poplar::FLOAT, {kSamples}, std::vector<float>(kSamples, 3.0f));
  const auto out = g.output(poprand::dropout(g.graph, nullptr, 0, in, in, 0.75, 2.0, g.prog));
  g.run();
  std::size_t kept = 0;
  for (float x : g.read<float>(out)) {
    ASSERT_TRUE(x == 0 || x == 6);
    kept += x != 0;
  }
  EXPECT_NEAR(double(kept) / kSamples, 0.75, 0.01);
}

TEST(Random, LogUniformTakesABase) {
  TestGraph g;
  const auto seed = g.input<unsigned>(poplar::UNSIGNED_INT, {2}, {1, 2});
  const auto reference = g.input(poplar::FLOAT, {100}, std::vector<float>(100, 0));
  const auto draw = [&](double base) {
    return g.output(poprand::logUniform(g.graph, &seed, 0, reference, poplar::FLOAT, 1, 1000,
                                        g.prog, base, "draw"));
  };
  const auto a = draw(10), b = draw(2);
  EXPECT_THROW(draw(1), poputil::poplibs_error);
  g.run();
  EXPECT_EQ(g.read<float>(a), g.read<float>(b)); // a logarithm's base does not change the draw
  for (const float x : g.read<float>(a))
    EXPECT_TRUE(x >= 1 && x <= 1000) << x;
}
