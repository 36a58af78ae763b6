// Gated layers on the device against the reference, and against themselves under other schedules.
#include "SessionFixture.hpp"
#include "network/UserError.hpp"
#include "plan/Binomial.hpp"
#include "plan/Optimal.hpp"
#include "plan/SpikeSpill.hpp"
#include "plan/Streamed.hpp"
#include "reference/Gated.hpp"
#include "support/GatedNetworks.hpp"

namespace spillway::testing {
namespace {

struct GatedTrial : Trial {
  explicit GatedTrial(LayerKind kind) {
    network = test::gatedNetwork(kind);
    network.layers[0].size = 21;
    network.layers[1].size = 13;
    numSteps = 11;
    neuronsPerTile = 8;
  }

  EventBatch batch() const { return test::valuedBatch(network, numSteps, numSamples, 0.7, seed); }
};

void expectEqualsReference(const GatedTrial& trial, std::uint32_t maskKey = 0,
                           double tolerance = 2e-5) {
  const ParameterSet parameters = trial.parameters();
  EventBatch batch = trial.batch();
  batch.maskKey = maskKey;
  const auto expected =
      reference::differentiate(trial.network, reference::toDense(trial.network, parameters), batch);
  double margin = 1.0;
  for (const auto& sample : expected.samples) {
    margin = std::min(margin, sample.thresholdMargin);
  }
  ASSERT_GT(margin, 1e-6) << "a state so near its threshold that rounding decides: another seed";
  const auto session = makeGraphSession(trial.request(plan::base(trial.numSteps)));
  session->setParameters(parameters);
  const BatchResult result = session->differentiate(batch);
  EXPECT_NEAR(result.loss, expected.loss, 1e-5 * (1.0 + expected.loss));
  EXPECT_EQ(result.numCorrect, expected.numCorrect);
  for (const auto& error : reference::compareGradients(session->gradients(), expected.gradients)) {
    EXPECT_LT(error.relativeError, tolerance)
        << error.name << ", largest " << error.largestReference;
  }
  for (std::size_t l = 0; l < trial.network.layers.size(); ++l) {
    std::uint64_t events = 0, active = 0;
    for (const auto& sample : expected.samples) {
      for (const auto& list : sample.layers[l].active) {
        events += list.numSpikes;
        active += list.ids.size();
      }
    }
    EXPECT_LE(result.layers[l].numBeyond, events);
    EXPECT_EQ(result.layers[l].numSpikes, events);
    EXPECT_EQ(result.layers[l].numGradients, active);
  }
}

TEST(GatedDeviceGradient, EqualsReferenceForEgruAndGru) {
  for (const LayerKind kind : {LayerKind::Egru, LayerKind::Gru}) {
    SCOPED_TRACE(static_cast<int>(kind));
    expectEqualsReference(GatedTrial(kind));
  }
}

TEST(GatedDeviceGradient, EqualsReferenceInThePapersConvention) {
  for (const bool masked : {false, true}) {
    GatedTrial trial(LayerKind::Egru);
    for (LayerSpec& layer : trial.network.layers) {
      layer.gated.convention = GatedConvention::Paper;
      layer.gated.dropconnect = masked ? 0.3 : 0.0;
      layer.gated.dropout = masked ? 0.2 : 0.0;
      layer.gated.eventPenalty = masked ? 2.0 : 0.0;
    }
    SCOPED_TRACE(masked);
    expectEqualsReference(trial, masked ? 8 : 0);
    trial.network.layers[0].gated.convention = GatedConvention::Code; // a mixed stack
    expectEqualsReference(trial, masked ? 8 : 0);
  }
}

TEST(GatedDeviceGradient, OfThePapersConventionHasTheSameBitsUnderEverySchedule) {
  GatedTrial trial(LayerKind::Egru);
  for (LayerSpec& layer : trial.network.layers) {
    layer.gated.convention = GatedConvention::Paper;
  }
  const auto gradients = [&](const plan::Schedule& schedule) {
    const auto session = makeGraphSession(trial.request(schedule));
    session->setParameters(trial.parameters());
    session->differentiate(trial.batch());
    return session->gradients();
  };
  const ParameterSet base = gradients(plan::base(11));
  for (const plan::Schedule& schedule : {plan::standard(11, 4), plan::revolve(11, 3)}) {
    const ParameterSet other = gradients(schedule);
    for (std::size_t i = 0; i < base.size(); ++i) {
      EXPECT_EQ(base[i].values, other[i].values) << base[i].name;
    }
  }
}

TEST(GatedDeviceGradient, EqualsReferenceForEveryWidthOfThePseudoDerivative) {
  for (const double width : {0.02, 0.3, 2.0}) {
    GatedTrial trial(LayerKind::Egru);
    for (LayerSpec& layer : trial.network.layers) {
      layer.gated.pseudoWidth = width;
      layer.gated.dampening = 1.3;
    }
    SCOPED_TRACE(width);
    expectEqualsReference(trial);
  }
}

TEST(GatedDeviceGradient, EqualsReferenceWithBiasesAndMixedStacks) {
  for (const bool bias : {false, true}) {
    for (const bool recurrentBias : {false, true}) {
      GatedTrial trial(LayerKind::Egru);
      trial.network.layers[0].bias = bias;
      trial.network.layers[0].gated.recurrentBias = recurrentBias;
      trial.network.layers[1].kind = LayerKind::Gru;
      trial.network.layers[1].gated.recurrentBias = recurrentBias;
      trial.network.readout.bias = bias;
      SCOPED_TRACE(::testing::Message() << bias << recurrentBias);
      expectEqualsReference(trial);
    }
  }
}

TEST(GatedDeviceGradient, EqualsReferenceForEveryReadoutAndLoss) {
  for (const LossKind loss : {LossKind::CrossEntropy, LossKind::MeanSquared}) {
    for (const ReadoutReduction reduction : {ReadoutReduction::Mean, ReadoutReduction::Max,
                                             ReadoutReduction::Last, ReadoutReduction::PerStep}) {
      GatedTrial trial(LayerKind::Egru);
      trial.network.loss.kind = loss;
      trial.network.readout.reduction = reduction;
      SCOPED_TRACE(::testing::Message() << static_cast<int>(loss) << static_cast<int>(reduction));
      expectEqualsReference(trial);
    }
  }
}

TEST(GatedDeviceGradient, EqualsReferenceWithMasks) {
  for (const LayerKind kind : {LayerKind::Egru, LayerKind::Gru}) {
    GatedTrial trial(kind);
    for (LayerSpec& layer : trial.network.layers) {
      layer.gated.zoneout = 0.25;
      layer.gated.dropconnect = 0.5;
    }
    SCOPED_TRACE(static_cast<int>(kind));
    expectEqualsReference(trial, 7);
  }
}

TEST(GatedDeviceGradient, DoesNotDependOnNeuronsPerTileOrSamples) {
  for (const std::uint32_t neurons : {1u, 5u, 13u, 64u}) {
    GatedTrial trial(LayerKind::Egru);
    trial.neuronsPerTile = neurons;
    trial.numSamples = neurons % 7 + 1;
    SCOPED_TRACE(neurons);
    expectEqualsReference(trial);
  }
}

TEST(GatedDeviceGradient, HoldsOnAnIpuModelWithSixWorkers) {
  GatedTrial trial(LayerKind::Egru);
  trial.device = DeviceClass::IpuModel;
  trial.numTiles = 24;
  trial.neuronsPerTile = 3;
  trial.numSamples = 7;
  expectEqualsReference(trial);
}

TEST(GatedDeviceGradient, DoesWithoutMasksInEvaluation) {
  GatedTrial trial(LayerKind::Egru);
  for (LayerSpec& layer : trial.network.layers) {
    layer.gated.zoneout = 0.25;
    layer.gated.dropconnect = 0.5;
  }
  const ParameterSet parameters = trial.parameters();
  const auto session = makeGraphSession(trial.request(plan::base(trial.numSteps)));
  session->setParameters(parameters);
  const auto expected = reference::evaluate(
      trial.network, reference::toDense(trial.network, parameters), trial.batch());
  EXPECT_NEAR(session->evaluate(trial.batch()).loss, expected.loss, 1e-5);
}

struct Outcome {
  std::vector<double> losses;
  ParameterSet gradients, parameters;
};

Outcome runSchedule(const GatedTrial& trial, const plan::Schedule& schedule) {
  const auto session = makeGraphSession(trial.request(schedule));
  session->setParameters(trial.parameters());
  Outcome outcome;
  outcome.losses.push_back(session->differentiate(trial.batch()).loss);
  outcome.gradients = session->gradients();
  EventBatch next = trial.batch();
  next.continues = true; // every light step then starts from a state that is not zero
  for (int i = 0; i < 3; ++i) {
    outcome.losses.push_back(session->train(next, 0.01).loss);
  }
  outcome.parameters = session->parameters();
  return outcome;
}

void expectSameBits(const ParameterSet& a, const ParameterSet& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].values, b[i].values) << a[i].name;
  }
}

TEST(GatedStrategies, EqualBaseBitForBit) {
  for (const LayerKind kind : {LayerKind::Egru, LayerKind::Gru}) {
    GatedTrial trial(kind);
    trial.numSteps = 17;
    for (LayerSpec& layer : trial.network.layers) {
      layer.gated.zoneout = 0.1;
      layer.gated.dropconnect = 0.2;
    }
    const plan::Step T = trial.numSteps;
    std::vector<plan::Schedule> schedules;
    for (const plan::Step chunk : {1u, 4u, 40u}) {
      schedules.push_back(plan::standard(T, chunk));
      schedules.push_back(plan::remote(T, chunk));
      schedules.push_back(plan::hierarchical(T, chunk, 2));
      schedules.push_back(plan::doubleCheckpointing(T, 7, chunk));
    }
    schedules.push_back(plan::revolve(T, 3));
    plan::Costs cheapTransfers;
    cheapTransfers.writePerState = cheapTransfers.readPerState = 0.05;
    schedules.push_back(plan::optimal(T, 3, cheapTransfers).schedule);
    schedules.push_back(plan::streamed(T, 3, cheapTransfers).schedule);
    schedules.push_back(plan::withSpilledSpikes(schedules.back(), 5, 2));
    schedules.push_back(plan::withSpilledSpikes(plan::doubleCheckpointing(T, 7, 3), 5, 2));
    const Outcome base = runSchedule(trial, plan::base(T));
    for (const std::uint32_t lightSteps : {1u, 4u}) {
      trial.lightSteps = lightSteps;
      for (const plan::Schedule& schedule : schedules) {
        const Outcome outcome = runSchedule(trial, schedule);
        EXPECT_EQ(outcome.losses, base.losses);
        expectSameBits(outcome.gradients, base.gradients);
        expectSameBits(outcome.parameters, base.parameters);
        if (::testing::Test::HasFailure()) {
          FAIL() << schedule.actions.size() << " actions, " << schedule.numSlots << " slots";
        }
      }
    }
  }
}

TEST(GatedStrategies, RefuseTheSurrogateCache) {
  const GatedTrial trial(LayerKind::Egru);
  EXPECT_THROW(makeGraphSession(trial.request(plan::surrogateCached(trial.numSteps))), UserError);
}

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
