#include "Harness.hpp"

#include <gcl/Collectives.hpp>
#include <poplar/exceptions.hpp>
#include <poplin/codelets.hpp>
#include <popnn/BatchNorm.hpp>
#include <popnn/GroupNorm.hpp>
#include <popnn/InstanceNorm.hpp>
#include <popnn/LayerNorm.hpp>
#include <popnn/Norms.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

using namespace harness;

namespace {

constexpr float kEps = 1e-3f;
constexpr std::size_t kBatch = 4, kChannels = 6, kField = 5;
const Shape kShape = {kBatch, kChannels, kField};
constexpr std::size_t kSize = kBatch * kChannels * kField;

// Which statistic an element belongs to.
using SetOf = std::size_t (*)(std::size_t sample, std::size_t channel);

std::vector<std::size_t> setsOf(SetOf set) {
  std::vector<std::size_t> sets(kSize);
  for (std::size_t i = 0; i != kSize; ++i)
    sets[i] = set(i / (kChannels * kField), i / kField % kChannels);
  return sets;
}

struct Expected {
  std::vector<double> mean, invStdDev, whitened;
};

Expected normalise(const std::vector<float>& x, const std::vector<std::size_t>& sets,
                   std::size_t numSets, bool unbiased) {
  std::vector<double> count(numSets), mean(numSets), variance(numSets), whitened(x.size());
  for (std::size_t i = 0; i != x.size(); ++i) {
    count[sets[i]] += 1;
    mean[sets[i]] += x[i];
  }
  for (std::size_t s = 0; s != numSets; ++s)
    mean[s] /= count[s];
  for (std::size_t i = 0; i != x.size(); ++i)
    variance[sets[i]] += (x[i] - mean[sets[i]]) * (x[i] - mean[sets[i]]);
  for (std::size_t s = 0; s != numSets; ++s)
    variance[s] = 1 / std::sqrt(variance[s] / (count[s] - unbiased) + kEps);
  for (std::size_t i = 0; i != x.size(); ++i)
    whitened[i] = (x[i] - mean[sets[i]]) * variance[sets[i]];
  return {mean, variance, whitened};
}

// sum of g * y over all elements, as a function of x: what a gradient is checked against.
double loss(const std::vector<float>& x, const std::vector<float>& g,
            const std::vector<float>& gamma, const std::vector<std::size_t>& sets,
            std::size_t numSets) {
  const auto e = normalise(x, sets, numSets, false);
  double sum = 0;
  for (std::size_t i = 0; i != x.size(); ++i)
    sum += g[i] * gamma[i / kField % kChannels] * e.whitened[i];
  return sum;
}

void expectNear(const std::vector<float>& got, const std::vector<double>& expected,
                double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i != got.size(); ++i)
    EXPECT_NEAR(got[i], expected[i], tolerance) << i;
}

// Runs a layer by the group norm functions and checks statistics, result and gradients.
void checkGroups(unsigned numGroups, SetOf set, const poplar::OptionFlags& options) {
  TestGraph g(9);
  const auto numSets = kBatch * numGroups;
  const auto sets = setsOf(set);
  const auto x = randomFloats(kSize, 1), grad = randomFloats(kSize, 2);
  const auto gamma = randomFloats(kChannels, 3), beta = randomFloats(kChannels, 4);
  const auto acts = g.input(poplar::FLOAT, kShape, x);
  const auto grads = g.input(poplar::FLOAT, kShape, grad);
  const auto gammaIn = g.input(poplar::FLOAT, {kChannels}, gamma);
  const auto betaIn = g.input(poplar::FLOAT, {kChannels}, beta);
  namespace gn = popnn::gn;
  const auto statistics = gn::groupNormStatistics(g.graph, acts, kEps, g.prog, numGroups, false,
                                                  false, poplar::FLOAT, "statistics", options);
  const auto result = gn::groupNormalise(g.graph, acts, gammaIn, betaIn, statistics.first,
                                         statistics.second, g.prog, {}, options);
  const auto params =
      gn::groupNormParamGradients(g.graph, acts, grads, statistics.first, statistics.second, g.prog,
                                  poplar::FLOAT, {}, options);
  const auto back = gn::groupNormGradients(g.graph, result.second, grads, statistics.second,
                                           gammaIn, g.prog, poplar::FLOAT, {}, options);
  const auto mean = g.output(statistics.first), inv = g.output(statistics.second);
  const auto y = g.output(result.first), w = g.output(result.second);
  const auto dGamma = g.output(params.first), dBeta = g.output(params.second);
  const auto dx = g.output(back);
  g.run();

  const auto e = normalise(x, sets, numSets, false);
  expectNear(g.read<float>(mean), e.mean, 1e-5);
  expectNear(g.read<float>(inv), e.invStdDev, 1e-4);
  expectNear(g.read<float>(w), e.whitened, 1e-4);
  std::vector<double> expected(kSize), gammaSum(kChannels), betaSum(kChannels);
  for (std::size_t i = 0; i != kSize; ++i) {
    const auto c = i / kField % kChannels;
    expected[i] = e.whitened[i] * gamma[c] + beta[c];
    gammaSum[c] += e.whitened[i] * grad[i];
    betaSum[c] += grad[i];
  }
  expectNear(g.read<float>(y), expected, 1e-4);
  expectNear(g.read<float>(dGamma), gammaSum, 1e-3);
  expectNear(g.read<float>(dBeta), betaSum, 1e-4);
  for (std::size_t i = 0; i != kSize; ++i) {
    auto up = x, down = x;
    up[i] += 1e-3f;
    down[i] -= 1e-3f;
    expected[i] = (loss(up, grad, gamma, sets, numSets) - loss(down, grad, gamma, sets, numSets)) /
                  (static_cast<double>(up[i]) - down[i]);
  }
  expectNear(g.read<float>(dx), expected, 1e-3);
}

} // namespace

TEST(GroupNorm, TakesStridedOrConsecutiveChannels) {
  checkGroups(2, [](std::size_t n, std::size_t c) { return n * 2 + c % 2; }, {});
  checkGroups(2, [](std::size_t n, std::size_t c) { return n * 2 + c / 3; },
              {{"groupNormStridedChannelGrouping", "false"}});
}

TEST(GroupNorm, CoversLayerAndInstanceNorm) {
  checkGroups(1, [](std::size_t n, std::size_t) { return n; }, {});
  checkGroups(6, [](std::size_t n, std::size_t c) { return n * 6 + c; }, {});

  TestGraph g;
  const auto x = randomFloats(kSize, 8);
  const auto acts = g.input(poplar::FLOAT, kShape, x);
  const auto layer = popnn::ln::layerNormStatistics(g.graph, acts, kEps, g.prog, true);
  const auto instance = popnn::in::instanceNormStatistics(g.graph, acts, kEps, g.prog, true, true);
  const auto a = g.output(layer.second), b = g.output(instance.second);
  g.run();
  expectNear(
      g.read<float>(a),
      normalise(x, setsOf([](std::size_t n, std::size_t) { return n; }), kBatch, true).invStdDev,
      1e-4);
  expectNear(g.read<float>(b),
             normalise(x, setsOf([](std::size_t n, std::size_t c) { return n * kChannels + c; }),
                       kBatch * kChannels, true)
                 .invStdDev,
             1e-3);
}

TEST(GroupNorm, TheMeanOfNothingIsZero) {
  for (const Shape& shape : {Shape{2, 3, 0}, Shape{1, 0, 3}, Shape{0, 5}}) {
    TestGraph g;
    poplin::addCodelets(g.graph);
    const auto acts = g.graph.addVariable(poplar::FLOAT, shape);
    const auto [mean, inverse] =
        popnn::gn::groupNormStatistics(g.graph, acts, 0.25f, g.prog, 1, true, true, poplar::FLOAT);
    const auto m = g.output(mean), i = g.output(inverse);
    g.run();
    EXPECT_EQ(g.read<float>(m), std::vector<float>(shape[0], 0));
    EXPECT_EQ(g.read<float>(i), std::vector<float>(shape[0], 2));
  }
}

TEST(GroupNorm, RefusesUnevenGroupsAndUnknownOptions) {
  TestGraph g;
  const auto acts = g.input(poplar::FLOAT, kShape, std::vector<float>(kSize));
  EXPECT_THROW(popnn::gn::groupNormStatistics(g.graph, acts, kEps, g.prog, 4, false),
               poputil::poplibs_error);
  EXPECT_THROW(popnn::gn::groupNormStatistics(g.graph, acts, kEps, g.prog, 2, false, false,
                                              poplar::FLOAT, {}, {{"noSuchOption", "1"}}),
               poplar::invalid_option);
}

TEST(BatchNorm, NormalisesChannelsAndUpdatesItsParameters) {
  TestGraph g(9);
  const auto x = randomFloats(kSize, 1, 3, 5), grad = randomFloats(kSize, 2);
  const auto acts = g.input(poplar::FLOAT, kShape, x);
  const auto grads = g.input(poplar::FLOAT, kShape, grad);
  const std::vector<float> ones(kChannels, 1), zeros(kChannels, 0);
  auto gamma = poplin::createNormGamma(g.graph, acts), beta = poplin::createNormBeta(g.graph, acts);
  g.setValues(gamma, ones);
  g.setValues(beta, zeros);
  namespace bn = popnn::bn;
  const auto statistics =
      bn::batchNormStatistics(g.graph, acts, kEps, g.prog, false, /*stableAlgo*/ true);
  const auto result =
      bn::batchNormalise(g.graph, acts, gamma, beta, statistics.first, statistics.second, g.prog);
  const auto params = bn::batchNormParamGradients(g.graph, result.second, grads, g.prog);
  const auto back = bn::batchNormGradients(g.graph, acts, grads, statistics.first,
                                           statistics.second, gamma, g.prog);
  bn::batchNormParamUpdate(g.graph, params.first, params.second, -0.5f, gamma, beta, g.prog);
  const auto y = g.output(result.first), dx = g.output(back), newBeta = g.output(beta);
  g.run();

  const auto sets = setsOf([](std::size_t, std::size_t c) { return c; });
  expectNear(g.read<float>(y), normalise(x, sets, kChannels, false).whitened, 1e-4);
  std::vector<double> expected(kSize), betaSum(kChannels);
  for (std::size_t i = 0; i != kSize; ++i) {
    auto up = x, down = x;
    up[i] += 2e-3f;
    down[i] -= 2e-3f;
    expected[i] =
        (loss(up, grad, ones, sets, kChannels) - loss(down, grad, ones, sets, kChannels)) /
        (static_cast<double>(up[i]) - down[i]);
    betaSum[sets[i]] -= 0.5 * grad[i];
  }
  expectNear(g.read<float>(dx), expected, 2e-3);
  expectNear(g.read<float>(newBeta), betaSum, 1e-4);
}

TEST(BatchNorm, TakesTheBatchesOfSeveralReplicasTogether) {
  TestGraph g(4, 2);
  const auto x = randomFloats(kSize, 1);
  // Replica r holds samples [2 r, 2 r + 2).
  const auto all = g.input(poplar::FLOAT, kShape, x);
  const auto acts = g.graph.addVariable(poplar::FLOAT, {kBatch / 2, kChannels, kField});
  poputil::mapTensorLinearly(g.graph, acts);
  auto index = g.graph.addReplicationIndexConstant();
  g.graph.setTileMapping(index, 0);
  poplar::program::Switch choose(index);
  choose.add(0, poplar::program::Copy(all.slice(0, 2), acts));
  choose.add(1, poplar::program::Copy(all.slice(2, 4), acts));
  g.prog.add(choose);
  const auto reduce = [](poplar::Graph& graph, const std::vector<poplar::Tensor>& inputs,
                         poplar::program::Sequence& prog, unsigned groupSize,
                         const poplar::DebugContext& debugContext, const poplar::OptionFlags&) {
    EXPECT_EQ(groupSize, 2u);
    std::vector<poplar::Tensor> sums;
    for (const auto& t : inputs)
      sums.push_back(
          gcl::allReduceCrossReplica(graph, t, gcl::CollectiveOperator::ADD, prog, debugContext));
    return sums;
  };
  const auto statistics = popnn::bn::distributedBatchNormStatistics(
      g.graph, acts, kEps, g.prog, true, reduce, static_cast<unsigned>(kBatch));
  const auto mean = g.output(statistics.first), inv = g.output(statistics.second);
  g.run();
  auto e = normalise(x, setsOf([](std::size_t, std::size_t c) { return c; }), kChannels, true);
  for (auto* v : {&e.mean, &e.invStdDev})
    v->insert(v->end(), v->begin(), v->begin() + kChannels);
  expectNear(g.read<float>(mean), e.mean, 1e-5);
  expectNear(g.read<float>(inv), e.invStdDev, 1e-4);
}

TEST(Norms, HaveParametersByChannel) {
  TestGraph g;
  const auto acts = g.graph.addVariable(poplar::HALF, kShape, "acts");
  poputil::mapTensorLinearly(g.graph, acts);
  const auto [gamma, beta] = popnn::createNormParams(g.graph, acts);
  EXPECT_EQ(gamma.shape(), (Shape{popnn::numNormChannels(acts)}));
  EXPECT_EQ(beta.elementType(), poplar::HALF);
  EXPECT_EQ(popnn::numNormElemsPerChannel(acts), kBatch * kField);
}
