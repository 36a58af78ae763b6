// What a session hands on from batch to batch, and to another session.
#include "SessionFixture.hpp"
#include "network/UserError.hpp"
#include "support/GatedNetworks.hpp"

namespace spillway::testing {
namespace {

TEST(SequenceState, AnotherSessionGoesOnWithTheSameBits) {
  for (const LayerKind kind : {LayerKind::Egru, LayerKind::Gru}) {
    SCOPED_TRACE(static_cast<int>(kind));
    Trial trial;
    trial.network = test::gatedNetwork(kind);
    trial.numSteps = 7;
    const EventBatch first = test::valuedBatch(trial.network, 7, trial.numSamples, 0.7, 1);
    EventBatch second = test::valuedBatch(trial.network, 7, trial.numSamples, 0.7, 2);
    second.continues = true;
    const auto session = makeGraphSession(trial.request(plan::base(7)));
    session->setParameters(trial.parameters());
    session->train(first, 0.5); // thresholds move, so events no longer follow from the states
    const SequenceState carried = session->sequenceState();
    const ParameterSet parameters = session->parameters();
    EXPECT_FALSE(carried.empty());
    const BatchResult expected = session->differentiate(second);

    trial.neuronsPerTile = 3; // another layout
    const auto other = makeGraphSession(trial.request(plan::standard(7, 3)));
    other->setParameters(parameters);
    other->setSequenceState(carried);
    const BatchResult result = other->differentiate(second);
    EXPECT_EQ(result.loss, expected.loss);
    for (std::size_t l = 0; l < trial.network.layers.size(); ++l) {
      EXPECT_EQ(result.layers[l].numSpikes, expected.layers[l].numSpikes);
    }
    other->differentiate(first);
    EXPECT_NE(other->differentiate(first).loss, expected.loss);
  }
}

TEST(SequenceState, OfAnotherBatchSizeIsRefused) {
  Trial trial;
  trial.network = test::gatedNetwork(LayerKind::Egru);
  trial.numSteps = 4;
  const auto session = makeGraphSession(trial.request(plan::base(4)));
  SequenceState carried = session->sequenceState();
  carried.states.resize(carried.states.size() / 2);
  EXPECT_THROW(session->setSequenceState(carried), UserError);
}

} // namespace
} // namespace spillway::testing
