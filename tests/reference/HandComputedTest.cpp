// One neuron, three steps, numbers worked out on paper.
#include "network/UserError.hpp"
#include "reference/GradientCheck.hpp"
#include "reference/Reference.hpp"
#include "reference/Surrogate.hpp"
#include "support/RandomNetworks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace spillway::reference {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

auto near(double x) {
  return DoubleNear(x, 1e-12);
}

// One input that is active at every step, one neuron, one output; all gains are 1.
NetworkSpec oneNeuron() {
  NetworkSpec network;
  network.numInputs = 1;
  network.layers.resize(1);
  network.layers[0].size = 1;
  network.layers[0].alpha = 0.5;
  network.layers[0].kappa = 2.0;
  network.readout.numOutputs = 1;
  network.readout.bias = false;
  network.readout.alpha = 0.5;
  network.readout.kappa = 2.0;
  network.readout.reduction = ReadoutReduction::Last;
  network.loss.kind = LossKind::MeanSquared;
  return network;
}

DenseSet weights(const NetworkSpec& network, double hidden, double readout) {
  DenseSet set = zeros(network);
  find(set, "layer0/weight")->values = {hidden};
  find(set, "readout/weight")->values = {readout};
  return set;
}

EventBatch threeSteps() {
  EventBatch batch;
  batch.numSteps = 3;
  batch.numSamples = batch.numInputs = batch.maxEvents = 1;
  batch.ids = {0, 0, 0};
  batch.counts = {1, 1, 1};
  batch.targets = {0.0f};
  return batch;
}

TEST(HandComputed, ResetToZeroDiscardsTheState) {
  const NetworkSpec network = oneNeuron();
  const ReferenceResult result = evaluate(network, weights(network, 0.8, 0.5), threeSteps());
  EXPECT_THAT(result.samples[0].layers[0].u, ElementsAre(near(0.8), near(1.2), near(0.8)));
  EXPECT_EQ(result.samples[0].layers[0].active[1].numSpikes, 1u);
  // The spike of step 1 reaches the readout at step 2.
  EXPECT_THAT(result.samples[0].readout, ElementsAre(near(0.0), near(0.0), near(0.5)));
  EXPECT_NEAR(result.loss, 0.25, 1e-12);
}

TEST(HandComputed, SubtractionKeepsTheExcess) {
  NetworkSpec network = oneNeuron();
  network.layers[0].reset = ResetMode::Subtract;
  const ReferenceResult result = evaluate(network, weights(network, 0.8, 0.5), threeSteps());
  EXPECT_THAT(result.samples[0].layers[0].u, ElementsAre(near(0.8), near(1.2), near(0.9)));
}

TEST(HandComputed, AdaptationRaisesTheThresholdOneStepLater) {
  NetworkSpec network = oneNeuron();
  network.layers[0].neuron = NeuronKind::Alif;
  network.layers[0].rho = 0.75;
  network.layers[0].beta = 2.0;
  const ReferenceResult result = evaluate(network, weights(network, 1.2, 0.5), threeSteps());
  const LayerTrace& layer = result.samples[0].layers[0];
  EXPECT_THAT(layer.u, ElementsAre(near(1.2), near(1.2), near(1.8)));
  EXPECT_THAT(layer.adaptation, ElementsAre(near(0.0), near(0.25), near(0.1875)));
  EXPECT_EQ(layer.active[0].numSpikes, 1u);
  EXPECT_EQ(layer.active[1].numSpikes, 0u); // 1.2 < 1 + 2 * 0.25
  EXPECT_EQ(layer.active[2].numSpikes, 1u); // 1.8 > 1 + 2 * 0.1875
}

// dv = (1/4, 1/2, 1); dz0 = w dv1 = 1/4, dz1 = w dv2 = 1/2; phi(+-0.2) = 1/9:
// du1 = 1/18, du0 = du1/2 + 1/36 = 1/18.
TEST(HandComputed, GradientOfThreeSteps) {
  const NetworkSpec network = oneNeuron();
  const ReferenceResult result = differentiate(network, weights(network, 0.8, 0.5), threeSteps());
  EXPECT_THAT(result.gradients[0].values, ElementsAre(near(1.0 / 9)));
  EXPECT_THAT(result.gradients[1].values, ElementsAre(near(1.0)));
}

// Silent at steps 0 and 2, spiking at 1; with the second threshold above 0.8 only step 1 gives a
// gradient.
TEST(HandComputed, SecondThresholdSelectsWhoReceives) {
  NetworkSpec network = oneNeuron();
  network.layers[0].gradientTheta = 0.9;
  const ReferenceResult result = differentiate(network, weights(network, 0.8, 0.5), threeSteps());
  EXPECT_THAT(result.gradients[0].values, ElementsAre(near(1.0 / 18 + 1.0 / 36)));
}

TEST(HandComputed, SurrogatesAtTheirEdges) {
  const double w = 0.5, scale = 3.0;
  const auto phi = [&](SurrogateKind kind, double x) {
    return surrogateDerivative({kind, w, scale}, x);
  };
  for (SurrogateKind kind : {SurrogateKind::Superspike, SurrogateKind::Triangle, SurrogateKind::Box,
                             SurrogateKind::Arctan}) {
    EXPECT_EQ(phi(kind, 0.0), scale);
    EXPECT_EQ(phi(kind, 0.3), phi(kind, -0.3));
  }
  EXPECT_NEAR(phi(SurrogateKind::Superspike, w), scale / 4, 1e-12);
  EXPECT_NEAR(phi(SurrogateKind::Triangle, w / 2), scale / 2, 1e-12);
  EXPECT_EQ(phi(SurrogateKind::Triangle, 2 * w), 0.0);
  EXPECT_EQ(phi(SurrogateKind::Box, w), 0.0);
  EXPECT_EQ(phi(SurrogateKind::Box, 0.99 * w), scale);
  EXPECT_NEAR(phi(SurrogateKind::Arctan, 2 * w / M_PI), scale / 2, 1e-12);
}

// Four neurons get the same drive and spike together; two fit. All four are reset.
TEST(HandComputed, OverflowDropsTheHighIdsButResetsThem) {
  NetworkSpec network = oneNeuron();
  network.layers[0].size = 4;
  network.layers[0].maxActive = 2;
  network.layers[0].gradientTheta = 0.5;
  DenseSet parameters = zeros(network);
  find(parameters, "layer0/weight")->values = {1.5, 1.5, 1.5, 1.5};
  find(parameters, "readout/weight")->values = {1.0, 10.0, 100.0, 1000.0};
  const ReferenceResult result = differentiate(network, parameters, threeSteps());
  const LayerTrace& layer = result.samples[0].layers[0];
  EXPECT_THAT(layer.active[0].ids, ElementsAre(0u, 1u));
  EXPECT_EQ(layer.active[0].numSpikes, 2u);
  EXPECT_EQ(layer.active[0].dropped.size(), 2u);
  EXPECT_THAT(layer.u, testing::Each(near(1.5)));
  EXPECT_NEAR(result.samples[0].readout[1], 11.0, 1e-12);
  EXPECT_EQ(find(result.gradients, "layer0/weight")->values[2], 0.0);
  EXPECT_NE(find(result.gradients, "layer0/weight")->values[1], 0.0);
}

TEST(HandComputed, WhereAllLearnTheCapLimitsOnlyWhatIsSent) {
  NetworkSpec network = oneNeuron();
  network.layers[0].size = 3;
  network.layers[0].maxActive = 1;
  DenseSet parameters = zeros(network);
  find(parameters, "layer0/weight")->values = {1.5, 1.5, 0.5};
  find(parameters, "readout/weight")->values = {1.0, 10.0, 100.0};
  const ReferenceResult result = differentiate(network, parameters, threeSteps());
  const LayerTrace& layer = result.samples[0].layers[0];
  EXPECT_EQ(layer.active[0].numSpikes, 1u);
  EXPECT_THAT(layer.active[0].ids, ElementsAre(0u, 1u, 2u));
  EXPECT_NEAR(result.samples[0].readout[1], 1.0, 1e-12);
  EXPECT_NE(find(result.gradients, "layer0/weight")->values[1], 0.0);
  EXPECT_NE(find(result.gradients, "layer0/weight")->values[2], 0.0);
}

TEST(HandComputed, CapOfTheLayersSizeAndSecondThresholdAtMinusInfinityAreTheDenseNetwork) {
  NetworkSpec network = spillway::test::smallNetwork();
  const EventBatch batch = spillway::test::randomBatch(network, 15, 3, 0.4, 4);
  const DenseSet parameters = toDense(network, spillway::test::randomParameters(network, 4));
  const ReferenceResult dense = differentiate(network, parameters, batch);
  for (LayerSpec& layer : network.layers) {
    layer.maxActive = layer.size;
  }
  const ReferenceResult sparse = differentiate(network, parameters, batch);
  for (std::size_t i = 0; i < dense.gradients.size(); ++i) {
    EXPECT_EQ(sparse.gradients[i].values, dense.gradients[i].values);
  }
  for (const ActiveList& list : sparse.samples[0].layers[0].active) {
    EXPECT_EQ(list.ids.size(), network.layers[0].size); // everyone receives a gradient
  }
}

TEST(HandComputed, MaximumTakesTheFirstOfEqualSteps) {
  NetworkSpec network = oneNeuron();
  network.readout.reduction = ReadoutReduction::Max;
  network.readout.bias = true;
  network.readout.alpha = 0.0;
  network.readout.kappa = 1.0;
  DenseSet parameters = weights(network, 0.0, 1.0); // no spikes: v = bias at every step
  find(parameters, "readout/bias")->values = {2.0};
  const ReferenceResult result = differentiate(network, parameters, threeSteps());
  EXPECT_NEAR(find(result.gradients, "readout/bias")->values[0], 4.0, 1e-12); // once, not thrice
}

TEST(HandComputed, UnlabelledSamplesWeighNothing) {
  NetworkSpec network = spillway::test::smallNetwork();
  EventBatch both = spillway::test::randomBatch(network, 10, 2, 0.4, 3);
  both.labels = {1, EventBatch::kNoLabel};
  EventBatch one = both;
  one.numSamples = 1;
  one.ids.clear();
  one.counts.clear();
  one.labels = {1};
  for (std::uint32_t t = 0; t < 10; ++t) {
    one.counts.push_back(both.counts[2 * t]);
    one.ids.insert(one.ids.end(), both.ids.begin() + 2 * t * 6, both.ids.begin() + 2 * t * 6 + 6);
  }
  const DenseSet parameters = toDense(network, spillway::test::randomParameters(network, 3));
  const ReferenceResult a = differentiate(network, parameters, both);
  const ReferenceResult b = differentiate(network, parameters, one);
  EXPECT_EQ(a.numLabels, 1u);
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.gradients[0].values, b.gradients[0].values);
}

TEST(HandComputed, BatchesThatDoNotFitAreRefused) {
  const NetworkSpec network = oneNeuron();
  EventBatch batch = threeSteps();
  batch.ids[2] = 1;
  EXPECT_THROW(checkBatch(network, batch), UserError);
  batch = threeSteps();
  batch.counts[1] = 2;
  EXPECT_THROW(checkBatch(network, batch), UserError);
  batch = threeSteps();
  batch.targets.push_back(1.0f);
  EXPECT_THROW(checkBatch(network, batch), UserError);
}

TEST(GradientCheck, MeasuresTheRelativeError) {
  const NetworkSpec network = oneNeuron();
  DenseSet reference = weights(network, 3.0, 4.0);
  ParameterSet gradients = toParameters(reference);
  EXPECT_EQ(compareGradients(gradients, reference)[0].relativeError, 0.0);
  gradients[1].values[0] = 5.0f;
  EXPECT_NEAR(compareGradients(gradients, reference)[1].relativeError, 0.25, 1e-12);
  gradients[1].values[0] = NAN;
  EXPECT_EQ(compareGradients(gradients, reference)[1].largestError, INFINITY);
}

} // namespace
} // namespace spillway::reference
