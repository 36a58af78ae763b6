#include "Harness.hpp"

#include <poplar/exceptions.hpp>
#include <poplin/MatMul.hpp>
#include <poplin/codelets.hpp>
#include <popnn/LogSoftmax.hpp>
#include <popnn/Loss.hpp>
#include <popnn/NonLinearity.hpp>
#include <popnn/codelets.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

using namespace harness;

namespace {

std::vector<double> product(const std::vector<float>& a, const std::vector<float>& b, std::size_t M,
                            std::size_t K, std::size_t N) {
  std::vector<double> c(M * N);
  for (std::size_t m = 0; m != M; ++m)
    for (std::size_t k = 0; k != K; ++k)
      for (std::size_t n = 0; n != N; ++n)
        c[m * N + n] += double(a[m * K + k]) * b[k * N + n];
  return c;
}

} // namespace

TEST(MatMul, ShapesThatSplitEveryDimension) {
  struct Case {
    std::size_t M, K, N;
  };
  for (const auto& c : {Case{1, 1, 1}, Case{5, 7, 3}, Case{40, 33, 50}, Case{1, 500, 2},
                        Case{1, 70, 2}, Case{64, 2, 1}}) {
    TestGraph g(16);
    poplin::addCodelets(g.graph);
    const auto a = randomFloats(c.M * c.K, 1), b = randomFloats(c.K * c.N, 2);
    const auto A =
        poplin::createMatMulInputLHS(g.graph, poplar::FLOAT, {c.M, c.K}, {c.K, c.N}, "A");
    const auto B =
        poplin::createMatMulInputRHS(g.graph, poplar::FLOAT, {c.M, c.K}, {c.K, c.N}, "B");
    g.setValues(A, a);
    g.setValues(B, b);
    const auto out = poplin::matMul(g.graph, A, B, g.prog);
    ASSERT_EQ(out.shape(), (Shape{c.M, c.N}));
    const auto handle = g.output(out);
    g.run();
    const auto expected = product(a, b, c.M, c.K, c.N);
    const auto x = g.read<float>(handle);
    for (std::size_t i = 0; i != x.size(); ++i)
      EXPECT_NEAR(x[i], expected[i], 1e-3) << c.M << "x" << c.K << "x" << c.N;
  }
}

TEST(MatMul, MayWriteOverAnOperand) {
  const std::size_t M = 4, N = 3;
  TestGraph g(16);
  poplin::addCodelets(g.graph);
  const auto a = randomFloats(M * M, 1), b = randomFloats(M * N, 2);
  const auto A = g.graph.addVariable(poplar::FLOAT, {M, M}, "A");
  auto B = g.graph.addVariable(poplar::FLOAT, {M, N}, "B");
  poputil::mapTensorLinearly(g.graph, A, 1, 1);
  poputil::mapTensorLinearly(g.graph, B, 1, 1);
  g.setValues(A, a);
  g.setValues(B, b);
  poplin::matMulWithOutput(g.graph, A, B, B, g.prog);
  const auto handle = g.output(B);
  g.run();
  const auto expected = product(a, b, M, M, N);
  const auto x = g.read<float>(handle);
  for (std::size_t i = 0; i != x.size(); ++i)
    EXPECT_NEAR(x[i], expected[i], 1e-5);
}

TEST(MatMul, TransposedOperandsAreLaidOutOnce) {
  const std::size_t M = 40, K = 33, N = 50;
  TestGraph g(16);
  poplin::addCodelets(g.graph);
  const auto a = randomFloats(M * K, 1), b = randomFloats(K * N, 2);
  std::vector<float> aTransposed(M * K), bTransposed(K * N);
  for (std::size_t k = 0; k != K; ++k) {
    for (std::size_t m = 0; m != M; ++m)
      aTransposed[k * M + m] = a[m * K + k];
    for (std::size_t n = 0; n != N; ++n)
      bTransposed[n * K + k] = b[k * N + n];
  }
  const auto A = g.input(poplar::FLOAT, {K, M}, aTransposed);
  const auto B = g.input(poplar::FLOAT, {N, K}, bTransposed);
  const auto handle = g.output(poplin::matMul(g.graph, A.transpose(), B.transpose(), g.prog));
  g.run();
  const auto expected = product(a, b, M, K, N);
  const auto x = g.read<float>(handle);
  for (std::size_t i = 0; i != x.size(); ++i)
    EXPECT_NEAR(x[i], expected[i], 1e-3) << i;
}

TEST(MatMul, HalfGroupedAndAccumulated) {
  const std::size_t G = 3, M = 4, K = 6, N = 5;
  TestGraph g;
  poplin::addCodelets(g.graph);
  const auto a = randomFloats(G * M * K, 1), b = randomFloats(G * K * N, 2),
             c = randomFloats(G * M * N, 3);
  const auto A = g.input(poplar::HALF, {G, M, K}, a), B = g.input(poplar::HALF, {G, K, N}, b);
  const auto C = g.input(poplar::FLOAT, {G, M, N}, c);
  poplin::matMulGroupedAcc(g.graph, C, 0.5f, A, B, g.prog);
  const auto handle = g.output(C);
  g.run();
  const auto x = g.read<float>(handle);
  for (std::size_t i = 0; i != G; ++i) {
    const auto expected =
        product({a.begin() + long(i * M * K), a.begin() + long((i + 1) * M * K)},
                {b.begin() + long(i * K * N), b.begin() + long((i + 1) * K * N)}, M, K, N);
    for (std::size_t j = 0; j != M * N; ++j)
      EXPECT_NEAR(x[i * M * N + j], c[i * M * N + j] + 0.5 * expected[j], 2e-2);
  }
  EXPECT_THROW(poplin::matMul(g.graph, A[0], B[0].transpose(), g.prog), poputil::poplibs_error);
  EXPECT_THROW(poplin::matMul(g.graph, A[0], B[0], g.prog, "x", {{"nonsense", "1"}}),
               poplar::invalid_option);
}

TEST(MatMul, RefusesValuesThatNoPlanKnows) {
  TestGraph g(4);
  const auto create = [&](const char* name, const char* value) {
    poplin::createMatMulInputLHS(g.graph, poplar::FLOAT, {4, 4}, {4, 4}, "a", {{name, value}});
  };
  EXPECT_THROW(create("partialsType", "banana"), poplar::invalid_option);
  EXPECT_THROW(create("fullyConnectedPass", "NOPE"), poplar::invalid_option);
  EXPECT_THROW(create("availableMemoryProportion", "abc"), poplar::invalid_option);
  EXPECT_THROW(create("enableFastReduce", "7"), poplar::invalid_option);
  EXPECT_NO_THROW(create("partialsType", "half"));
  EXPECT_NO_THROW(create("fullyConnectedPass", "TRAINING_WU"));
  EXPECT_NO_THROW(create("availableMemoryProportion", "0.3"));
}

TEST(NonLinearity, GradientsAreThoseOfTheFunctions) {
  using popnn::NonLinearityType;
  const std::size_t n = 41;
  const auto data = randomFloats(n, 4), gradient = randomFloats(n, 5);
  const float step = 1e-2f;
  auto shifted = [&](float by) {
    auto copy = data;
    for (auto& x : copy)
      x += by;
    return copy;
  };
  for (auto type : {NonLinearityType::SIGMOID, NonLinearityType::TANH, NonLinearityType::GELU,
                    NonLinearityType::SWISH, NonLinearityType::GELU_ERF}) {
    TestGraph g;
    popnn::addCodelets(g.graph);
    const auto x = g.input(poplar::FLOAT, {n}, data);
    const auto dy = g.input(poplar::FLOAT, {n}, gradient);
    const auto y = popnn::nonLinearity(g.graph, type, x, g.prog);
    const bool fromInput = type == NonLinearityType::GELU || type == NonLinearityType::SWISH ||
                           type == NonLinearityType::GELU_ERF;
    const auto dx =
        g.output(popnn::nonLinearityInputGradient(g.graph, type, fromInput ? x : y, dy, g.prog));
    const auto above = g.input(poplar::FLOAT, {n}, shifted(step));
    const auto below = g.input(poplar::FLOAT, {n}, shifted(-step));
    popnn::nonLinearityInPlace(g.graph, type, above, g.prog);
    popnn::nonLinearityInPlace(g.graph, type, below, g.prog);
    const auto a = g.output(above), b = g.output(below);
    g.run();
    const auto d = g.read<float>(dx), up = g.read<float>(a), down = g.read<float>(b);
    for (std::size_t i = 0; i != n; ++i)
      EXPECT_NEAR(d[i], gradient[i] * (up[i] - down[i]) / (2 * step), 1e-3) << type;
  }
}

TEST(Softmax, RowsSumToOne) {
  const std::size_t N = 5, M = 9;
  TestGraph g;
  popnn::addCodelets(g.graph);
  auto data = randomFloats(N * M, 4);
  for (auto& x : data)
    x += 200; // overflows unless the maximum is taken off
  const auto x = g.input(poplar::FLOAT, {N, M}, data);
  const auto y = g.output(popnn::softmaxStable(g.graph, x, g.prog));
  const auto l = g.output(popnn::logSoftmax(g.graph, x, g.prog));
  g.run();
  const auto p = g.read<float>(y), q = g.read<float>(l);
  for (std::size_t i = 0; i != N; ++i) {
    double sum = 0, reference = 0;
    for (std::size_t j = 0; j != M; ++j)
      reference += std::exp(double(data[i * M + j]) - 200);
    for (std::size_t j = 0; j != M; ++j) {
      sum += p[i * M + j];
      EXPECT_NEAR(p[i * M + j], std::exp(double(data[i * M + j]) - 200) / reference, 1e-5);
      EXPECT_NEAR(std::exp(q[i * M + j]), p[i * M + j], 1e-5);
    }
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

TEST(Loss, CrossEntropyAndAccuracy) {
  const std::size_t N = 4, M = 3;
  TestGraph g;
  popnn::addCodelets(g.graph);
  const std::vector<float> probabilities{0.7f, 0.2f, 0.1f, 0.1f, 0.8f,  0.1f,
                                         0.3f, 0.3f, 0.4f, 0.5f, 0.25f, 0.25f};
  const std::vector<unsigned> labels{0, 1, 1, MASKED_LABEL_CODE};
  const auto outputs = g.input(poplar::FLOAT, {N, M}, probabilities);
  const auto expected = g.input(poplar::UNSIGNED_INT, {N}, labels);
  const auto loss = g.input(poplar::FLOAT, {N}, std::vector<float>(N));
  const auto deltas = g.input(poplar::FLOAT, {N, M}, std::vector<float>(N * M));
  const auto correct = g.input(poplar::UNSIGNED_INT, {1}, std::vector<unsigned>{40});
  g.prog.add(popnn::calcLoss(g.graph, outputs, expected, loss, deltas, correct,
                             popnn::CROSS_ENTROPY_LOSS));
  const auto l = g.output(loss), d = g.output(deltas), c = g.output(correct);
  g.run();
  const auto losses = g.read<float>(l), gradient = g.read<float>(d);
  for (std::size_t i = 0; i != N; ++i) {
    const bool masked = labels[i] == MASKED_LABEL_CODE;
    EXPECT_NEAR(losses[i], masked ? 0 : -std::log(probabilities[i * M + labels[i]]), 1e-5);
    for (std::size_t j = 0; j != M; ++j)
      EXPECT_NEAR(gradient[i * M + j], masked ? 0 : probabilities[i * M + j] - (labels[i] == j),
                  1e-6);
  }
  EXPECT_EQ(g.read<unsigned>(c)[0], 42u); // added to what was there
}

TEST(Loss, OfScaledHalvesKeepsSmallProbabilities) {
  TestGraph g;
  popnn::addCodelets(g.graph);
  const float scaling = 4096;
  const std::vector<float> probabilities{0x1p-20f, 0.5f, 0, 0.25f};
  auto scaled = probabilities;
  for (auto& p : scaled)
    p *= scaling;
  const auto outputs = g.input(poplar::HALF, {2, 2}, scaled);
  const auto expected = g.input(poplar::INT, {2}, std::vector<int>{0, 0});
  const auto loss = g.input(poplar::HALF, {2}, std::vector<float>(2));
  const auto deltas = g.input(poplar::HALF, {2, 2}, std::vector<float>(4));
  const auto scale = g.input(poplar::HALF, {}, std::vector<float>{1024});
  const auto outputScaling = g.input(poplar::HALF, {}, std::vector<float>{scaling});
  g.prog.add(popnn::calcLoss(g.graph, outputs, expected, loss, deltas, scale, outputScaling,
                             popnn::CROSS_ENTROPY_LOSS));
  const auto l = g.output(loss), d = g.output(deltas);
  g.run();
  const auto losses = g.read<float>(l), gradient = g.read<float>(d);
  EXPECT_NEAR(losses[0], 20 * std::log(2), 0.01);
  EXPECT_NEAR(losses[1], std::log(scaling) - std::log(EPS_LOG_N_HALF), 0.02); // not infinite
  EXPECT_NEAR(gradient[0], -1024, 1);
  EXPECT_EQ(gradient[1], 512);
}
