#include "SparseFixture.hpp"

#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <popsparse/codelets.hpp>
#include <popsparse/experimental/BlockSparseMatMul.hpp>

using namespace harness;
using namespace popsparse::experimental;

namespace {

using Mask = std::vector<unsigned char>;

// A block-sparse matrix [blocks][elements] as a dense one, zero elsewhere.
std::vector<float> scattered(const std::vector<float>& blocks, const Mask& mask, std::size_t rows,
                             std::size_t columns, std::size_t blockRows, std::size_t blockColumns) {
  std::vector<float> all(rows * columns);
  std::size_t at = 0;
  for (std::size_t i = 0; i != mask.size(); ++i)
    if (mask[i])
      for (std::size_t e = 0; e != blockRows * blockColumns; ++e, ++at) {
        const auto row = i / (columns / blockColumns) * blockRows + e / blockColumns;
        const auto column = i % (columns / blockColumns) * blockColumns + e % blockColumns;
        all[row * columns + column] = blocks[at];
      }
  return all;
}

const Mask kMask{1, 0, 0, 1, 1, 0}; // two by three blocks, or three by two

} // namespace

TEST(BlockSparseMatMul, DenseTimesSparse) {
  for (const bool transposed : {false, true}) {
    // [16][16] times [16][24] in blocks of 8; the stored matrix is [24][16] if it is transposed.
    TestGraph g(8);
    popsparse::addCodelets(g.graph);
    const BSMatMulParams params({16, 16, 24}, {8, 8, 8}, kMask, transposed, poplar::FLOAT,
                                poplar::FLOAT, poplar::FLOAT);
    const auto lhs = createBSMatMulInputLHS(g.graph, params, "lhs");
    const auto rhs = createBSMatMulInputRHS(g.graph, params, "rhs");
    ASSERT_EQ(rhs.shape(), (Shape{3, 64}));
    const auto a = randomFloats(16 * 16, 1), blocks = randomFloats(3 * 64, 2);
    g.setValues(lhs, a);
    g.setValues(rhs, blocks);
    const auto y = g.output(bsMatMul(g.graph, params, g.prog, lhs, rhs,
                                     {{"partitionMethod", "strip"}, {"memoryCycleRatio", "0.2"}}));
    g.run();
    const auto b = transposed ? harness::transposed(scattered(blocks, kMask, 24, 16, 8, 8), 24)
                              : scattered(blocks, kMask, 16, 24, 8, 8);
    EXPECT_LT(largestDifference(g.read<float>(y), product(a, b, 16)), 1e-4);
    EXPECT_THROW(bsMatMul(g.graph, params, g.prog, rhs, lhs), poputil::poplibs_error);
  }
}

TEST(BlockSparseMatMul, GroupsFollowOneAnother) {
  TestGraph g(8);
  popsparse::addCodelets(g.graph);
  Mask masks = kMask;
  masks.insert(masks.end(), {0, 1, 1, 0, 1, 1});
  const BSMatMulParams params({8, 16, 24}, {8, 8, 8}, masks, false, poplar::FLOAT, poplar::FLOAT,
                              poplar::FLOAT, 2);
  const auto a = randomFloats(2 * 8 * 16, 1), blocks = randomFloats(7 * 64, 2);
  const auto lhs = createBSMatMulInputLHS(g.graph, params, "lhs");
  const auto rhs = createBSMatMulInputRHS(g.graph, params, "rhs");
  g.setValues(lhs, a);
  g.setValues(rhs, blocks);
  const auto y = g.output(bsMatMul(g.graph, params, g.prog, lhs, rhs));
  g.run();
  auto expected = product({a.begin(), a.begin() + 128}, scattered(blocks, kMask, 16, 24, 8, 8), 16);
  const auto second = product({a.begin() + 128, a.end()},
                              scattered({blocks.begin() + 3 * 64, blocks.end()},
                                        {masks.begin() + 6, masks.end()}, 16, 24, 8, 8),
                              16);
  expected.insert(expected.end(), second.begin(), second.end());
  EXPECT_LT(largestDifference(g.read<float>(y), expected), 1e-4);
}

TEST(BlockSparseMatMul, ComputesOnlyTheBlocksOfTheResult) {
  for (const auto triangle :
       {SubBlockMask::None, SubBlockMask::ZeroUpperTriangle, SubBlockMask::ZeroLowerTriangle}) {
    TestGraph g(8);
    popsparse::addCodelets(g.graph);
    const BSMatMulParams params({16, 8, 24}, {8, 8, 8}, kMask, poplar::FLOAT, poplar::FLOAT,
                                poplar::FLOAT, triangle);
    const auto a = randomFloats(16 * 8, 1), b = randomFloats(8 * 24, 2);
    const auto lhs = createBSMatMulInputLHS(g.graph, params, "lhs");
    const auto rhs = createBSMatMulInputRHS(g.graph, params, "rhs");
    g.setValues(lhs, a);
    g.setValues(rhs, b);
    const auto out = bsMatMul(g.graph, params, g.prog, lhs, rhs);
    ASSERT_EQ(out.shape(), (Shape{3, 64}));
    const auto y = g.output(out);
    g.run();
    auto expected = product(a, b, 8);
    const auto there = scattered(std::vector<float>(3 * 64, 1.f), kMask, 16, 24, 8, 8);
    for (std::size_t i = 0; i != expected.size(); ++i) {
      const auto row = i / 24, column = i % 24;
      if (there[i] == 0 || (triangle == SubBlockMask::ZeroUpperTriangle && column > row) ||
          (triangle == SubBlockMask::ZeroLowerTriangle && column < row))
        expected[i] = 0;
    }
    EXPECT_LT(largestDifference(scattered(g.read<float>(y), kMask, 16, 24, 8, 8), expected), 1e-4);
  }
}

TEST(BlockSparseSoftmax, NormalisesTheElementsOfEachRow) {
  const Mask mask{1, 1, 0, 0, 1, 1};
  const auto x = randomFloats(4 * 16, 1), dy = randomFloats(4 * 16, 2);
  TestGraph g(8);
  const auto t = g.input(poplar::FLOAT, {4, 16}, x);
  const auto gradient = g.input(poplar::FLOAT, {4, 16}, dy);
  const auto out = bsSoftmax(g.graph, t, {8, 12}, {4, 4}, mask, SubBlockMask::ZeroUpperTriangle,
                             g.prog, "softmax");
  const auto y = g.output(out);
  const auto dx = g.output(bsSoftmaxGrad(g.graph, out, gradient, {8, 12}, {4, 4}, mask, g.prog));
  g.run();
  const auto all = scattered(x, mask, 8, 12, 4, 4), dAll = scattered(dy, mask, 8, 12, 4, 4),
             there = scattered(std::vector<float>(64, 1.f), mask, 8, 12, 4, 4);
  const auto read = scattered(g.read<float>(y), mask, 8, 12, 4, 4);
  const auto readGradient = scattered(g.read<float>(dx), mask, 8, 12, 4, 4);
  for (std::size_t row = 0; row != 8; ++row) {
    double sum = 0, dot = 0;
    const auto counts = [&](std::size_t c) { return there[row * 12 + c] != 0 && c <= row; };
    for (std::size_t c = 0; c != 12; ++c)
      sum += counts(c) ? std::exp(all[row * 12 + c]) : 0;
    for (std::size_t c = 0; c != 12; ++c)
      dot += counts(c) ? std::exp(all[row * 12 + c]) / sum * dAll[row * 12 + c] : 0;
    for (std::size_t c = 0; c != 12; ++c) {
      const double p = counts(c) ? std::exp(all[row * 12 + c]) / sum : 0;
      EXPECT_NEAR(read[row * 12 + c], p, 1e-5);
      EXPECT_NEAR(readGradient[row * 12 + c], p * (dAll[row * 12 + c] - dot), 1e-5);
    }
  }
}
