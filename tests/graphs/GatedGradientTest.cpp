// Gated layers on the device against the reference, and against themselves under other schedules.
#include "GatedTrial.hpp"
#include "SameBits.hpp"
#include "network/UserError.hpp"
#include "plan/Binomial.hpp"
#include "plan/Optimal.hpp"
#include "plan/SpikeSpill.hpp"
#include "plan/Streamed.hpp"

#include <stdexcept>
#include <tuple>

namespace spillway::testing {
namespace {

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

// Lists of eight samples are united where they are alike, others pass over blocks of rows, and
// errors of eight steps wait: more of each than one, and a rest.
TEST(GatedDeviceGradient, EqualsReferenceWhereManySamplesShareWeights) {
  for (const auto& [kind, samples, dropout, seed] :
       {std::tuple(LayerKind::Egru, 41u, 0.0, 2u), std::tuple(LayerKind::Egru, 19u, 0.3, 2u),
        std::tuple(LayerKind::Gru, 19u, 0.0, 1u)}) {
    GatedTrial trial(kind);
    trial.seed = seed;
    trial.network.layers[0].size = 150;
    trial.network.layers[1].size = 30;
    for (LayerSpec& layer : trial.network.layers) {
      layer.gated.dropout = dropout;
    }
    trial.neuronsPerTile = 80;
    trial.numSamples = samples;
    SCOPED_TRACE(::testing::Message() << static_cast<int>(kind) << samples);
    expectEqualsReference(trial, 7);
  }
}

// More samples than a panel has lanes, and more units than are looked at together.
TEST(GatedDeviceGradient, EqualsReferenceWhereSamplesAndUnitsTakeSeveralRounds) {
  for (const auto& [kind, samples] :
       {std::pair(LayerKind::Egru, 70u), std::pair(LayerKind::Egru, 34u),
        std::pair(LayerKind::Gru, 65u)}) {
    GatedTrial trial(kind);
    trial.seed = 2;
    trial.network.layers[0].size = 270;
    trial.numSteps = 4;
    trial.neuronsPerTile = 262;
    trial.numSamples = samples;
    SCOPED_TRACE(::testing::Message() << static_cast<int>(kind) << samples);
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

TEST(GatedStrategies, EqualBaseBitForBit) {
  for (const auto& [kind, convention] : {std::pair(LayerKind::Egru, GatedConvention::Code),
                                         std::pair(LayerKind::Egru, GatedConvention::Paper),
                                         std::pair(LayerKind::Gru, GatedConvention::Code)}) {
    GatedTrial trial(kind);
    trial.numSteps = 17;
    for (LayerSpec& layer : trial.network.layers) {
      layer.gated.convention = convention;
      layer.gated.zoneout = convention == GatedConvention::Code ? 0.1 : 0.0;
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

TEST(GatedStrategies, HaveTheSameBitsWithGatesKept) {
  for (const LayerKind kind : {LayerKind::Egru, LayerKind::Gru}) {
    GatedTrial trial(kind);
    trial.numSteps = 17;
    for (LayerSpec& layer : trial.network.layers) {
      layer.gated.zoneout = 0.1;
      layer.gated.dropout = 0.2;
    }
    const plan::Step T = trial.numSteps;
    const Outcome again = runSchedule(trial, plan::base(T));
    trial.keepsGates = true;
    for (const plan::Schedule& schedule :
         {plan::base(T), plan::withSpilledSpikes(plan::base(T), 5, 1), plan::standard(T, 4),
          plan::withSpilledSpikes(plan::doubleCheckpointing(T, 7, 3), 5, 2)}) {
      const Outcome kept = runSchedule(trial, schedule);
      EXPECT_EQ(kept.losses, again.losses);
      expectSameBits(kept.gradients, again.gradients);
      expectSameBits(kept.parameters, again.parameters);
    }
  }
}

ParameterSet trained(GatedTrial trial, GradientUse use, const plan::Schedule& schedule) {
  SessionRequest request = trial.request(schedule);
  request.sharing.use = use;
  const auto session = makeGraphSession(request);
  session->setParameters(trial.parameters());
  EventBatch batch = trial.batch();
  for (int i = 0; i < 3; ++i) {
    session->train(batch, 0.01);
    session->evaluate(batch); // leaves the next update alone
    batch.continues = true;
  }
  if (use == GradientUse::Unread) {
    EXPECT_THROW(session->gradients(), std::logic_error); // they were formed late indeed
  }
  return session->parameters();
}

// Tiles of 64 units and one of fewer; of dense units all rows are busy, of events few.
TEST(GatedStrategies, TrainToTheSameBitsWithErrorsKept) {
  for (const LayerKind kind : {LayerKind::Egru, LayerKind::Gru}) {
    GatedTrial trial(kind);
    trial.neuronsPerTile = 64;
    trial.numSteps = 9;
    for (LayerSpec& layer : trial.network.layers) {
      layer.size = 75;
      layer.gated.zoneout = 0.1;
      layer.gated.dropout = 0.2;
    }
    const plan::Step T = trial.numSteps;
    for (const double clipNorm : {0.0, 0.1}) {
      for (const double dropconnect : {0.0, 0.2}) {
        trial.optimiser.clipNorm = clipNorm;
        trial.network.layers[1].gated.dropconnect = dropconnect;
        trial.keepsGates = false;
        const ParameterSet expected = trained(trial, GradientUse::Own, plan::base(T));
        trial.keepsGates = true;
        expectSameBits(trained(trial, GradientUse::Unread, plan::base(T)), expected);
        expectSameBits(trained(trial, GradientUse::Unread, plan::standard(T, 4)), expected);
      }
    }
  }
}

TEST(GatedStrategies, KeepGatesWhereTheyCan) {
  GatedTrial trial(LayerKind::Egru);
  trial.keepsGates = true;
  const plan::Schedule schedule = plan::base(trial.numSteps);
  trial.network.layers[1].gated.convention = GatedConvention::Paper;
  EXPECT_THROW(makeGraphSession(trial.request(schedule)), UserError);
  trial.network.layers[1].gated.convention = GatedConvention::Code;
  EXPECT_NO_THROW(makeGraphSession(trial.request(schedule)));
  trial.device = DeviceClass::IpuModel;
  trial.numTiles = 24;
  EXPECT_THROW(makeGraphSession(trial.request(schedule)), UserError);
}

TEST(GatedStrategies, RefuseTheSurrogateCache) {
  const GatedTrial trial(LayerKind::Egru);
  EXPECT_THROW(makeGraphSession(trial.request(plan::surrogateCached(trial.numSteps))), UserError);
}

} // namespace
} // namespace spillway::testing
