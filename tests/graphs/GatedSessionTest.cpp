// What sessions of gated networks carry, count and leave alone.
#include "GatedTrial.hpp"
#include "reference/Gated.hpp"

namespace spillway::testing {
namespace {

// The batch's steps [begin, end), with their answers.
EventBatch cut(const EventBatch& whole, std::uint32_t begin, std::uint32_t end) {
  EventBatch part = whole;
  part.numSteps = end - begin;
  const auto take = [&](auto& values) {
    const auto perStep = static_cast<std::ptrdiff_t>(values.size() / whole.numSteps);
    values = {values.begin() + begin * perStep, values.begin() + end * perStep};
  };
  take(part.ids);
  take(part.values);
  take(part.counts);
  take(part.targets);
  return part;
}

TEST(GatedSession, ChunksThatContinueEqualTheWholeSequence) {
  for (const LayerKind kind : {LayerKind::Egru, LayerKind::Gru}) {
    GatedTrial trial(kind);
    trial.numSteps = 12;
    const ParameterSet parameters = trial.parameters();
    const EventBatch whole = trial.batch();
    const auto long_ = makeGraphSession(trial.request(plan::base(12)));
    long_->setParameters(parameters);
    const double wholeLoss = long_->evaluate(whole).loss;
    trial.numSteps = 6;
    const auto chunked = makeGraphSession(trial.request(plan::standard(6, 2)));
    chunked->setParameters(parameters);
    const double head = chunked->evaluate(cut(whole, 0, 6)).loss;
    EventBatch tail = cut(whole, 6, 12);
    const double alone = chunked->evaluate(tail).loss;
    chunked->evaluate(cut(whole, 0, 6));
    tail.continues = true;
    const double goingOn = chunked->differentiate(tail).loss;
    EXPECT_NEAR((head + goingOn) / 2.0, wholeLoss, 1e-6);
    EXPECT_GT(std::abs(alone - goingOn), 1e-4);
  }
}

// Events before the first step are part of the recurrent weights' gradient.
TEST(GatedSession, GradientsOfAChunkSeeTheCarriedEvents) {
  GatedTrial trial(LayerKind::Egru);
  trial.numSteps = 6;
  trial.numSamples = 1;
  const ParameterSet parameters = trial.parameters();
  const reference::DenseSet dense = reference::toDense(trial.network, parameters);
  const EventBatch batch = trial.batch();
  EventBatch again = batch;
  again.continues = true;
  const auto session = makeGraphSession(trial.request(plan::standard(6, 2)));
  session->setParameters(parameters);
  session->differentiate(batch);
  session->differentiate(again);

  using reference::Phase;
  const auto first = reference::gatedForward(trial.network, dense, {batch, 0}, Phase::Training);
  const auto second = reference::gatedForward(trial.network, dense, {batch, 0}, Phase::Training,
                                              reference::carriedState(trial.network, first));
  reference::LossGradient loss{std::vector<double>(second.logits.size()), {}};
  for (std::size_t k = 0; k < loss.logits.size(); ++k) {
    loss.logits[k] = 2.0 * (second.logits[k] - double{batch.targets[k]}) /
                     static_cast<double>(batch.targets.size());
  }
  reference::DenseSet expected = reference::zeros(trial.network);
  reference::gatedBackward(trial.network, dense, {batch, 0}, second, loss, expected);
  for (const auto& error : reference::compareGradients(session->gradients(), expected)) {
    EXPECT_LT(error.relativeError, 2e-5) << error.name;
  }
}

TEST(GatedSession, GoesOnFromStatesThatComeWithTheBatch) {
  for (const auto convention : {GatedConvention::Code, GatedConvention::Paper}) {
    GatedTrial trial(LayerKind::Egru);
    trial.network.layers[1].gated.convention = convention;
    trial.network.layers[0].kind = LayerKind::Gru;
    CarriedStates carried;
    const CounterRandom random(9, {1});
    const auto draw = [&](std::size_t units, std::uint64_t first) {
      std::vector<float> states;
      for (std::uint64_t i = 0; i < units * trial.numSamples; ++i) {
        states.push_back(static_cast<float>(1.2 * random.uniform(first + i) - 0.4));
      }
      return states;
    };
    carried.layers = {draw(21, 0), draw(13, 1000)};
    carried.readout = draw(3, 2000);
    const ParameterSet parameters = trial.parameters();
    EventBatch batch = trial.batch();
    const double fromZero = reference::differentiate(
                                trial.network, reference::toDense(trial.network, parameters), batch)
                                .loss;
    batch.carried = carried;
    const auto expected = reference::differentiate(
        trial.network, reference::toDense(trial.network, parameters), batch);
    const auto session = makeGraphSession(trial.request(plan::standard(trial.numSteps, 4)));
    session->setParameters(parameters);
    EXPECT_NEAR(session->differentiate(batch).loss, expected.loss, 1e-5 * expected.loss);
    EXPECT_GT(std::abs(expected.loss - fromZero), 1e-3);
    for (const auto& error :
         reference::compareGradients(session->gradients(), expected.gradients)) {
      EXPECT_LT(error.relativeError, 2e-5) << error.name;
    }
  }
}

TEST(GatedSession, CountsNothingOfFillersInEvaluation) {
  for (const LossKind loss : {LossKind::CrossEntropy, LossKind::MeanSquared}) {
    GatedTrial trial(LayerKind::Egru);
    trial.network.loss.kind = loss;
    trial.network.readout.reduction = ReadoutReduction::Last;
    const ParameterSet parameters = trial.parameters();
    const auto session = makeGraphSession(trial.request(plan::base(trial.numSteps)));
    session->setParameters(parameters);
    EventBatch batch = trial.batch();
    const auto expected =
        reference::evaluate(trial.network, reference::toDense(trial.network, parameters), batch);
    batch.numFillers = 2;
    if (loss == LossKind::CrossEntropy) {
      std::fill(batch.labels.end() - 2, batch.labels.end(), EventBatch::kNoLabel);
    }
    const BatchResult result = session->evaluate(batch);
    double squares = 0.0;
    for (std::size_t b = 0; b < 3; ++b) {
      for (std::size_t k = 0; k < 3 && loss == LossKind::MeanSquared; ++k) {
        const double difference = expected.samples[b].logits[k] - double{batch.targets[3 * b + k]};
        squares += difference * difference / 9.0;
      }
    }
    if (loss == LossKind::MeanSquared) {
      EXPECT_NEAR(result.loss, squares, 1e-5 * squares);
    }
    for (std::size_t l = 0; l < 2; ++l) {
      std::uint64_t events = 0, active = 0;
      for (std::size_t b = 0; b < 3; ++b) {
        for (const auto& list : expected.samples[b].layers[l].active) {
          events += list.numSpikes;
          active += list.ids.size();
        }
      }
      EXPECT_EQ(result.layers[l].numSpikes, events);
      EXPECT_EQ(result.layers[l].numGradients, active);
    }
  }
}

TEST(GatedSession, LeavesFixedThresholdsAloneAndKeepsTrainedOnesInRange) {
  GatedTrial trial(LayerKind::Egru);
  trial.network.layers[0].gated.trainThreshold = false;
  const auto session = makeGraphSession(trial.request(plan::base(trial.numSteps)));
  const ParameterSet before = trial.parameters();
  session->setParameters(before);
  for (int i = 0; i < 3; ++i) {
    session->train(trial.batch(), 0.5);
  }
  const ParameterSet after = session->parameters();
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].name == "layer0/threshold") {
      EXPECT_EQ(after[i].values, before[i].values);
    } else {
      EXPECT_NE(after[i].values, before[i].values) << before[i].name;
    }
    if (before[i].name == "layer1/threshold") {
      EXPECT_GE(*std::min_element(after[i].values.begin(), after[i].values.end()), 0.0f);
      EXPECT_LE(*std::max_element(after[i].values.begin(), after[i].values.end()), 1.0f);
    }
  }
}

} // namespace
} // namespace spillway::testing
