// One network over several IPUs: the same bits, and a remote buffer for each IPU.
#include "SameBits.hpp"
#include "SessionFixture.hpp"
#include "graphs/RemoteRows.hpp"
#include "graphs/TiledTensor.hpp"
#include "plan/SpikeSpill.hpp"
#include "plan/Streamed.hpp"

#include <poplar/IPUModel.hpp>

#include <set>

namespace spillway::testing {
namespace {

Trial spread(std::uint32_t numIpus) {
  Trial trial;
  trial.device = DeviceClass::IpuModel;
  trial.numIpus = numIpus;
  trial.numTiles = 16 / numIpus;
  trial.neuronsPerTile = 3;
  trial.numSteps = 14;
  trial.network.layers[0].recurrent = true;
  trial.network.layers[0].neuron = NeuronKind::Alif;
  for (LayerSpec& layer : trial.network.layers) {
    layer.maxActive = 6;
    layer.gradientTheta = 0.3;
  }
  return trial;
}

struct Outcome {
  double loss = 0.0;
  ParameterSet parameters;
};

Outcome train(const Trial& trial, const plan::Schedule& schedule) {
  const auto session = makeGraphSession(trial.request(schedule));
  session->setParameters(trial.parameters());
  Outcome outcome;
  for (int i = 0; i < 2; ++i) {
    outcome.loss = session->train(trial.batch(), 0.01).loss;
  }
  outcome.parameters = session->parameters();
  return outcome;
}

std::vector<plan::Schedule> remoteSchedules(plan::Step T) {
  plan::Costs costs;
  costs.writePerState = costs.readPerState = 0.2;
  return {plan::doubleCheckpointing(T, 6, 2), plan::hierarchical(T, 3, 2),
          plan::streamed(T, 3, costs).schedule,
          plan::withSpilledSpikes(plan::doubleCheckpointing(T, 6, 2), 4, 2)};
}

TEST(Spread, GivesTheSameBitsOnAnyNumberOfIpusAndWithAnySchedule) {
  const Outcome one = train(spread(1), plan::base(14));
  for (const std::uint32_t numIpus : {1u, 2u, 4u}) {
    const Trial trial = spread(numIpus);
    for (const plan::Schedule& schedule : remoteSchedules(14)) {
      SCOPED_TRACE(std::to_string(numIpus) + " IPUs, spike block " +
                   std::to_string(schedule.spikeBlock));
      const Outcome outcome = train(trial, schedule);
      EXPECT_EQ(outcome.loss, one.loss);
      expectSameBits(outcome.parameters, one.parameters);
    }
  }
}

TEST(Spread, GivesTheSameBitsWithTheSurrogateCacheInStreamingMemory) {
  Trial one = spread(1), four = spread(4);
  for (Trial* trial : {&one, &four}) {
    trial->network.layers[0].recurrent = false;
  }
  const Outcome expected = train(one, plan::base(14));
  const Outcome outcome = train(four, plan::withSpilledSpikes(plan::surrogateCached(14), 4, 2));
  expectSameBits(outcome.parameters, expected.parameters);
}

TEST(RemoteRows, HaveABufferForEachIpu) {
  poplar::IPUModel model;
  model.numIPUs = 3;
  model.tilesPerIPU = 4;
  poplar::Graph graph(model.createDevice().getTarget());
  // Tiles of the first and the last IPU, in turn; the one between has nothing.
  const TiledTensor tensor(graph, poplar::FLOAT, {1, 9, 2, 11}, {4, 6, 2, 8}, {"rows"});
  const RemoteRows rows(graph, "rows", tensor.sideBySide(2), 5);
  ASSERT_EQ(rows.parts().size(), 2u);
  EXPECT_EQ(rows.parts()[0].buffer.handle(), "rows");
  EXPECT_EQ(rows.parts()[1].buffer.handle(), "rows/ipu2");
  EXPECT_EQ(rows.parts()[0].buffer.numElements(), 3u);
  EXPECT_EQ(rows.parts()[1].buffer.numElements(), 7u);
  for (const RemoteRows::Part& part : rows.parts()) {
    EXPECT_EQ(part.buffer.getRepeats(), 5u);
    std::set<std::size_t> ipus;
    for (const poplar::Interval& interval : part.columns) {
      const auto mapping =
          graph.getTileMapping(tensor.sideBySide(2)[0].slice(interval.begin(), interval.end()));
      for (std::size_t tile = 0; tile < mapping.size(); ++tile) {
        if (!mapping[tile].empty()) {
          ipus.insert(tile / 4);
        }
      }
    }
    EXPECT_EQ(ipus.size(), 1u);
  }
}

} // namespace
} // namespace spillway::testing
