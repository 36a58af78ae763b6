// What is read back from the device, against the reference.
#include "SessionFixture.hpp"

namespace spillway::testing {
namespace {

// Element (t, b, i) of an array [steps][samples][size].
template <class T>
double at(const std::vector<T>& values, const Trial& trial, std::size_t size, std::size_t t,
          std::size_t b, std::size_t i) {
  return values.at((t * trial.numSamples + b) * size + i);
}

void expectLayer(const Trial& trial, std::size_t l, std::size_t b, const DeviceLayerTrace& device,
                 const reference::LayerTrace& expected) {
  const std::size_t size = trial.network.layers[l].size;
  for (std::size_t t = 0; t < trial.numSteps; ++t) {
    std::vector<int> spikes(size, 0), active(size, trial.network.layers[l].allLearn() ? 1 : 0);
    const reference::ActiveList& list = expected.active[t];
    for (std::size_t k = 0; k < list.ids.size(); ++k) {
      active[list.ids[k]] = 1;
      spikes[list.ids[k]] = k < list.numSpikes ? 1 : 0;
    }
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_NEAR(at(device.u, trial, size, t, b, i), expected.u[t * size + i], 1e-5);
      EXPECT_EQ(at(device.spikes, trial, size, t, b, i), spikes[i]);
      EXPECT_EQ(at(device.active, trial, size, t, b, i), active[i]);
      if (!expected.adaptation.empty()) {
        EXPECT_NEAR(at(device.adaptation, trial, size, t, b, i), expected.adaptation[t * size + i],
                    1e-6);
      }
    }
  }
}

void expectTraceOfReference(const Trial& trial) {
  const ParameterSet parameters = trial.parameters();
  const EventBatch batch = trial.batch();
  const auto expected =
      reference::evaluate(trial.network, reference::toDense(trial.network, parameters), batch);
  SessionRequest request = trial.request(plan::base(trial.numSteps));
  request.tracing = Tracing::On;
  const auto session = makeGraphSession(request);
  session->setParameters(parameters);
  session->differentiate(batch);
  const std::optional<DeviceTrace> trace = session->trace();
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->layers.size(), trial.network.layers.size());
  for (std::size_t b = 0; b < trial.numSamples; ++b) {
    for (std::size_t l = 0; l < trace->layers.size(); ++l) {
      expectLayer(trial, l, b, trace->layers[l], expected.samples[b].layers[l]);
    }
    const std::size_t outputs = trial.network.readout.numOutputs;
    for (std::size_t t = 0; t < trial.numSteps && !trace->readout.empty(); ++t) {
      for (std::size_t k = 0; k < outputs; ++k) {
        EXPECT_NEAR(at(trace->readout, trial, outputs, t, b, k),
                    expected.samples[b].readout[t * outputs + k], 1e-5);
      }
    }
  }
}

TEST(DeviceTrace, EqualsReferenceForBlocksOfSteps) {
  Trial trial;
  trial.blockSteps = 5;
  expectTraceOfReference(trial);
}

TEST(DeviceTrace, EqualsReferenceForASingleStep) {
  Trial trial;
  trial.numSteps = 1;
  expectTraceOfReference(trial);
}

TEST(DeviceTrace, EqualsReferenceForCappedRecurrentAdaptiveNeurons) {
  Trial trial;
  for (LayerSpec& layer : trial.network.layers) {
    layer.neuron = NeuronKind::Alif;
    layer.recurrent = true;
    layer.rho = 0.8;
    layer.beta = 0.5;
    layer.maxActive = 4;
    layer.gradientTheta = 0.2;
  }
  expectTraceOfReference(trial);
}

TEST(DeviceTrace, EqualsReferenceOnAnIpuModelThatCountsSpikes) {
  Trial trial;
  trial.device = DeviceClass::IpuModel;
  trial.numTiles = 24;
  trial.neuronsPerTile = 2;
  trial.network.readout.kind = ReadoutKind::SpikeCount;
  trial.network.readout.numOutputs = trial.network.layers.back().size;
  expectTraceOfReference(trial);
}

TEST(DeviceTrace, IsThereOnlyWhereAskedForAndEveryStateIsKept) {
  const Trial trial;
  SessionRequest request = trial.request(plan::base(trial.numSteps));
  EXPECT_FALSE(makeGraphSession(request)->trace());
  request.tracing = Tracing::On;
  request.schedule = plan::standard(trial.numSteps, 4);
  EXPECT_FALSE(makeGraphSession(request)->trace());
}

} // namespace
} // namespace spillway::testing
