// Every option of the network: the hand-derived adjoint against automatic differentiation.
#include "NaiveNetwork.hpp"
#include "reference/Reference.hpp"
#include "support/RandomNetworks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace spillway::reference {
namespace {

using test::NaiveResult;
using test::SpikeFunction;

struct Readout {
  ReadoutKind kind;
  ReadoutReduction reduction;
  LossKind loss;
};

std::vector<Readout> allReadouts() {
  std::vector<Readout> all;
  for (LossKind loss : {LossKind::CrossEntropy, LossKind::MeanSquared}) {
    all.push_back({ReadoutKind::SpikeCount, ReadoutReduction::Mean, loss});
    for (ReadoutReduction reduction : {ReadoutReduction::Mean, ReadoutReduction::Max,
                                       ReadoutReduction::Last, ReadoutReduction::PerStep}) {
      all.push_back({ReadoutKind::LeakyIntegrator, reduction, loss});
    }
  }
  return all;
}

NetworkSpec withReadout(NetworkSpec network, const Readout& readout) {
  network.readout.kind = readout.kind;
  network.readout.reduction = readout.reduction;
  network.loss.kind = readout.loss;
  if (readout.kind == ReadoutKind::SpikeCount) {
    network.readout.numOutputs = network.layers.back().size;
  }
  return network;
}

// Which neurons may receive a gradient.
enum class Selection { All, NearThreshold, Capped };

NetworkSpec withSelection(NetworkSpec network, Selection selection) {
  for (LayerSpec& layer : network.layers) {
    if (selection != Selection::All) {
      layer.gradientTheta = 0.6;
    }
    if (selection == Selection::Capped) {
      layer.maxActive = 2;
    }
  }
  return network;
}

void expectEqual(const DenseSet& a, const DenseSet& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].name, b[i].name);
    for (std::size_t k = 0; k < a[i].values.size(); ++k) {
      ASSERT_NEAR(a[i].values[k], b[i].values[k], 1e-12) << a[i].name << " element " << k;
    }
  }
}

struct Tally {
  std::size_t numSpikes = 0, numDropped = 0, numNonzeroWeights = 0;
};

void compare(const NetworkSpec& network, std::uint64_t seed, Tally& tally) {
  const EventBatch batch = spillway::test::randomBatch(network, 9, 2, 0.4, seed);
  const DenseSet parameters = toDense(network, spillway::test::randomParameters(network, seed));
  const ReferenceResult reference = differentiate(network, parameters, batch);
  const NaiveResult naive = runNaive(network, parameters, batch, SpikeFunction::Hard);
  ASSERT_NEAR(reference.loss, naive.loss, 1e-12);
  expectEqual(reference.gradients, naive.gradients);
  tally.numSpikes += naive.numSpikes;
  tally.numDropped += naive.numDropped;
  tally.numNonzeroWeights += static_cast<std::size_t>(
      std::count_if(naive.gradients[0].values.begin(), naive.gradients[0].values.end(),
                    [](double x) { return x != 0.0; }));
}

class Autograd : public testing::TestWithParam<std::size_t> {};

TEST_P(Autograd, AgreesForEveryNeuronResetSurrogateAndSelection) {
  Tally tally;
  std::uint64_t seed = 100 * GetParam();
  for (NeuronKind neuron : {NeuronKind::Lif, NeuronKind::Alif}) {
    for (ResetMode reset : {ResetMode::ToZero, ResetMode::Subtract}) {
      for (ResetGradient gradient : {ResetGradient::Pass, ResetGradient::Gate}) {
        for (SurrogateKind surrogate : {SurrogateKind::Superspike, SurrogateKind::Triangle,
                                        SurrogateKind::Box, SurrogateKind::Arctan}) {
          for (Selection selection :
               {Selection::All, Selection::NearThreshold, Selection::Capped}) {
            NetworkSpec network = withSelection(spillway::test::smallNetwork(), selection);
            for (LayerSpec& layer : network.layers) {
              layer.neuron = neuron;
              layer.reset = reset;
              layer.resetGradient = gradient;
              layer.surrogate.kind = surrogate;
              layer.surrogate.scale = 0.8;
            }
            network.layers[0].recurrent = seed % 2 == 0;
            network.layers[1].recurrent = seed % 3 == 0;
            network.layers[0].bias = seed % 4 < 2;
            network.layers[1].bias = seed % 4 == 1;
            ++seed;
            compare(withReadout(network, allReadouts()[GetParam()]), seed, tally);
          }
        }
      }
    }
  }
  EXPECT_GT(tally.numSpikes, 4000u);
  EXPECT_GT(tally.numDropped, 200u);
  EXPECT_GT(tally.numNonzeroWeights, 2000u);
}

INSTANTIATE_TEST_SUITE_P(EveryReadoutAndLoss, Autograd,
                         testing::Range<std::size_t>(0, allReadouts().size()));

TEST(AutogradRate, AgreesWithBothHinges) {
  Tally tally;
  for (Selection selection : {Selection::All, Selection::NearThreshold, Selection::Capped}) {
    NetworkSpec network = withSelection(spillway::test::smallNetwork(), selection);
    network.loss.rate = {.lower = 2.0, .lowerRate = 0.3, .upper = 3.0, .upperRate = 0.35};
    compare(network, 5, tally);
    network.layers[0].neuron = NeuronKind::Alif;
    compare(network, 6, tally);
  }
  EXPECT_GT(tally.numSpikes, 100u);
}

// The naive network itself: with smooth spikes its gradients are true derivatives.
TEST(NaiveNetwork, SoftSpikesMatchFiniteDifferences) {
  for (ResetGradient gradient : {ResetGradient::Pass, ResetGradient::Gate}) {
    NetworkSpec network = spillway::test::smallNetwork();
    network.layers[0].neuron = NeuronKind::Alif;
    network.layers[0].recurrent = network.layers[1].bias = true;
    network.layers[1].reset = ResetMode::Subtract;
    network.loss.rate = {.lower = 0.5, .lowerRate = 0.5, .upper = 0.5, .upperRate = 0.6};
    network.layers[0].resetGradient = network.layers[1].resetGradient = gradient;
    const EventBatch batch = spillway::test::randomBatch(network, 6, 2, 0.4, 8);
    const DenseSet parameters = toDense(network, spillway::test::randomParameters(network, 8));
    const NaiveResult base = runNaive(network, parameters, batch, SpikeFunction::Soft);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      for (std::size_t k = 0; k < parameters[i].values.size(); k += 3) {
        const double eps = 1e-5;
        DenseSet up = parameters, down = parameters;
        up[i].values[k] += eps;
        down[i].values[k] -= eps;
        const double difference =
            runNaive(network, up, batch, SpikeFunction::Soft, base.detached).loss -
            runNaive(network, down, batch, SpikeFunction::Soft, base.detached).loss;
        ASSERT_NEAR(difference / (2 * eps), base.gradients[i].values[k], 1e-7)
            << parameters[i].name << " element " << k;
      }
    }
  }
}

} // namespace
} // namespace spillway::reference
