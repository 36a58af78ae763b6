#include "Harness.hpp"

#include <poplar/exceptions.hpp>
#include <poplin/FullyConnected.hpp>
#include <poplin/codelets.hpp>
#include <popnn/Lstm.hpp>
#include <popnn/Recurrent.hpp>
#include <popnn/codelets.hpp>
#include <popops/Zero.hpp>

#include <gtest/gtest.h>

using namespace harness;
using poplar::FLOAT;
namespace rnn = popnn::rnn;
constexpr auto kTanh = popnn::NonLinearityType::TANH;

namespace {

constexpr std::size_t kSteps = 3, kBatch = 2, kIn = 4, kOut = 3;

// The layer in double precision; all arrays are flat.
struct Layer {
  std::vector<float> x = randomFloats(kSteps * kBatch * kIn, 1);
  std::vector<float> h = randomFloats(kBatch * kOut, 2);
  std::vector<float> wi = randomFloats(kIn * kOut, 3, -0.7f, 0.7f);
  std::vector<float> wf = randomFloats(kOut * kOut, 4, -0.7f, 0.7f);
  std::vector<float> b = randomFloats(kOut, 5);

  std::vector<double> outputs() const {
    std::vector<double> y(kSteps * kBatch * kOut), before(h.begin(), h.end());
    for (std::size_t t = 0; t != kSteps; ++t) {
      std::vector<double> now(kBatch * kOut);
      for (std::size_t s = 0; s != kBatch; ++s)
        for (std::size_t o = 0; o != kOut; ++o) {
          double sum = static_cast<double>(b[o]);
          for (std::size_t i = 0; i != kIn; ++i)
            sum += static_cast<double>(x[(t * kBatch + s) * kIn + i]) *
                   static_cast<double>(wi[i * kOut + o]);
          for (std::size_t i = 0; i != kOut; ++i)
            sum += before[s * kOut + i] * static_cast<double>(wf[i * kOut + o]);
          now[s * kOut + o] = y[(t * kBatch + s) * kOut + o] = std::tanh(sum);
        }
      before = now;
    }
    return y;
  }
  // Outputs weighted by `grad`, which is [batch][steps][output].
  double loss(const std::vector<float>& grad) const {
    const auto y = outputs();
    double sum = 0;
    for (std::size_t t = 0; t != kSteps; ++t)
      for (std::size_t s = 0; s != kBatch; ++s)
        for (std::size_t o = 0; o != kOut; ++o)
          sum += y[(t * kBatch + s) * kOut + o] *
                 static_cast<double>(grad[(s * kSteps + t) * kOut + o]);
    return sum;
  }
};

void expectSlope(const std::vector<float>& found, const Layer& layer,
                 std::vector<float> Layer::*what, const std::vector<float>& grad) {
  ASSERT_EQ(found.size(), (layer.*what).size());
  const float e = 1.0f / 256;
  for (std::size_t i = 0; i != found.size(); ++i) {
    auto up = layer, down = layer;
    (up.*what)[i] += e;
    (down.*what)[i] -= e;
    const auto slope = (up.loss(grad) - down.loss(grad)) /
                       (static_cast<double>((up.*what)[i]) - static_cast<double>((down.*what)[i]));
    EXPECT_NEAR(static_cast<double>(found[i]), slope, 1e-4) << i;
  }
}

struct LayerTensors : TestGraph {
  Layer layer;
  poplar::Tensor x, h, wi, wf, b;

  LayerTensors() : TestGraph(8) {
    poplin::addCodelets(graph);
    popnn::addCodelets(graph);
    x = rnn::createInput(graph, kSteps, kBatch, kIn, kOut, FLOAT);
    h = rnn::createFwdState(graph, FLOAT, kBatch, kOut, prog, false, false);
    wi = rnn::createWeightsInput(graph, kSteps, kBatch, kIn, kOut, FLOAT);
    wf = rnn::createWeightsFeedback(graph, kBatch, kOut, FLOAT);
    b = input(FLOAT, {kOut}, layer.b);
    setValues(x, layer.x);
    setValues(h, layer.h);
    setValues(wi, layer.wi);
    setValues(wf, layer.wf);
  }
};

} // namespace

TEST(VanillaRnn, StepsAndSequencesFollowTheEquation) {
  LayerTensors g;
  const auto weighted = rnn::forwardWeightInput(g.graph, g.x, g.wi, g.prog);
  const auto unrolled =
      g.output(rnn::forwardIterate(g.graph, weighted, g.h, g.wf, g.b, g.prog, kTanh));
  const auto looped = g.output(rnn::rnnFwdSequence(g.graph, g.prog, g.h, nullptr, g.b, g.wi, g.wf,
                                                   g.x, kTanh, FLOAT, false));
  const auto fromWeighted =
      g.output(rnn::rnnFwdSequence(g.graph, g.prog, rnn::getOutputFromFwdState(g.h), &weighted, g.b,
                                   g.wi, g.wf, g.x, kTanh, FLOAT, true));
  g.run();
  const auto expected = g.layer.outputs();
  for (const auto& handle : {unrolled, looped, fromWeighted}) {
    const auto found = g.read<float>(handle);
    for (std::size_t i = 0; i != expected.size(); ++i)
      EXPECT_NEAR(static_cast<double>(found[i]), expected[i], 1e-5) << handle << ' ' << i;
  }
}

TEST(VanillaRnn, GradientsGoBackThroughAllSteps) {
  LayerTensors g;
  const auto y =
      rnn::rnnFwdSequence(g.graph, g.prog, g.h, nullptr, g.b, g.wi, g.wf, g.x, kTanh, FLOAT, false);
  const auto grad = randomFloats(kSteps * kBatch * kOut, 6);
  const auto dy = g.input(FLOAT, {kBatch, kSteps, kOut}, grad);
  const auto gradients = rnn::rnnBwdSequence(g.graph, true, false, g.prog, g.h, y, g.b, g.wi, g.wf,
                                             dy, g.x, kTanh, FLOAT);
  const auto none = rnn::rnnBwdSequence(g.graph, false, true, g.prog, g.h, y, g.b, g.wi, g.wf, dy,
                                        g.x, kTanh, FLOAT);
  EXPECT_FALSE(std::get<0>(none).valid());
  EXPECT_FALSE(std::get<1>(none).valid());
  const auto dx = g.output(std::get<0>(gradients)), dwi = g.output(std::get<1>(gradients)),
             dwf = g.output(std::get<2>(gradients)), db = g.output(std::get<3>(gradients));
  g.run();
  expectSlope(g.read<float>(dx), g.layer, &Layer::x, grad);
  expectSlope(g.read<float>(dwi), g.layer, &Layer::wi, grad);
  expectSlope(g.read<float>(dwf), g.layer, &Layer::wf, grad);
  expectSlope(g.read<float>(db), g.layer, &Layer::b, grad);
}

TEST(VanillaRnn, OneStepBackGivesTheGradientOfItsInput) {
  LayerTensors g;
  const auto y =
      rnn::rnnFwdSequence(g.graph, g.prog, g.h, nullptr, g.b, g.wi, g.wf, g.x, kTanh, FLOAT, false);
  auto grad = std::vector<float>(kSteps * kBatch * kOut, 0); // of the last step alone
  const auto last = randomFloats(kBatch * kOut, 7);
  for (std::size_t s = 0; s != kBatch; ++s)
    for (std::size_t o = 0; o != kOut; ++o)
      grad[(s * kSteps + kSteps - 1) * kOut + o] = last[s * kOut + o];
  const auto state = rnn::createBwdState(g.graph, FLOAT, kBatch, kOut, g.prog);
  const auto both = rnn::backwardGradientStep(g.graph, g.input(FLOAT, {kBatch, kOut}, last), state,
                                              y[kSteps - 1], g.wi, g.wf, g.prog, kTanh);
  auto dwi = g.graph.clone(g.wi), dwf = g.graph.clone(g.wf), db = g.graph.clone(g.b);
  for (const auto& t : {dwi, dwf, db})
    popops::zero(g.graph, t, g.prog);
  rnn::paramDeltaUpdate(g.graph, both.second, g.x[kSteps - 1], y[kSteps - 2], dwi, dwf, db, g.prog);
  const auto dx = g.output(both.first), atSum = g.output(both.second), bias = g.output(db);
  g.run();
  const auto found = g.read<float>(dx), sums = g.read<float>(atSum), biases = g.read<float>(bias);
  auto lastStep = g.layer;
  const float e = 1.0f / 256;
  for (std::size_t i = 0; i != found.size(); ++i) {
    auto up = lastStep, down = lastStep;
    const auto at = (kSteps - 1) * kBatch * kIn + i;
    up.x[at] += e;
    down.x[at] -= e;
    const auto width = static_cast<double>(up.x[at]) - static_cast<double>(down.x[at]);
    EXPECT_NEAR(static_cast<double>(found[i]), (up.loss(grad) - down.loss(grad)) / width, 1e-4);
  }
  for (std::size_t o = 0; o != kOut; ++o)
    EXPECT_NEAR(biases[o], sums[o] + sums[kOut + o], 1e-6f);
}

TEST(FullyConnected, NamesTheProductsOfItsPasses) {
  const poplin::fc::FullyConnectedParams layer{2, 8, 5, 3};
  const auto products = poplin::fc::getMatMulPrePlanParameters(
      layer, {{"availableMemoryProportion", "0.3"}}, FLOAT, false);
  ASSERT_EQ(products.size(), 3u);
  EXPECT_EQ(products[0].first.aShape, (Shape{2, 8, 5}));
  EXPECT_EQ(products[0].first.bShape, (Shape{2, 5, 3}));
  EXPECT_EQ(products[1].first.aShape, (Shape{2, 8, 3}));
  EXPECT_EQ(products[1].first.bShape, (Shape{2, 3, 5}));
  EXPECT_EQ(products[2].first.aShape, (Shape{2, 5, 8}));
  EXPECT_EQ(products[2].first.bShape, (Shape{2, 8, 3}));
  EXPECT_EQ(products[1].second.at("fullyConnectedPass"), "TRAINING_BWD");
  EXPECT_EQ(products[2].second.at("availableMemoryProportion"), "0.3");
  EXPECT_EQ(poplin::fc::getMatMulPrePlanParameters(layer, {}, FLOAT, true).size(), 1u);
}

TEST(VanillaRnn, NamesItsProductsAsAnLstmDoes) {
  const auto device = makeDevice(4);
  poplin::PlanningCache cache;
  std::set<poplin::MatMulPlanParams> all;
  const auto plain = rnn::getMatMulPrePlanParameters(kSteps, kBatch, kIn, kOut, FLOAT);
  const auto ofLstm = popnn::lstm::getMatMulPrePlanParameters(
      popnn::lstm::LstmParams(FLOAT, kBatch, kSteps, {kIn, kOut}),
      {{"partialsType", "half"}, {"inferenceOnly", "true"}});
  EXPECT_EQ(plain.size(), 6u);
  EXPECT_EQ(plain[0].first.bShape, (Shape{1, kIn, kOut}));
  ASSERT_EQ(ofLstm.size(), 1u);
  EXPECT_EQ(ofLstm[0].first.bShape, (Shape{1, kIn + kOut, 4 * kOut}));
  for (const auto* products : {&plain, &ofLstm})
    for (const auto& product : *products)
      all.emplace(&device.getTarget(), product.first, &product.second);
  poplin::preplanMatMuls(all, cache);
  EXPECT_THROW(popnn::lstm::getMatMulPrePlanParameters(
                   popnn::lstm::LstmParams(FLOAT, kBatch, kSteps, {kIn, kOut}), {{"none", "1"}}),
               poplar::invalid_option);
}

TEST(VanillaRnn, CountsMultiplicationsAndAdditions) {
  // 2 * 3 rows; a sum of n products takes 2 n - 1 operations.
  EXPECT_EQ(rnn::getFwdFlops(2, 3, 4, 5, false), 6u * 5 * 9 + 2 * 2 * 5);
  EXPECT_EQ(rnn::getFwdFlops(2, 3, 4, 5), 6u * 5 * 9 + 2 * 2 * 5 + 6 * 5 * 7);
  EXPECT_EQ(rnn::getBwdFlops(2, 3, 4, 5), 6u * 5 * 9 + 6 * 5 * 7);
  EXPECT_EQ(rnn::getWuFlops(2, 3, 4, 5), (4u + 5) * 5 * 11 + 5 * 5 + (4 + 5 + 1) * 5);
}
