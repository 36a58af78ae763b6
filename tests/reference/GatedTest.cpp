// Gated units: the hand-derived adjoint against automatic differentiation, that one against finite
// differences of a smooth twin, and the claims of docs/egru.md.
#include "reference/Gated.hpp"

#include "NaiveGated.hpp"
#include "network/PruneUnits.hpp"
#include "reference/Reference.hpp"
#include "support/LanguageModels.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spillway::reference {
namespace {

using spillway::test::gatedNetwork;
using spillway::test::languageModel;
using spillway::test::regularised;
using spillway::test::valuedBatch;
using spillway::test::wordBatch;
using test::EventFunction;
using test::runNaiveGated;

struct Case {
  LayerKind kind;
  GatedConvention convention;
  bool bias, recurrentBias;
  double pseudoWidth;
};

std::vector<Case> allCases() {
  using enum LayerKind;
  using enum GatedConvention;
  return {{Egru, Code, true, true, 0.3},    {Egru, Code, false, false, 1.0},
          {Egru, Code, true, false, 0.1},   {Egru, Paper, true, false, 0.3},
          {Egru, Paper, false, false, 1.0}, {Gru, Code, true, true, 1.0},
          {Gru, Code, false, false, 1.0}};
}

NetworkSpec networkOf(const Case& c) {
  NetworkSpec network = gatedNetwork(c.kind);
  for (LayerSpec& layer : network.layers) {
    layer.bias = c.bias;
    layer.gated.convention = c.convention;
    layer.gated.recurrentBias = c.recurrentBias;
    layer.gated.pseudoWidth = c.pseudoWidth;
  }
  return network;
}

DenseSet parametersOf(const NetworkSpec& network, std::uint64_t seed) {
  return toDense(network, spillway::test::randomParameters(network, seed));
}

// The naive network's targets, and its sum in the place of our mean.
void setTargets(const NetworkSpec& network, EventBatch& batch) {
  const std::size_t outputs = network.readout.numOutputs;
  for (std::size_t t = 0; t < batch.numSteps; ++t) {
    for (std::size_t b = 0; b < batch.numSamples; ++b) {
      for (std::size_t k = 0; k < outputs; ++k) {
        batch.targets[(t * batch.numSamples + b) * outputs + k] =
            static_cast<float>(0.1 * static_cast<double>((t + 2 * k + b) % 7));
      }
    }
  }
}

TEST(GatedReference, AgreesWithAutomaticDifferentiation) {
  std::uint64_t seed = 3;
  for (const Case& c : allCases()) {
    SCOPED_TRACE(::testing::Message() << static_cast<int>(c.kind) << static_cast<int>(c.convention)
                                      << c.bias << c.recurrentBias << " " << c.pseudoWidth);
    const NetworkSpec network = networkOf(c);
    EventBatch batch = valuedBatch(network, 11, 2, 0.7, ++seed);
    setTargets(network, batch);
    const DenseSet parameters = parametersOf(network, seed);
    const auto naive = runNaiveGated(network, parameters, batch, EventFunction::Hard);
    const ReferenceResult result = differentiate(network, parameters, batch);
    const double terms = static_cast<double>(batch.targets.size());
    ASSERT_NEAR(result.loss * terms, naive.loss, 1e-6); // targets are floats
    const std::size_t cells = 13 * 2 * 11;
    if (c.kind == LayerKind::Egru) {
      ASSERT_GT(naive.numEvents, cells / 20);
      ASSERT_LT(naive.numEvents, cells * 19 / 20);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      double largest = 0.0;
      for (std::size_t k = 0; k < parameters[i].values.size(); ++k) {
        const double expected = naive.gradients[i].values[k];
        largest = std::max(largest, std::abs(expected));
        ASSERT_NEAR(result.gradients[i].values[k] * terms, expected,
                    1e-6 * (1.0 + std::abs(expected)))
            << parameters[i].name << " element " << k;
      }
      EXPECT_GT(largest, 1e-4) << parameters[i].name;
    }
  }
}

TEST(NaiveGatedNetwork, SoftEventsMatchFiniteDifferences) {
  for (const Case& c : allCases()) {
    const NetworkSpec network = networkOf(c);
    const EventBatch batch = valuedBatch(network, 6, 2, 0.7, 9);
    const DenseSet parameters = parametersOf(network, 9);
    const auto base = runNaiveGated(network, parameters, batch, EventFunction::Soft);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      for (std::size_t k = 0; k < parameters[i].values.size(); k += 23) {
        const double eps = 1e-5;
        DenseSet up = parameters, down = parameters;
        up[i].values[k] += eps;
        down[i].values[k] -= eps;
        const double difference = runNaiveGated(network, up, batch, EventFunction::Soft).loss -
                                  runNaiveGated(network, down, batch, EventFunction::Soft).loss;
        ASSERT_NEAR(difference / (2 * eps), base.gradients[i].values[k], 2e-6)
            << parameters[i].name << " element " << k << " convention "
            << static_cast<int>(c.convention);
      }
    }
  }
}

// The dense GRU has no threshold in the way: the reference's own loss is smooth.
void expectFiniteDifferences(const NetworkSpec& network, const EventBatch& batch) {
  const DenseSet parameters = parametersOf(network, 21);
  const ReferenceResult base = differentiate(network, parameters, batch);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (std::size_t k = 0; k < parameters[i].values.size(); k += 3) {
      const double eps = 1e-6;
      DenseSet up = parameters, down = parameters;
      up[i].values[k] += eps;
      down[i].values[k] -= eps;
      const double difference =
          differentiate(network, up, batch).loss - differentiate(network, down, batch).loss;
      ASSERT_NEAR(difference / (2 * eps), base.gradients[i].values[k], 1e-7)
          << parameters[i].name << " element " << k;
    }
  }
}

TEST(GatedReference, OfAGruMatchesFiniteDifferencesWithMasks) {
  NetworkSpec network = gatedNetwork(LayerKind::Gru);
  network.loss.kind = LossKind::CrossEntropy;
  for (LayerSpec& layer : network.layers) {
    layer.gated.zoneout = 0.3;
    layer.gated.dropconnect = 0.4;
    layer.gated.dropout = 0.35;
  }
  EventBatch batch = valuedBatch(network, 8, 2, 0.7, 21);
  batch.maskKey = 5;
  expectFiniteDifferences(network, batch);
}

TEST(GatedReference, OfALanguageModelMatchesFiniteDifferencesWithMasksAndPenalties) {
  const NetworkSpec network = regularised(languageModel(LayerKind::Gru));
  expectFiniteDifferences(network, wordBatch(network, 6, 3, 4));
}

TEST(GatedReference, IsTheSameWithoutUnitsThatNeverFire) {
  const NetworkSpec network = languageModel(LayerKind::Egru);
  ParameterSet parameters = initialParameters(network, 3, 2.0);
  for (ParameterTensor& tensor : parameters) {
    if (tensor.name == "layer0/threshold" || tensor.name == "layer1/threshold") {
      tensor.values[2] = tensor.values[5] = 1.0f; // states stay below 1
    }
  }
  const PrunedNetwork pruned =
      pruneUnits(network, parameters, {{0, 1, 3, 4, 6}, {0, 1, 3, 4, 6, 7, 8}, {0, 1, 2, 3, 4, 5}});
  const EventBatch batch = wordBatch(network, 6, 3, 4);
  EXPECT_DOUBLE_EQ(evaluate(pruned.network, toDense(pruned.network, pruned.parameters), batch).loss,
                   evaluate(network, toDense(network, parameters), batch).loss);
}

TEST(GatedReference, MasksFollowTheKeyAndVanishInEvaluation) {
  NetworkSpec network = gatedNetwork(LayerKind::Egru);
  network.layers[0].gated.zoneout = 0.5;
  EventBatch batch = valuedBatch(network, 8, 2, 0.7, 21);
  const DenseSet parameters = parametersOf(network, 21);
  const double first = differentiate(network, parameters, batch).loss;
  EXPECT_EQ(differentiate(network, parameters, batch).loss, first);
  batch.maskKey = 1;
  EXPECT_NE(differentiate(network, parameters, batch).loss, first);
  const double evaluated = evaluate(network, parameters, batch).loss;
  batch.maskKey = 0;
  EXPECT_EQ(evaluate(network, parameters, batch).loss, evaluated);
  network.layers[0].gated.zoneout = 0.0;
  EXPECT_EQ(evaluate(network, parameters, batch).loss,
            differentiate(network, parameters, batch).loss);
}

// A sequence cut in two, the second part going on from what the first left, is the whole one.
TEST(GatedReference, ChunksThatCarryTheirStateEqualTheWholeSequence) {
  for (const Case& c : allCases()) {
    const NetworkSpec network = networkOf(c);
    const DenseSet parameters = parametersOf(network, 4);
    const EventBatch whole = valuedBatch(network, 10, 1, 0.7, 4);
    EventBatch first = whole, second = whole;
    first.numSteps = 6;
    second.numSteps = 4;
    second.counts.erase(second.counts.begin(), second.counts.begin() + 6);
    second.ids.erase(second.ids.begin(), second.ids.begin() + 6 * whole.maxEvents);
    second.values.erase(second.values.begin(), second.values.begin() + 6 * whole.maxEvents);
    const SampleTrace all = gatedForward(network, parameters, {whole, 0}, Phase::Training);
    const SampleTrace head = gatedForward(network, parameters, {first, 0}, Phase::Training);
    const SampleTrace tail = gatedForward(network, parameters, {second, 0}, Phase::Training,
                                          carriedState(network, head));
    const std::vector<double> last(all.readout.begin() + 6 * 3, all.readout.end());
    EXPECT_EQ(tail.readout, last);
  }
}

} // namespace
} // namespace spillway::reference
