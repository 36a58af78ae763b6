#include "Harness.hpp"

#include <popnn/Loss.hpp>
#include <popnn/NonLinearity.hpp>
#include <popnn/NonLinearityDefUtil.hpp>
#include <popnn/SpatialSoftMax.hpp>
#include <popnn/codelets.hpp>
#include <popops/NormaliseImage.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

using namespace harness;
using popnn::NonLinearityType;

TEST(Loss, LargestAndSmallestComeWithTheirPlaces) {
  TestGraph g;
  const auto x = g.input<float>(poplar::FLOAT, {2, 4}, {1, 5, -2, 3, 0, -1, 7, 2});
  const auto largest = popnn::maxAndArgMax(g.graph, x, g.prog);
  const auto smallest = popnn::minAndArgMin(g.graph, x, g.prog);
  const auto a = g.output(largest.first), b = g.output(largest.second),
             c = g.output(smallest.first), d = g.output(smallest.second);
  g.run();
  EXPECT_EQ(g.read<float>(a), (std::vector<float>{5, 7}));
  EXPECT_EQ(g.read<unsigned>(b), (std::vector<unsigned>{1, 2}));
  EXPECT_EQ(g.read<float>(c), (std::vector<float>{-2, -1}));
  EXPECT_EQ(g.read<unsigned>(d), (std::vector<unsigned>{2, 1}));
  EXPECT_THROW(popnn::maxAndArgMax(g.graph, x[0], g.prog), poputil::poplibs_error);
}

TEST(NonLinearity, ScaledSoftmaxSaysWhatItContains) {
  TestGraph g;
  popnn::addCodelets(g.graph);
  const auto x = g.input<float>(poplar::FLOAT, {1, 3}, {0, 1, 2});
  float scaling = 0, none = 0;
  const auto scaled =
      popnn::nonLinearity(g.graph, NonLinearityType::SOFTMAX_SCALED, x, scaling, g.prog);
  const auto plain = popnn::nonLinearity(g.graph, NonLinearityType::SOFTMAX, x, none, g.prog);
  const auto gradient = g.input<float>(poplar::FLOAT, {1, 3}, {1, -2, 0.5f});
  const auto ofScaled = g.output(popnn::nonLinearityInputGradient(
      g.graph, NonLinearityType::SOFTMAX_SCALED, scaled, gradient, g.prog));
  const auto ofPlain = g.output(popnn::nonLinearityInputGradient(g.graph, NonLinearityType::SOFTMAX,
                                                                 plain, gradient, g.prog));
  const auto a = g.output(scaled), b = g.output(plain);
  g.run();
  EXPECT_EQ(scaling, popnn::SOFTMAX_SCALING);
  EXPECT_EQ(none, 1.0f);
  for (std::size_t i = 0; i != 3; ++i) {
    EXPECT_NEAR(g.read<float>(a)[i], 16384 * g.read<float>(b)[i], 0.01f);
    EXPECT_NEAR(g.read<float>(ofScaled)[i], 16384 * g.read<float>(ofPlain)[i], 0.01f);
  }
}

TEST(NonLinearity, GeluKeepsItsDigitsInTheTail) {
  const std::vector<float> values = {-100, -5.5f, -4, 0, 1, 7};
  TestGraph g;
  const auto x = g.input<float>(poplar::FLOAT, {values.size()}, values);
  const auto y = g.output(popnn::nonLinearity(g.graph, NonLinearityType::GELU, x, g.prog));
  g.run();
  const auto result = g.read<float>(y);
  for (std::size_t i = 0; i != values.size(); ++i) {
    const double v = values[i];
    const double expected =
        v / (1 + std::exp(-2 * 0.7978845608028654 * (v + 0.044715 * v * v * v)));
    EXPECT_NEAR(result[i], expected, 1e-5 * std::fabs(expected)) << v;
  }
}

TEST(NonLinearity, SharesAComputeSet) {
  TestGraph g;
  popnn::addCodelets(g.graph);
  const auto a = g.input<float>(poplar::FLOAT, {3}, {-1, 0, 2});
  const auto b = g.input<float>(poplar::FLOAT, {2}, {-3, 5});
  auto cs = g.graph.addComputeSet("both");
  float scaling = 0;
  popnn::nonLinearityInPlace(g.graph, NonLinearityType::RELU, a, cs);
  popnn::nonLinearityInPlace(g.graph, NonLinearityType::RELU, b, scaling, cs);
  auto gradient = g.graph.addComputeSet("gradient");
  const auto slope = popnn::nonLinearityInputGradient(
      g.graph, NonLinearityType::RELU, a, g.input<float>(poplar::FLOAT, {3}, {7, 8, 9}), gradient);
  g.prog.add(poplar::program::Execute(cs));
  g.prog.add(poplar::program::Execute(gradient));
  const auto x = g.output(a), y = g.output(b), z = g.output(slope);
  g.run();
  EXPECT_EQ(scaling, 1.0f);
  EXPECT_EQ(g.read<float>(x), (std::vector<float>{0, 0, 2}));
  EXPECT_EQ(g.read<float>(y), (std::vector<float>{0, 5}));
  EXPECT_EQ(g.read<float>(z), (std::vector<float>{0, 0, 9}));
  EXPECT_THROW(popnn::nonLinearityInPlace(g.graph, NonLinearityType::SOFTMAX, a, cs),
               poputil::poplibs_error);
}

TEST(NonLinearity, TheStableScaledSoftmaxHasItsOwnName) {
  TestGraph g;
  popnn::addCodelets(g.graph);
  const auto x = g.input<float>(poplar::FLOAT, {1, 2}, {300, 300});
  float scaling = 0;
  const auto y = g.output(popnn::scaledSoftmaxStable(g.graph, x, scaling, g.prog));
  popnn::scaledSoftmaxStableInPlace(g.graph, x, g.prog);
  const auto z = g.output(x);
  g.run();
  EXPECT_EQ(g.read<float>(y), (std::vector<float>{0.5f * scaling, 0.5f * scaling}));
  EXPECT_EQ(g.read<float>(z), g.read<float>(y));
}

TEST(NonLinearity, NamesAreReadAndWritten) {
  for (const auto type : {NonLinearityType::RELU, NonLinearityType::SOFTMAX_STABLE}) {
    std::stringstream text;
    text << type;
    EXPECT_EQ(text.str(), popnn::asString(type));
    NonLinearityType back{};
    text >> back;
    EXPECT_EQ(back, type);
  }
  EXPECT_EQ(poputil::templateVertex("V", poplar::HALF, NonLinearityType::TANH),
            "V<half,popnn::NonLinearityType::TANH>");
  EXPECT_THROW(poputil::templateVertex("V", NonLinearityType::SOFTMAX), poputil::poplibs_error);
}

TEST(SpatialSoftMax, GivesExpectedCoordinates) {
  TestGraph g;
  popnn::addCodelets(g.graph);
  // Two fields of 2 x 3; the weights are a softmax over all twelve elements.
  const std::vector<float> fields{0, 1, 2, 1, 0, 0, 3, 0, 0, 0, 0, 1};
  const auto x = g.input<float>(poplar::FLOAT, {2, 2, 3}, fields);
  const auto result = popnn::spatialSoftMax2D(g.graph, g.prog, x, 2.0f);
  const auto raw = popnn::spatialSoftMax2D(g.graph, g.prog, x, 1.0f, true);
  ASSERT_EQ(result.first.shape(), (Shape{2, 2}));
  const auto a = g.output(result.first), t = g.output(result.second), b = g.output(raw.first);
  g.run();
  EXPECT_EQ(g.read<float>(t), std::vector<float>{2});
  double sum = 0;
  for (const float f : fields)
    sum += std::exp(f / 2);
  std::vector<double> expected(4), unweighted(4);
  for (std::size_t i = 0; i != fields.size(); ++i) {
    const double y = i % 6 / 3 == 0 ? -1 : 1, weight = std::exp(fields[i] / 2) / sum;
    const double along = static_cast<double>(i % 3) - 1;
    expected[i / 6 * 2] += weight * y;
    expected[i / 6 * 2 + 1] += weight * along;
    unweighted[i / 6 * 2] += fields[i] * y;
    unweighted[i / 6 * 2 + 1] += fields[i] * along;
  }
  for (std::size_t i = 0; i != 4; ++i) {
    EXPECT_NEAR(g.read<float>(a)[i], expected[i], 1e-6);
    EXPECT_NEAR(g.read<float>(b)[i], unweighted[i], 1e-6);
  }
  EXPECT_THROW(popnn::spatialSoftMax2D(g.graph, g.prog, x[0], 1), poputil::poplibs_error);
}

TEST(NormaliseImage, ScalesChannelsAndAddsAFourth) {
  TestGraph g;
  const auto image =
      popops::createNormaliseImageInput(g.graph, poplar::UNSIGNED_CHAR, {2, 2, 3}, "image");
  g.setValues<unsigned char>(image, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255});
  const auto offsets = g.input<float>(poplar::HALF, {3}, {1, 0, -1});
  const auto scales = g.input<float>(poplar::HALF, {3}, {2, 1, 0.5f});
  const auto out = popops::normaliseImage(g.graph, g.prog, image, 0.5f, offsets, scales);
  EXPECT_EQ(out.shape(), (Shape{2, 2, 4}));
  EXPECT_EQ(out.elementType(), poplar::HALF);
  const auto handle = g.output(out);
  g.run();
  const std::vector<float> expected{-2, 0.5f, 1,    0, 1, 2, 1.75f,  0,
                                    4,  3.5f, 2.5f, 0, 7, 5, 64.25f, 0};
  EXPECT_EQ(g.read<float>(handle), expected);
  EXPECT_THROW(popops::createNormaliseImageInput(g.graph, poplar::INT, {2, 3}),
               poputil::poplibs_error);
  EXPECT_THROW(popops::normaliseImage(g.graph, g.prog, image, 0, offsets, scales),
               poputil::poplibs_error);
  EXPECT_THROW(popops::normaliseImage(g.graph, g.prog, image, 1, offsets[0], scales),
               poputil::poplibs_error);
}
