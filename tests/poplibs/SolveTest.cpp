#include "Harness.hpp"

#include <poplar/exceptions.hpp>
#include <poplin/Cholesky.hpp>
#include <poplin/TriangularSolve.hpp>
#include <poplin/codelets.hpp>
#include <poplin/experimental/LuFactorization.hpp>
#include <poplin/experimental/QRFactorization.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

using namespace harness;

namespace {

using Matrix = std::vector<double>; // by rows

// Well conditioned: random numbers, and some more on the diagonal.
std::vector<float> randomMatrices(std::size_t groups, std::size_t n, unsigned seed) {
  auto values = randomFloats(groups * n * n, seed);
  for (std::size_t g = 0; g != groups; ++g)
    for (std::size_t i = 0; i != n; ++i)
      values[(g * n + i) * n + i] += 4 + static_cast<float>(n) / 4;
  return values;
}

double element(const std::vector<float>& a, std::size_t n, std::size_t group, std::size_t row,
               std::size_t column, bool lower, bool unitDiagonal) {
  if (row == column)
    return unitDiagonal ? 1 : a[(group * n + row) * n + row];
  return (lower ? column < row : column > row) ? a[(group * n + row) * n + column] : 0;
}

} // namespace

TEST(TriangularSolve, SolvesFromBothSidesInBlocks) {
  const std::size_t G = 2, N = 11, K = 3;
  const auto a = randomMatrices(G, N, 1), b = randomFloats(G * N * K, 2);
  for (const bool leftSide : {true, false})
    for (const bool lower : {true, false})
      for (const bool unit : {true, false}) {
        SCOPED_TRACE(testing::Message() << leftSide << lower << unit);
        TestGraph g;
        poplin::addCodelets(g.graph);
        const Shape bShape = leftSide ? Shape{G, N, K} : Shape{G, K, N};
        const auto A = poplin::createTriangularSolveInputLHS(g.graph, poplar::FLOAT, poplar::FLOAT,
                                                             {G, N, N}, bShape, leftSide, "a");
        const auto B = poplin::createTriangularSolveInputRHS(g.graph, poplar::FLOAT, poplar::FLOAT,
                                                             {G, N, N}, bShape, leftSide, "b");
        g.setValues(A, a);
        g.setValues(B, b);
        const auto handle = g.output(poplin::triangularSolve(
            g.graph, A, B, leftSide, lower, unit, g.prog, "solve", {{"blockSize", "3"}}));
        g.run();
        const auto x = g.read<float>(handle);
        for (std::size_t group = 0; group != G; ++group)
          for (std::size_t row = 0; row != bShape[1]; ++row)
            for (std::size_t column = 0; column != bShape[2]; ++column) {
              double sum = 0;
              for (std::size_t k = 0; k != N; ++k)
                sum += leftSide ? element(a, N, group, row, k, lower, unit) *
                                      x[(group * N + k) * K + column]
                                : x[(group * K + row) * N + k] *
                                      element(a, N, group, k, column, lower, unit);
              EXPECT_NEAR(sum, b[(group * bShape[1] + row) * bShape[2] + column], 1e-4);
            }
      }
}

TEST(TriangularSolve, TakesTheBlockSizeAsAnArgumentToo) {
  TestGraph g;
  poplin::addCodelets(g.graph);
  const auto F = poplar::FLOAT;
  const auto A = poplin::createTriangularSolveInputLHS(g.graph, F, F, {4, 4}, {4, 2}, true, 2, "a");
  const auto B = poplin::createTriangularSolveInputRHS(g.graph, F, F, {4, 4}, {4, 2}, true, 2, "b");
  g.setValues(A, randomMatrices(1, 4, 1));
  g.setValues(B, randomFloats(8, 2));
  const auto older = g.output(
      poplin::triangularSolve(g.graph, A, B, true, true, false, std::size_t{2}, g.prog, "older"));
  const auto newer = g.output(poplin::triangularSolve(g.graph, A, B, true, true, false, g.prog,
                                                      "newer", {{"blockSize", "2"}}));
  g.run();
  EXPECT_EQ(g.read<float>(older), g.read<float>(newer));
  const auto products = [&](std::size_t blockSize) {
    return poplin::getTriangularSolveMatMulPrePlanParameters(F, F, {4, 4}, {4, 2}, true, true,
                                                             blockSize, {});
  };
  EXPECT_TRUE(products(4).empty());
  EXPECT_EQ(products(2).size(), 1u);
}

TEST(TriangularSolve, MasksOneTriangle) {
  TestGraph g;
  const auto a = g.input<float>(poplar::FLOAT, {2, 2}, {1, 2, 3, 4});
  const auto lower = g.output(poplin::triangularMask(g.graph, a, true, false, g.prog));
  const auto unitUpper = g.output(poplin::triangularMask(g.graph, a, false, true, g.prog));
  g.run();
  EXPECT_EQ(g.read<float>(lower), (std::vector<float>{1, 0, 3, 4}));
  EXPECT_EQ(g.read<float>(unitUpper), (std::vector<float>{1, 2, 0, 1}));
}

TEST(TriangularSolve, RefusesWhatDoesNotFit) {
  TestGraph g;
  const auto a = g.input<float>(poplar::FLOAT, {2, 2}, {1, 2, 3, 4});
  const auto b = g.input<float>(poplar::FLOAT, {3, 1}, {1, 2, 3});
  EXPECT_THROW(poplin::triangularSolve(g.graph, a, b, true, true, false, g.prog),
               poputil::poplibs_error);
  EXPECT_THROW(poplin::triangularSolve(g.graph, b, b, true, true, false, g.prog),
               poputil::poplibs_error);
  EXPECT_THROW(poplin::cholesky(g.graph, a, true, g.prog, {}, {{"blockSize", "none"}}),
               poplar::invalid_option);
}

TEST(Cholesky, TheFactorTimesItsTransposeIsTheMatrix) {
  const std::size_t G = 2, N = 10;
  const auto random = randomMatrices(G, N, 3);
  std::vector<float> a(G * N * N); // R R^T: symmetric and positive definite
  for (std::size_t g = 0; g != G; ++g)
    for (std::size_t row = 0; row != N; ++row)
      for (std::size_t column = 0; column != N; ++column)
        for (std::size_t k = 0; k != N; ++k)
          a[(g * N + row) * N + column] +=
              random[(g * N + row) * N + k] * random[(g * N + column) * N + k];
  for (const bool lower : {true, false})
    for (const char* blockSize : {"3", "64"}) {
      SCOPED_TRACE(testing::Message() << lower << " " << blockSize);
      TestGraph g;
      const auto A = poplin::createCholeskyInput(g.graph, poplar::FLOAT, {G, N, N}, lower, "a");
      g.setValues(A, a);
      const auto handle = g.output(
          poplin::cholesky(g.graph, A, lower, g.prog, "cholesky", {{"blockSize", blockSize}}));
      g.run();
      const auto f = g.read<float>(handle);
      const auto at = [&](std::size_t group, std::size_t row, std::size_t column) {
        return double(lower ? f[(group * N + row) * N + column]
                            : f[(group * N + column) * N + row]);
      };
      for (std::size_t group = 0; group != G; ++group)
        for (std::size_t row = 0; row != N; ++row)
          for (std::size_t column = 0; column != N; ++column) {
            double sum = 0;
            for (std::size_t k = 0; k != N; ++k)
              sum += at(group, row, k) * at(group, column, k);
            EXPECT_NEAR(sum, a[(group * N + row) * N + column], 1e-3);
            if (column > row) {
              EXPECT_EQ(at(group, row, column), 0);
            }
          }
    }
}

TEST(Cholesky, ListsTheProductsOfItsBlocks) {
  const auto products = poplin::getCholeskyMatMulPrePlanParameters(poplar::FLOAT, {2, 8, 8}, true,
                                                                   {{"blockSize", "4"}});
  ASSERT_EQ(products.size(), 1u);
  EXPECT_EQ(products[0].first.aShape, (Shape{2, 4, 4}));
  EXPECT_EQ(products[0].second.size(), 0u);
  const auto halvedTwice = poplin::getCholeskyMatMulPrePlanParameters(poplar::FLOAT, {16, 16}, true,
                                                                      {{"blockSize", "4"}});
  EXPECT_EQ(halvedTwice.size(), 2u); // both halves multiply alike
  const auto solving = poplin::getTriangularSolveMatMulPrePlanParameters(
      poplar::FLOAT, poplar::FLOAT, {8, 8}, {8, 5}, true, true, {{"blockSize", "4"}});
  ASSERT_EQ(solving.size(), 1u);
  EXPECT_EQ(solving[0].first.bShape, (Shape{1, 4, 5}));
}

TEST(QRFactorization, AnOrthogonalMatrixTimesAnUpperOneIsTheMatrix) {
  for (const auto& shape : {Shape{7, 4}, Shape{5, 5}, Shape{1, 1}}) {
    const std::size_t M = shape[0], N = shape[1];
    SCOPED_TRACE(testing::Message() << M << " " << N);
    auto a = randomFloats(M * N, 5);
    if (N > 1)
      for (std::size_t row = 0; row != M; ++row)
        a[row * N + 1] = 0; // nothing to reflect there but what the first column leaves
    std::vector<float> identity(M * M);
    for (std::size_t i = 0; i != M; ++i)
      identity[i * M + i] = 1;
    TestGraph g;
    auto matrices =
        poplin::experimental::createQRFactorizationMatrices(g.graph, poplar::FLOAT, M, N, {});
    g.setValues(matrices[0], a);
    g.setValues(matrices[1], identity);
    poplin::experimental::QRFactorization(g.graph, matrices[0], matrices[1], g.prog, "qr",
                                          {{"rowsPerIteration", "32"}});
    const auto upper = g.output(matrices[0]), orthogonal = g.output(matrices[1]);
    g.run();
    const auto r = g.read<float>(upper), q = g.read<float>(orthogonal);
    for (std::size_t row = 0; row != M; ++row) {
      for (std::size_t column = 0; column != N; ++column) {
        double sum = 0;
        for (std::size_t k = 0; k != M; ++k)
          sum += q[row * M + k] * r[k * N + column];
        EXPECT_NEAR(sum, a[row * N + column], 1e-5);
        if (column < row) {
          EXPECT_EQ(r[row * N + column], 0);
        }
      }
      for (std::size_t other = 0; other != M; ++other) {
        double product = 0;
        for (std::size_t k = 0; k != M; ++k)
          product += q[row * M + k] * q[other * M + k];
        EXPECT_NEAR(product, row == other, 1e-5);
      }
    }
  }
}

TEST(LUFactorization, GivesTriangularFactors) {
  using Size = std::pair<std::size_t, std::size_t>;
  for (const auto& [M, N] : {Size{1, 1}, Size{4, 4}, Size{5, 3}, Size{3, 6}}) {
    std::vector<float> a(M * N);
    for (std::size_t i = 0; i != a.size(); ++i)
      a[i] = static_cast<float>(i * i % 7) + (i / N == i % N ? 9.0f : 0.5f);
    TestGraph g;
    auto A = g.input<float>(poplar::FLOAT, {M, N}, a);
    const auto factors = poplin::experimental::LUFactorization(g.graph, A, g.prog, "lu");
    EXPECT_EQ(factors.first.shape(), (std::vector<std::size_t>{M, M}));
    const auto lower = g.output(factors.first), upper = g.output(factors.second);
    g.run();
    const auto l = g.read<float>(lower), u = g.read<float>(upper);
    for (std::size_t row = 0; row != M; ++row) {
      for (std::size_t column = 0; column != N; ++column) {
        double sum = 0;
        for (std::size_t k = 0; k != M; ++k)
          sum += l[row * M + k] * u[k * N + column];
        EXPECT_NEAR(sum, a[row * N + column], 1e-4);
        if (column < row) {
          EXPECT_EQ(u[row * N + column], 0);
        }
      }
      EXPECT_EQ(l[row * M + row], 1);
      for (std::size_t column = row + 1; column < M; ++column)
        EXPECT_EQ(l[row * M + column], 0);
    }
  }
}

TEST(QRFactorization, RefusesWhatDoesNotFit) {
  TestGraph g;
  auto wide = g.input<float>(poplar::FLOAT, {1, 2}, {1, 2});
  auto one = g.input<float>(poplar::FLOAT, {1, 1}, {1});
  EXPECT_THROW(poplin::experimental::QRFactorization(g.graph, wide, one, g.prog),
               poputil::poplibs_error);
  EXPECT_THROW(
      poplin::experimental::QRFactorization(g.graph, one, one, g.prog, {}, {{"rows", "1"}}),
      poplar::invalid_option);
}
