// Networks drawn at random over every kind, option and layout: what no list of cases thinks of.
#include "SessionFixture.hpp"

#include <set>

namespace spillway::testing {
namespace {

class Draw {
public:
  explicit Draw(unsigned seed) : random_(seed) {}

  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  std::uint32_t whole(std::uint32_t low, std::uint32_t high) {
    return std::uniform_int_distribution<std::uint32_t>(low, high)(random_);
  }
  bool chance(double probability) { return between(0.0, 1.0) < probability; }
  template <class T>
  T oneOf(std::initializer_list<T> values) {
    return values.begin()[whole(0, static_cast<std::uint32_t>(values.size()) - 1)];
  }

private:
  std::mt19937 random_;
};

LayerSpec drawLayer(Draw& draw) {
  LayerSpec layer = smallLayer(draw.whole(1, 20));
  layer.neuron = draw.oneOf({NeuronKind::Lif, NeuronKind::Alif});
  layer.recurrent = draw.chance(0.3);
  layer.bias = draw.chance(0.5);
  layer.alpha = draw.between(0.3, 0.98);
  layer.kappa = draw.between(2.0, 6.0) / (1.0 - layer.alpha);
  layer.kappa = std::min(layer.kappa, 20.0);
  layer.theta = draw.between(0.5, 1.5);
  layer.rho = draw.between(0.0, 0.95);
  layer.beta = draw.between(0.0, 1.5);
  layer.reset = draw.oneOf({ResetMode::ToZero, ResetMode::Subtract});
  layer.resetGradient = draw.oneOf({ResetGradient::Pass, ResetGradient::Gate});
  layer.surrogate.kind = draw.oneOf({SurrogateKind::Superspike, SurrogateKind::Triangle,
                                     SurrogateKind::Box, SurrogateKind::Arctan});
  layer.surrogate.width = draw.between(0.2, 1.2);
  layer.surrogate.scale = draw.between(0.2, 1.0);
  if (draw.chance(0.6)) {
    layer.gradientTheta = layer.theta - draw.between(0.0, 0.8);
  }
  if (draw.chance(0.4)) {
    layer.maxActive = draw.whole(1, layer.size);
  }
  return layer;
}

NetworkSpec drawNetwork(Draw& draw) {
  NetworkSpec network;
  network.numInputs = draw.whole(1, 25);
  network.maxInputEvents = draw.chance(0.3) ? draw.whole(1, network.numInputs) : 0;
  for (std::uint32_t l = draw.whole(1, 3); l > 0; --l) {
    network.layers.push_back(drawLayer(draw));
  }
  ReadoutSpec& readout = network.readout;
  readout.kind = draw.chance(0.75) ? ReadoutKind::LeakyIntegrator : ReadoutKind::SpikeCount;
  if (readout.kind == ReadoutKind::LeakyIntegrator) {
    readout.reduction = draw.oneOf({ReadoutReduction::Mean, ReadoutReduction::Max,
                                    ReadoutReduction::Last, ReadoutReduction::PerStep});
    readout.bias = draw.chance(0.5);
    readout.alpha = draw.between(0.0, 0.95);
    readout.kappa = draw.between(0.5, 5.0);
  }
  readout.numOutputs =
      readout.kind == ReadoutKind::SpikeCount ? network.layers.back().size : draw.whole(2, 6);
  network.loss.kind = draw.oneOf({LossKind::CrossEntropy, LossKind::MeanSquared});
  if (draw.chance(0.4)) {
    network.loss.rate = {draw.between(0.0, 3.0), 0.1, draw.between(0.0, 3.0), 0.3};
  }
  return network;
}

Trial drawTrial(unsigned seed) {
  Draw draw(seed);
  Trial trial;
  trial.seed = seed;
  trial.network = drawNetwork(draw);
  trial.numSteps = draw.whole(2, 20);
  trial.numSamples = draw.whole(1, 14);
  trial.activity = draw.between(0.05, 0.6);
  const bool recurrent = std::any_of(trial.network.layers.begin(), trial.network.layers.end(),
                                     [](const LayerSpec& layer) { return layer.recurrent; });
  trial.blockSteps = recurrent ? 1 : draw.whole(1, 5);
  trial.lightSteps = draw.whole(1, 4);
  trial.neuronsPerTile = draw.whole(1, 8);
  if (draw.chance(0.5)) {
    trial.device = DeviceClass::IpuModel;
    trial.numTiles = 80;
    trial.gradientCopies = draw.oneOf({1u, 2u, 3u, 6u});
  }
  return trial;
}

// Whether FLOAT and double are sure to see the same spikes, and there are some.
bool isDecided(const Trial& trial) {
  const auto reference = reference::differentiate(
      trial.network, reference::toDense(trial.network, trial.parameters()), trial.batch());
  bool spikes = false;
  for (const auto& sample : reference.samples) {
    if (sample.thresholdMargin < 1e-5) {
      return false;
    }
    for (const auto& layer : sample.layers) {
      spikes = spikes || std::any_of(layer.active.begin(), layer.active.end(),
                                     [](const auto& list) { return list.numSpikes != 0; });
    }
  }
  return spikes;
}

TEST(DeviceGradient, EqualsReferenceForNetworksDrawnAtRandom) {
  constexpr std::size_t kTrials = 80;
  std::set<unsigned> seeds;
  for (unsigned seed = 1; seeds.size() < kTrials; ++seed) {
    ASSERT_LT(seed, 10 * kTrials) << "hardly any network can be decided";
    const Trial trial = drawTrial(seed);
    if (!isDecided(trial)) {
      continue;
    }
    seeds.insert(seed);
    SCOPED_TRACE(seed);
    const std::uint32_t chunk = std::max(1u, trial.numSteps / 3);
    expectEqualsReference(
        trial, seed % 3 == 0 ? plan::standard(trial.numSteps, chunk) : plan::base(trial.numSteps),
        5e-5);
  }
}

} // namespace
} // namespace spillway::testing
