#include "SessionFixture.hpp"

namespace spillway::testing {
namespace {

// With a dense gradient, with that of lists, and with layers of both kinds.
void expectEqualInAllForms(Trial trial) {
  std::vector<LayerSpec>& layers = trial.network.layers;
  {
    SCOPED_TRACE("all learn");
    expectEqualsReference(trial);
  }
  layers.back().gradientTheta = 0.5;
  {
    SCOPED_TRACE("the last layer has lists");
    expectEqualsReference(trial);
  }
  layers.front().gradientTheta = 0.5;
  {
    SCOPED_TRACE("first and last layer have lists");
    expectEqualsReference(trial);
  }
  layers.back().gradientTheta = -std::numeric_limits<double>::infinity();
  SCOPED_TRACE("the first layer has lists");
  expectEqualsReference(trial);
}

TEST(DeviceGradient, EqualsReferenceForFeedForwardLif) {
  expectEqualsReference({});
}

TEST(DeviceGradient, DoesNotDependOnTheBlockLength) {
  for (const std::uint32_t blockSteps : {2u, 3u, 5u, 12u, 20u}) {
    Trial trial;
    trial.blockSteps = blockSteps;
    SCOPED_TRACE(blockSteps);
    expectEqualInAllForms(trial);
  }
}

TEST(DeviceGradient, DoesNotDependOnNeuronsPerTile) {
  for (std::uint32_t neurons = 1; neurons <= 8; ++neurons) {
    Trial trial;
    trial.neuronsPerTile = neurons;
    SCOPED_TRACE(neurons);
    expectEqualInAllForms(trial);
  }
}

TEST(DeviceGradient, HoldsOnAnIpuModelWithSixWorkers) {
  for (const std::uint32_t samples : {1u, 5u, 6u, 7u, 13u}) {
    Trial trial;
    trial.device = DeviceClass::IpuModel;
    trial.numTiles = 24;
    trial.neuronsPerTile = 2;
    trial.numSamples = samples;
    SCOPED_TRACE(samples);
    expectEqualInAllForms(trial);
  }
}

// Batches that no number of copies divides, and one that leaves copies empty.
TEST(DeviceGradient, EqualsReferenceForEveryNumberOfCopies) {
  for (const std::uint32_t copies : {2u, 3u, 6u}) {
    for (const std::uint32_t samples : {1u, 5u, 13u}) {
      Trial trial;
      trial.device = DeviceClass::IpuModel;
      trial.numTiles = 24;
      trial.neuronsPerTile = 2;
      trial.gradientCopies = copies;
      trial.numSamples = samples;
      for (LayerSpec& layer : trial.network.layers) {
        layer.recurrent = layer.bias = true;
        layer.gradientTheta = 0.5;
      }
      SCOPED_TRACE(::testing::Message() << copies << " copies, " << samples << " samples");
      expectEqualsReference(trial);
    }
  }
}

TEST(DeviceGradient, EqualsReferenceForEverySurrogate) {
  for (const SurrogateKind kind : {SurrogateKind::Superspike, SurrogateKind::Triangle,
                                   SurrogateKind::Box, SurrogateKind::Arctan}) {
    Trial trial;
    for (LayerSpec& layer : trial.network.layers) {
      layer.surrogate.kind = kind;
      layer.surrogate.scale = 0.7;
    }
    SCOPED_TRACE(static_cast<int>(kind));
    expectEqualInAllForms(trial);
  }
}

TEST(DeviceGradient, EqualsReferenceForEveryNeuronAndReset) {
  for (const NeuronKind neuron : {NeuronKind::Lif, NeuronKind::Alif}) {
    for (const ResetMode reset : {ResetMode::ToZero, ResetMode::Subtract}) {
      for (const ResetGradient gradient : {ResetGradient::Pass, ResetGradient::Gate}) {
        Trial trial;
        for (LayerSpec& layer : trial.network.layers) {
          layer.neuron = neuron;
          layer.reset = reset;
          layer.resetGradient = gradient;
          layer.rho = 0.8;
          layer.beta = 0.6;
          layer.bias = true;
        }
        trial.blockSteps = 4;
        SCOPED_TRACE(::testing::Message() << static_cast<int>(neuron) << static_cast<int>(reset)
                                          << static_cast<int>(gradient));
        expectEqualInAllForms(trial);
      }
    }
  }
}

TEST(DeviceGradient, EqualsReferenceForRecurrentLayers) {
  for (const ReadoutKind readout : {ReadoutKind::LeakyIntegrator, ReadoutKind::SpikeCount}) {
    Trial trial;
    for (LayerSpec& layer : trial.network.layers) {
      layer.recurrent = true;
      layer.neuron = NeuronKind::Alif;
      layer.rho = 0.8;
    }
    trial.network.readout.kind = readout;
    if (readout == ReadoutKind::SpikeCount) {
      trial.network.readout.numOutputs = trial.network.layers.back().size;
    }
    SCOPED_TRACE(static_cast<int>(readout));
    expectEqualInAllForms(trial);
  }
}

TEST(DeviceGradient, EqualsReferenceForEveryReadoutAndLoss) {
  for (const LossKind loss : {LossKind::CrossEntropy, LossKind::MeanSquared}) {
    for (const ReadoutReduction reduction : {ReadoutReduction::Mean, ReadoutReduction::Max,
                                             ReadoutReduction::Last, ReadoutReduction::PerStep}) {
      Trial trial;
      trial.network.loss.kind = loss;
      trial.network.readout.reduction = reduction;
      trial.blockSteps = 5;
      SCOPED_TRACE(::testing::Message() << static_cast<int>(loss) << static_cast<int>(reduction));
      expectEqualInAllForms(trial);
    }
  }
}

TEST(DeviceGradient, EqualsReferenceForSpikeCounts) {
  Trial trial;
  trial.network.readout.kind = ReadoutKind::SpikeCount;
  trial.network.readout.numOutputs = trial.network.layers.back().size;
  trial.blockSteps = 3;
  expectEqualInAllForms(trial);
}

TEST(DeviceGradient, EqualsReferenceWithRateRegularisation) {
  Trial trial;
  trial.network.loss.rate = {2.0, 0.1, 3.0, 0.2};
  expectEqualInAllForms(trial);
}

TEST(DeviceGradient, ReachesOnlyNeuronsAboveTheSecondThreshold) {
  Trial trial;
  for (LayerSpec& layer : trial.network.layers) {
    layer.gradientTheta = 0.6;
  }
  trial.blockSteps = 4;
  expectEqualsReference(trial);
}

TEST(DeviceGradient, EqualsReferenceWhenListsOverflow) {
  for (const std::uint32_t cap : {1u, 2u, 4u}) {
    Trial trial;
    trial.activity = 0.6;
    trial.network.maxInputEvents = 3;
    for (LayerSpec& layer : trial.network.layers) {
      layer.maxActive = cap;
    }
    trial.blockSteps = 3;
    SCOPED_TRACE(cap);
    expectEqualInAllForms(trial);
  }
}

TEST(DeviceGradient, CountsSpikesThatTheCapDrops) {
  Trial trial;
  trial.activity = 0.6;
  trial.network.readout.kind = ReadoutKind::SpikeCount;
  trial.network.readout.numOutputs = trial.network.layers.back().size;
  trial.network.loss.rate = {2.0, 0.1, 3.0, 0.2};
  for (LayerSpec& layer : trial.network.layers) {
    layer.gradientTheta = 0.5;
    layer.maxActive = 2;
  }
  expectEqualsReference(trial);
}

} // namespace
} // namespace spillway::testing
