// Samples that only fill up the last batch of an evaluation.
#include "SessionFixture.hpp"

namespace spillway::testing {
namespace {

// The first samples of a batch, as a batch of their own.
EventBatch firstSamples(const EventBatch& batch, std::uint32_t count) {
  EventBatch some = batch;
  some.numSamples = count;
  some.counts.clear();
  some.ids.clear();
  for (std::size_t row = 0; row < batch.counts.size(); ++row) {
    if (row % batch.numSamples < count) {
      some.counts.push_back(batch.counts[row]);
      const auto ids = batch.ids.begin() + static_cast<std::ptrdiff_t>(row * batch.maxEvents);
      some.ids.insert(some.ids.end(), ids, ids + batch.maxEvents);
    }
  }
  some.labels.resize(count);
  return some;
}

// Neurons with a bias fire without any input; groups of samples lie on several tiles.
Trial restlessTrial() {
  Trial trial;
  trial.numSamples = 11;
  for (LayerSpec& layer : trial.network.layers) {
    layer.bias = true;
    layer.maxActive = 2;
  }
  trial.network.loss.rate = {.lower = 0.3, .lowerRate = 0.1, .upper = 0.7, .upperRate = 0.2};
  return trial;
}

TEST(Evaluation, CountsNothingOfFillers) {
  Trial trial = restlessTrial();
  ParameterSet parameters = trial.parameters();
  for (ParameterTensor& tensor : parameters) {
    if (tensor.name.ends_with("/bias")) {
      std::fill(tensor.values.begin(), tensor.values.end(), 0.4f);
    }
  }
  EventBatch batch = trial.batch();
  const std::uint32_t numLive = 7;
  const auto expected = reference::evaluate(
      trial.network, reference::toDense(trial.network, parameters), firstSamples(batch, numLive));
  batch.numFillers = trial.numSamples - numLive;
  std::fill(batch.labels.begin() + numLive, batch.labels.end(), EventBatch::kNoLabel);
  for (const DeviceClass device : {DeviceClass::Cpu, DeviceClass::IpuModel}) {
    trial.device = device;
    trial.numTiles = device == DeviceClass::IpuModel ? 16 : 0;
    const auto session = makeGraphSession(trial.request(plan::base(trial.numSteps)));
    session->setParameters(parameters);
    const BatchResult result = session->evaluate(batch);
    EXPECT_NEAR(result.loss, expected.loss, 1e-5 * expected.loss);
    EXPECT_EQ(result.numCorrect, expected.numCorrect);
    for (std::size_t l = 0; l < result.layers.size(); ++l) {
      std::uint64_t spikes = 0, dropped = 0;
      for (const reference::SampleTrace& sample : expected.samples) {
        for (const reference::ActiveList& list : sample.layers[l].active) {
          spikes += list.numSpikes;
          dropped += list.dropped.size();
        }
      }
      EXPECT_GT(spikes, 0u);
      EXPECT_EQ(result.layers[l].numSpikes, spikes);
      EXPECT_EQ(result.layers[l].numDropped, dropped);
    }
  }
}

} // namespace
} // namespace spillway::testing
