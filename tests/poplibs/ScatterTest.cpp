#include "Harness.hpp"

#include <poplin/MeshGrid.hpp>
#include <popops/ElementWise.hpp>
#include <popops/EncodingConstants.hpp>
#include <popops/GatherStatistics.hpp>
#include <popops/Scatter.hpp>
#include <popops/SelectScalarFromRows.hpp>
#include <popops/UpdateScalarInRows.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

using namespace harness;

TEST(Scatter, ReplacesRowsInOrderAndSkipsThoseOutside) {
  TestGraph g(5);
  const auto x = randomFloats(6 * 4, 1), u = randomFloats(4 * 4, 2);
  const std::vector<int> rows = {3, 0, 3, 6};
  const auto operand = g.input(poplar::FLOAT, {6, 4}, x);
  const auto indices = g.input(poplar::INT, {4}, rows);
  const auto updates = g.input(poplar::FLOAT, {4, 4}, u);
  popops::scatter(g.graph, operand, indices, updates, 1, {1}, {0}, {0}, g.prog);
  const auto handle = g.output(operand);
  g.run();
  auto expected = x;
  for (std::size_t k = 0; k != rows.size(); ++k)
    for (std::size_t c = 0; c != 4; ++c)
      if (rows[k] < 6)
        expected[static_cast<std::size_t>(rows[k]) * 4 + c] = u[k * 4 + c];
  EXPECT_EQ(g.read<float>(handle), expected);
}

TEST(Scatter, CombinesWindowsInTwoDimensions) {
  TestGraph g(5);
  const auto x = randomFloats(5 * 6, 1), u = randomFloats(2 * 3 * 3, 2);
  // Updates are [window rows][vectors][window columns]; each vector is (column, row).
  const std::vector<unsigned> starts = {1, 0, 3, 3, 1, 1};
  const auto operand = g.input(poplar::FLOAT, {5, 6}, x);
  const auto indices = g.input(poplar::UNSIGNED_INT, {3, 2}, starts);
  const auto updates = g.input(poplar::FLOAT, {2, 3, 3}, u);
  popops::UpdateComputationFunc difference =
      [](poplar::Graph& graph, poplar::Tensor& old, poplar::Tensor& update,
         poplar::program::Sequence& prog) { return popops::sub(graph, old, update, prog); };
  popops::scatter(g.graph, operand, indices, updates, 1, {0, 2}, {}, {1, 0}, difference, g.prog);
  const auto handle = g.output(operand);
  g.run();
  auto expected = x;
  for (std::size_t k = 0; k != 3; ++k)
    for (std::size_t r = 0; r != 2; ++r)
      for (std::size_t c = 0; c != 3; ++c)
        expected[(starts[2 * k + 1] + r) * 6 + starts[2 * k] + c] -= u[(r * 3 + k) * 3 + c];
  EXPECT_EQ(g.read<float>(handle), expected);
}

TEST(Scatter, SingleElementsMayNameAWindowTheyHaveNot) {
  TestGraph g(4);
  const auto operand = g.input<int>(poplar::INT, {2}, {10, 20});
  const auto indices = g.input<int>(poplar::INT, {3}, {1, 0, 1});
  const auto updates = g.input<int>(poplar::INT, {3}, {1, 2, 3});
  popops::UpdateComputationFunc sum = [](poplar::Graph& graph, poplar::Tensor& old,
                                         poplar::Tensor& update, poplar::program::Sequence& prog) {
    return popops::add(graph, old, update, prog);
  };
  popops::scatter(g.graph, operand, indices, updates, 1, {1}, {0}, {0}, sum, g.prog);
  const auto handle = g.output(operand);
  g.run();
  EXPECT_EQ(g.read<int>(handle), (std::vector<int>{12, 24}));
}

TEST(ScalarsInRows, AreSelectedAndUpdated) {
  TestGraph g(4);
  const auto x = randomFloats(4 * 7, 1);
  const std::vector<unsigned> labels = {6, MASKED_LABEL_CODE, 7, 0};
  const auto params = g.input(poplar::FLOAT, {4, 7}, x);
  const auto indices = g.input(poplar::UNSIGNED_INT, {4}, labels);
  const auto selected = g.output(popops::selectScalarFromRows(g.graph, params, indices, g.prog));
  popops::updateScalarInRows(g.graph, params, indices, g.prog);
  const auto updated = g.output(params);
  g.run();
  const auto s = g.read<float>(selected);
  EXPECT_EQ(s[0], x[6]);
  EXPECT_EQ(s[1], 0);
  EXPECT_TRUE(std::isnan(s[2]));
  EXPECT_EQ(s[3], x[21]);
  const auto y = g.read<float>(updated);
  for (std::size_t i = 0; i != y.size(); ++i)
    if (i / 7 == 2)
      EXPECT_TRUE(std::isnan(y[i])) << i;
    else
      EXPECT_EQ(y[i], x[i] - (i == 6 || i == 21 ? 1.0f : 0.0f)) << i;
}

TEST(Histogram, CountsBetweenLevels) {
  for (const bool absolute : {false, true}) {
    TestGraph g(6);
    const auto x = randomFloats(200, 3);
    const std::vector<float> levels = {-1, 0, 0.5f, 1.5f};
    const auto in = g.input(poplar::FLOAT, {10, 20}, x);
    const auto levelsIn = g.input(poplar::FLOAT, {4}, levels);
    auto counts = popops::histogram(g.graph, in, levelsIn, absolute, g.prog);
    const auto once = g.output(popops::histogram(g.graph, in, levelsIn, absolute, g.prog, {},
                                                 {{"useFloatArithmetic", "true"}}));
    popops::histogram(g.graph, in, counts, true, levelsIn, absolute, g.prog);
    const auto twice = g.output(counts);
    g.run();
    std::vector<unsigned> expected(5);
    for (const auto v : x) {
      std::size_t bin = 0;
      while (bin != 4 && (absolute ? std::fabs(v) : v) >= levels[bin])
        ++bin;
      ++expected[bin];
    }
    const auto floats = g.read<float>(once);
    const auto doubled = g.read<unsigned>(twice);
    for (std::size_t i = 0; i != 5; ++i) {
      EXPECT_EQ(floats[i], static_cast<float>(expected[i])) << i;
      EXPECT_EQ(doubled[i], 2 * expected[i]) << i;
    }
  }
}

TEST(MeshGrid, SpansItsRange) {
  TestGraph g(4);
  const auto x = poplin::linspace(g.graph, poplar::FLOAT, -1, 2, 4);
  const auto y = poplin::linspace(g.graph, poplar::FLOAT, 5, 5, 1);
  const auto grid = poplin::meshgrid2d(g.graph, x, poplar::concat(y, y));
  ASSERT_EQ(grid[0].shape(), (Shape{2, 4}));
  const auto sum = g.output(popops::add(g.graph, grid[0], grid[1], g.prog));
  const auto down = poplin::linspace(g.graph, poplar::FLOAT, 10, -10, 5);
  const auto halved = g.output(popops::mul(g.graph, down, 0.5f, g.prog));
  g.run();
  EXPECT_EQ(g.read<float>(sum), (std::vector<float>{4, 5, 6, 7, 4, 5, 6, 7}));
  EXPECT_EQ(g.read<float>(halved), (std::vector<float>{5, 2.5f, 0, -2.5f, -5}));
  EXPECT_THROW(poplin::linspace(g.graph, poplar::FLOAT, 2, 1, 0), poputil::poplibs_error);
}
