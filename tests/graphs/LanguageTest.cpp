// Language models on the device against the reference, and against themselves.
#include "SessionFixture.hpp"
#include "network/UserError.hpp"
#include "plan/Binomial.hpp"
#include "support/LanguageModels.hpp"

namespace spillway::testing {
namespace {

struct LanguageTrial : Trial {
  explicit LanguageTrial(const NetworkSpec& model) {
    network = model;
    numSteps = 9;
    numSamples = 5;
    neuronsPerTile = 4; // six tiles of words
  }
  EventBatch batch() const { return test::wordBatch(network, numSteps, numSamples, 5); }
};

void expectEqualsReference(const LanguageTrial& trial) {
  const ParameterSet parameters = trial.parameters();
  const EventBatch batch = trial.batch();
  const auto dense = reference::toDense(trial.network, parameters);
  const auto expected = reference::differentiate(trial.network, dense, batch);
  const auto session = makeGraphSession(trial.request(plan::base(trial.numSteps)));
  session->setParameters(parameters);
  const BatchResult result = session->differentiate(batch);
  EXPECT_NEAR(result.loss, expected.loss, 1e-5 * expected.loss);
  EXPECT_EQ(result.numCorrect, expected.numCorrect);
  EXPECT_EQ(result.numLabels, expected.numLabels);
  for (const auto& error : reference::compareGradients(session->gradients(), expected.gradients)) {
    EXPECT_LT(error.relativeError, 3e-5) << error.name << ", largest " << error.largestReference;
  }
  const auto evaluated = reference::evaluate(trial.network, dense, batch);
  EXPECT_NEAR(session->evaluate(batch).loss, evaluated.loss, 1e-5 * evaluated.loss);
}

TEST(LanguageModel, GradientsEqualTheReference) {
  for (const LayerKind kind : {LayerKind::Egru, LayerKind::Gru}) {
    SCOPED_TRACE(static_cast<int>(kind));
    expectEqualsReference(LanguageTrial(test::languageModel(kind)));
  }
}

TEST(LanguageModel, GradientsEqualTheReferenceWithMasksAndPenalties) {
  for (const LayerKind kind : {LayerKind::Egru, LayerKind::Gru}) {
    SCOPED_TRACE(static_cast<int>(kind));
    expectEqualsReference(LanguageTrial(test::regularised(test::languageModel(kind))));
  }
}

TEST(LanguageModel, DropoutOfAnyGatedNetworkEqualsTheReference) {
  Trial trial;
  trial.network = test::gatedNetwork(LayerKind::Egru);
  trial.network.layers[0].gated.dropout = 0.4;
  trial.network.layers[1].gated.dropout = 0.5;
  trial.numSteps = 6;
  const EventBatch batch = test::valuedBatch(trial.network, 6, trial.numSamples, 0.7, 3);
  const ParameterSet parameters = trial.parameters();
  const auto expected =
      reference::differentiate(trial.network, reference::toDense(trial.network, parameters), batch);
  const auto session = makeGraphSession(trial.request(plan::base(6)));
  session->setParameters(parameters);
  EXPECT_NEAR(session->differentiate(batch).loss, expected.loss, 1e-5 * expected.loss);
  for (const auto& error : reference::compareGradients(session->gradients(), expected.gradients)) {
    EXPECT_LT(error.relativeError, 3e-5) << error.name;
  }
}

// Recomputation must find the masks again.
TEST(LanguageModel, EveryScheduleGivesTheSameBits) {
  LanguageTrial trial(test::regularised(test::languageModel(LayerKind::Egru)));
  const auto gradients = [&](const plan::Schedule& schedule) {
    const auto session = makeGraphSession(trial.request(schedule));
    session->setParameters(trial.parameters());
    session->differentiate(trial.batch());
    return session->gradients();
  };
  for (const auto convention : {GatedConvention::Code, GatedConvention::Paper}) {
    trial.network.layers[1].gated.convention = convention;
    const ParameterSet base = gradients(plan::base(9));
    for (const plan::Schedule& schedule :
         {plan::standard(9, 3), plan::remote(9, 2), plan::doubleCheckpointing(9, 6, 2),
          plan::hierarchical(9, 3, 2), plan::revolve(9, 3)}) {
      const ParameterSet other = gradients(schedule);
      for (std::size_t i = 0; i < base.size(); ++i) {
        EXPECT_EQ(base[i].values, other[i].values) << base[i].name;
      }
    }
  }
}

TEST(LanguageModel, LearnsASentence) {
  LanguageTrial trial(test::languageModel(LayerKind::Egru));
  EventBatch batch = trial.batch();
  for (std::size_t row = 0; row < batch.labels.size(); ++row) {
    batch.ids[row] = static_cast<std::uint16_t>(row / batch.numSamples);
    batch.counts[row] = 1;
    batch.labels[row] = static_cast<std::int32_t>((row / batch.numSamples + 1) % 23);
  }
  const auto session = makeGraphSession(trial.request(plan::base(9)));
  session->setParameters(trial.parameters());
  const double before = session->evaluate(batch).loss;
  for (int i = 0; i < 400; ++i) {
    session->train(batch, 0.02);
  }
  EXPECT_LT(session->evaluate(batch).loss, 0.3 * before);
}

TEST(LanguageModel, OfAnotherDeviceIsRefusedByName) {
  LanguageTrial trial(test::languageModel(LayerKind::Gru));
  trial.device = DeviceClass::IpuModel;
  EXPECT_THROW(makeGraphSession(trial.request(plan::base(9))), UserError);
}

} // namespace
} // namespace spillway::testing
