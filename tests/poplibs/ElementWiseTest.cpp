#include "Harness.hpp"

#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/ElementWiseUtil.hpp>
#include <popops/Fill.hpp>
#include <popops/ScaledAdd.hpp>
#include <popops/Zero.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <functional>

using namespace harness;
namespace pe = popops::expr;

namespace {

struct UnaryCase {
  pe::UnaryOpType op;
  std::function<float(float)> reference;
  float low, high;
};

const std::vector<UnaryCase> kUnaryCases{
    {pe::UnaryOpType::ABSOLUTE, [](float x) { return std::abs(x); }, -3, 3},
    {pe::UnaryOpType::CEIL, [](float x) { return std::ceil(x); }, -3, 3},
    {pe::UnaryOpType::COS, [](float x) { return std::cos(x); }, -3, 3},
    {pe::UnaryOpType::EXPONENT, [](float x) { return std::exp(x); }, -3, 3},
    {pe::UnaryOpType::FLOOR, [](float x) { return std::floor(x); }, -3, 3},
    {pe::UnaryOpType::INVERSE, [](float x) { return 1 / x; }, 1, 3},
    {pe::UnaryOpType::LOGARITHM, [](float x) { return std::log(x); }, 0.1f, 3},
    {pe::UnaryOpType::NEGATE, [](float x) { return -x; }, -3, 3},
    {pe::UnaryOpType::ROUND, [](float x) { return std::round(x); }, -3, 3},
    {pe::UnaryOpType::RSQRT, [](float x) { return 1 / std::sqrt(x); }, 0.1f, 3},
    {pe::UnaryOpType::SIGMOID, [](float x) { return 1 / (1 + std::exp(-x)); }, -3, 3},
    {pe::UnaryOpType::SIGNUM, [](float x) { return float((x > 0) - (x < 0)); }, -3, 3},
    {pe::UnaryOpType::SQRT, [](float x) { return std::sqrt(x); }, 0, 3},
    {pe::UnaryOpType::SQUARE, [](float x) { return x * x; }, -3, 3},
    {pe::UnaryOpType::TANH, [](float x) { return std::tanh(x); }, -3, 3}};

} // namespace

TEST(ElementWise, UnaryOperatorsMatchTheirDefinition) {
  const std::size_t n = 101;
  TestGraph g;
  std::vector<std::string> out;
  std::vector<std::vector<float>> data;
  for (const auto& c : kUnaryCases) {
    data.push_back(randomFloats(n, 7, c.low, c.high));
    const auto t = g.input(poplar::FLOAT, {n}, data.back());
    out.push_back(g.output(popops::map(g.graph, c.op, t, g.prog)));
    popops::mapInPlace(g.graph, c.op, t, g.prog);
    out.push_back(g.output(t));
  }
  g.run();
  for (std::size_t c = 0; c != kUnaryCases.size(); ++c) {
    const auto result = g.read<float>(out[2 * c]);
    EXPECT_EQ(result, g.read<float>(out[2 * c + 1])) << "in place, case " << c;
    for (std::size_t i = 0; i != n; ++i)
      EXPECT_NEAR(result[i], kUnaryCases[c].reference(data[c][i]), 1e-5f) << "case " << c;
  }
}

TEST(ElementWise, HalfIsRoundedToNearestEvenOnce) {
  const std::size_t n = 257;
  TestGraph g;
  const auto a = randomFloats(n, 1), b = randomFloats(n, 2);
  const auto ta = g.input(poplar::HALF, {n}, a), tb = g.input(poplar::HALF, {n}, b);
  const auto sum = g.output(popops::add(g.graph, ta, tb, g.prog));
  const auto product = g.output(popops::mul(g.graph, ta, tb, g.prog));
  const auto quotient = g.output(popops::div(g.graph, ta, tb, g.prog));
  g.run();
  const auto& target = g.graph.getTarget();
  const auto s = g.read<float>(sum), p = g.read<float>(product), q = g.read<float>(quotient);
  for (std::size_t i = 0; i != n; ++i) {
    const float x = toHalf(target, a[i]), y = toHalf(target, b[i]);
    EXPECT_EQ(s[i], toHalf(target, x + y));
    EXPECT_EQ(p[i], toHalf(target, x * y));
    EXPECT_EQ(q[i], toHalf(target, x / y));
  }
}

TEST(ElementWise, BinaryOperatorsOnIntegers) {
  const std::size_t n = 64;
  TestGraph g;
  const auto a = randomInts(n, 1), b = randomInts(n, 2, 1, 9);
  const auto ta = g.input(poplar::INT, {n}, a), tb = g.input(poplar::INT, {n}, b);
  const auto sum = g.output(popops::add(g.graph, ta, tb, g.prog));
  const auto quotient = g.output(popops::div(g.graph, ta, tb, g.prog));
  const auto remainder = g.output(popops::rem(g.graph, ta, tb, g.prog));
  const auto bits = g.output(popops::bitwiseXor(g.graph, ta, tb, g.prog));
  const auto shifted = g.output(popops::shiftRightSignExtend(g.graph, ta, tb, g.prog));
  const auto less = g.output(popops::lt(g.graph, ta, tb, g.prog));
  g.run();
  const auto s = g.read<int>(sum), q = g.read<int>(quotient), r = g.read<int>(remainder),
             x = g.read<int>(bits), h = g.read<int>(shifted);
  const auto l = g.read<bool>(less);
  for (std::size_t i = 0; i != n; ++i) {
    EXPECT_EQ(s[i], a[i] + b[i]);
    EXPECT_EQ(q[i], a[i] / b[i]);
    EXPECT_EQ(r[i], a[i] % b[i]);
    EXPECT_EQ(x[i], a[i] ^ b[i]);
    EXPECT_EQ(h[i], a[i] >> b[i]);
    EXPECT_EQ(l[i], a[i] < b[i]);
  }
}

// Every broadcast of a 3-D tensor, with the operand on either side and in place.
TEST(ElementWise, BroadcastsFollowNumPy) {
  const std::size_t N = 4, M = 5, K = 6;
  const auto a = randomFloats(N * M * K, 3);
  for (unsigned mask = 0; mask != 8; ++mask) {
    const Shape shape{mask & 1 ? N : 1, mask & 2 ? M : 1, mask & 4 ? K : 1};
    const auto b = randomFloats(shape[0] * shape[1] * shape[2], 4 + mask);
    TestGraph g;
    const auto ta = g.input(poplar::FLOAT, {N, M, K}, a);
    const auto tb = g.input(poplar::FLOAT, shape, b);
    const auto right = g.output(popops::sub(g.graph, ta, tb, g.prog));
    const auto left = g.output(popops::sub(g.graph, tb, ta, g.prog));
    popops::subInPlace(g.graph, ta, tb, g.prog);
    const auto inPlace = g.output(ta);
    g.run();
    const auto r = g.read<float>(right), l = g.read<float>(left), p = g.read<float>(inPlace);
    for (std::size_t n = 0; n != N; ++n)
      for (std::size_t m = 0; m != M; ++m)
        for (std::size_t k = 0; k != K; ++k) {
          const auto i = (n * M + m) * K + k;
          const auto j = ((n % shape[0]) * shape[1] + m % shape[1]) * shape[2] + k % shape[2];
          EXPECT_EQ(r[i], a[i] - b[j]) << "mask " << mask;
          EXPECT_EQ(l[i], b[j] - a[i]) << "mask " << mask;
          EXPECT_EQ(p[i], a[i] - b[j]) << "mask " << mask;
        }
  }
}

TEST(ElementWise, ConstantsMayStandOnEitherSide) {
  const std::size_t n = 33;
  TestGraph g;
  const auto a = randomFloats(n, 3);
  const auto t = g.input(poplar::FLOAT, {n}, a);
  const auto left = g.output(popops::sub(g.graph, 1.5f, t, g.prog));
  const auto right = g.output(popops::sub(g.graph, t, 1.5f, g.prog));
  const auto out = g.graph.clone(t);
  popops::mulWithOutput(g.graph, t, 2.0f, out, g.prog);
  const auto product = g.output(out);
  g.run();
  const auto l = g.read<float>(left), r = g.read<float>(right), p = g.read<float>(product);
  for (std::size_t i = 0; i != n; ++i) {
    EXPECT_EQ(l[i], 1.5f - a[i]);
    EXPECT_EQ(r[i], a[i] - 1.5f);
    EXPECT_EQ(p[i], a[i] * 2);
  }
  EXPECT_THROW(popops::add(g.graph, t, 1, g.prog), std::runtime_error);
}

// A transposed and sliced view of a tensor with elements on every tile.
TEST(ElementWise, WorksOnScatteredViews) {
  const std::size_t N = 7, M = 9;
  TestGraph g;
  const auto a = randomFloats(N * M, 3), b = randomFloats(M * N, 4);
  const auto t = g.graph.addVariable(poplar::FLOAT, {N, M});
  for (std::size_t i = 0; i != N; ++i)
    for (std::size_t j = 0; j != M; ++j)
      g.graph.setTileMapping(t[i][j], static_cast<unsigned>((i + 2 * j) % 5));
  g.setValues(t, a);
  const auto other = g.input(poplar::FLOAT, {M, N}, b);
  popops::addInPlace(g.graph, t.transpose(), other, g.prog);
  const auto sum = g.output(t);
  const auto scaled = g.output(popops::mul(g.graph, t.slice(1, 5, 1).transpose(), 3.0f, g.prog));
  g.run();
  const auto s = g.read<float>(sum), x = g.read<float>(scaled);
  for (std::size_t i = 0; i != N; ++i)
    for (std::size_t j = 0; j != M; ++j)
      EXPECT_EQ(s[i * M + j], a[i * M + j] + b[j * N + i]);
  for (std::size_t j = 0; j != 4; ++j)
    for (std::size_t i = 0; i != N; ++i)
      EXPECT_EQ(x[j * N + i], 3 * s[i * M + j + 1]);
}

TEST(ElementWise, ExpressionsAreEvaluatedInOneComputeSet) {
  const std::size_t n = 77;
  TestGraph g;
  const auto a = randomFloats(n, 3), b = randomFloats(n, 4), c = randomFloats(1, 5);
  const auto ta = g.input(poplar::FLOAT, {n}, a), tb = g.input(poplar::FLOAT, {n}, b);
  const auto tc = g.input(poplar::FLOAT, {}, c);
  const auto expression =
      pe::Select(pe::Tanh(pe::_1 * pe::_2) + pe::Const(0.5), pe::_3 - pe::_1, pe::_1 > pe::_2);
  const auto fused = g.output(popops::map(g.graph, expression, {ta, tb, tc}, g.prog));
  const auto stepwise = g.output(popops::map(g.graph, expression, {ta, tb, tc}, g.prog, {},
                                             {{"enableGenerateCodelet", "false"}}));
  popops::mapInPlace(g.graph, pe::_1 * pe::Const(2) + pe::_2, {ta, tb}, g.prog);
  const auto inPlace = g.output(ta);
  g.run();
  const auto f = g.read<float>(fused), p = g.read<float>(inPlace);
  EXPECT_EQ(f, g.read<float>(stepwise));
  for (std::size_t i = 0; i != n; ++i) {
    const float expected = a[i] > b[i] ? std::tanh(a[i] * b[i]) + 0.5f : c[0] - a[i];
    EXPECT_NEAR(f[i], expected, 1e-6f);
    EXPECT_EQ(p[i], a[i] * 2 + b[i]);
  }
}

TEST(ElementWise, WrongTypesNameTheOperator) {
  TestGraph g;
  const auto f = g.input(poplar::FLOAT, {4}, std::vector<float>(4));
  const auto i = g.input(poplar::INT, {4}, std::vector<int>(4));
  EXPECT_THROW(popops::add(g.graph, f, i, g.prog), poputil::poplibs_error);
  try {
    popops::sin(g.graph, i, g.prog);
    FAIL() << "sin of integers";
  } catch (const poputil::poplibs_error& e) {
    EXPECT_NE(std::string(e.what()).find("SIN"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("int"), std::string::npos);
  }
}

TEST(ElementWise, SelectAndClamp) {
  const std::size_t n = 40;
  TestGraph g;
  const auto a = randomFloats(n, 3), b = randomFloats(n, 4);
  const auto ta = g.input(poplar::FLOAT, {n}, a), tb = g.input(poplar::FLOAT, {n}, b);
  const auto condition = popops::gt(g.graph, ta, tb, g.prog);
  const auto selected = g.output(popops::select(g.graph, ta, tb, condition, g.prog));
  const auto low = g.input(poplar::FLOAT, {}, std::vector<float>{-0.5f});
  const auto high = g.input(poplar::FLOAT, {}, std::vector<float>{0.5f});
  popops::clampInPlace(g.graph, tb, low, high, g.prog);
  const auto clamped = g.output(tb);
  g.run();
  const auto s = g.read<float>(selected), c = g.read<float>(clamped);
  for (std::size_t i = 0; i != n; ++i) {
    EXPECT_EQ(s[i], std::max(a[i], b[i]));
    EXPECT_EQ(c[i], std::min(std::max(b[i], -0.5f), 0.5f));
  }
}

TEST(Cast, ConvertsBetweenTypes) {
  const std::size_t n = 50;
  TestGraph g;
  const auto a = randomFloats(n, 3, -100, 100);
  const auto t = g.input(poplar::FLOAT, {n}, a);
  const auto asInt = g.output(popops::cast(g.graph, t, poplar::INT, g.prog));
  const auto half = popops::cast(g.graph, t, poplar::HALF, g.prog);
  const auto asHalf = g.output(half);
  const auto asBool = g.output(popops::cast(g.graph, t, poplar::BOOL, g.prog));
  const auto back = g.graph.clone(t);
  g.prog.add(popops::cast(g.graph, half, back));
  const auto asFloat = g.output(back);
  const auto given = g.graph.clone(t);
  popops::castWithOutput(g.graph, half, given, g.prog, "given");
  const auto asGiven = g.output(given);
  g.run();
  const auto i = g.read<int>(asInt);
  const auto h = g.read<float>(asHalf), f = g.read<float>(asFloat);
  EXPECT_EQ(g.read<float>(asGiven), f);
  for (std::size_t k = 0; k != n; ++k) {
    EXPECT_EQ(i[k], static_cast<int>(a[k]));
    EXPECT_EQ(h[k], toHalf(g.graph.getTarget(), a[k]));
    EXPECT_EQ(f[k], h[k]);
    EXPECT_EQ(g.read<bool>(asBool)[k], a[k] != 0);
  }
}

TEST(Fill, SetsEveryElement) {
  TestGraph g;
  const auto f = g.input(poplar::FLOAT, {5, 7}, randomFloats(35, 1));
  const auto h = g.input(poplar::HALF, {9}, randomFloats(9, 1));
  const auto s = g.input(poplar::UNSIGNED_SHORT, {9}, std::vector<unsigned short>(9, 3));
  popops::fill(g.graph, f.transpose().slice(2, 5), g.prog, 2.5f);
  popops::fill(g.graph, h, g.prog, 0.1f);
  popops::zero(g.graph, s, g.prog);
  const auto outF = g.output(f.slice(2, 5, 1)), outH = g.output(h), outS = g.output(s);
  g.run();
  EXPECT_EQ(g.read<float>(outF), std::vector<float>(15, 2.5f));
  EXPECT_EQ(g.read<float>(outH), std::vector<float>(9, toHalf(g.graph.getTarget(), 0.1f)));
  EXPECT_EQ(g.read<unsigned short>(outS), std::vector<unsigned short>(9, 0));
}

TEST(ScaledAdd, AllFormsOfScales) {
  const std::size_t n = 61;
  const auto a = randomFloats(n, 1), b = randomFloats(n, 2);
  const auto form = [&](auto add) {
    TestGraph g;
    const auto ta = g.input(poplar::FLOAT, {n}, a), tb = g.input(poplar::FLOAT, {n}, b);
    const auto scaleA = g.input(poplar::FLOAT, {}, std::vector<float>{0.5f});
    const auto scaleB = g.input(poplar::FLOAT, {}, std::vector<float>{3.0f});
    add(g, ta, scaleA, tb, scaleB);
    const auto out = g.output(ta);
    g.run();
    return g.read<float>(out);
  };
  const auto check = [&](const std::vector<float>& result, float ka, float kb) {
    for (std::size_t i = 0; i != n; ++i)
      EXPECT_NEAR(result[i], ka * a[i] + kb * b[i], 1e-6f);
  };
  check(form([](auto& g, auto A, auto, auto B, auto) {
          popops::scaledAddTo(g.graph, A, B, 3.0f, g.prog);
        }),
        1, 3);
  check(form([](auto& g, auto A, auto, auto B, auto kb) {
          popops::scaledAddTo(g.graph, A, B, kb, g.prog);
        }),
        1, 3);
  check(form([](auto& g, auto A, auto, auto B, auto) {
          popops::scaledSubtractFrom(g.graph, A, B, 3.0f, g.prog);
        }),
        1, -3);
  check(form([](auto& g, auto A, auto, auto B, auto kb) {
          popops::scaledSubtractFrom(g.graph, A, B, kb, g.prog);
        }),
        1, -3);
  check(form([](auto& g, auto A, auto ka, auto B, auto kb) {
          popops::scaledAddTo(g.graph, A, ka, B, kb, g.prog);
        }),
        0.5f, 3);
  check(form([](auto& g, auto A, auto, auto B, auto) {
          popops::scaledAddTo(g.graph, A, 0.5f, B, 3.0f, g.prog);
        }),
        0.5f, 3);
  check(form([](auto& g, auto A, auto ka, auto B, auto kb) {
          popops::scaledAddTo(g.graph, A, ka, B, kb, g.prog,
                              popops::ScaledAddSpecialisation::X_MINUS_AX_PLUS_BY);
        }),
        0.5f, 3);
}

TEST(ElementWise, OutputsLieWhereInputsAreSpreadBest) {
  TestGraph g(4);
  const auto mapped = [&](std::vector<unsigned> tileOf) {
    const auto t = g.graph.addVariable(poplar::FLOAT, {tileOf.size()}, "t");
    for (std::size_t i = 0; i != tileOf.size(); ++i)
      g.graph.setTileMapping(t[i], tileOf[i]);
    return t;
  };
  const auto even = mapped({0, 0, 1, 1, 2, 2, 3, 3}), scattered = mapped({0, 1, 2, 3, 0, 1, 2, 3}),
             uneven = mapped({0, 0, 0, 1, 1, 2, 2, 3});
  const auto mappingFor = [&](std::vector<poplar::Tensor> inputs) {
    return g.graph.getTileMapping(
        popops::createOutputForElementWiseOp(g.graph, inputs, poplar::FLOAT));
  };
  EXPECT_EQ(mappingFor({uneven, even}), g.graph.getTileMapping(even)) << "two on each tile";
  EXPECT_EQ(mappingFor({scattered, even}), g.graph.getTileMapping(even)) << "fewer regions";
  EXPECT_EQ(mappingFor({scattered, uneven}), g.graph.getTileMapping(scattered));
}
