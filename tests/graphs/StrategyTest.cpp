#include "SessionFixture.hpp"
#include "plan/Simulator.hpp"

namespace spillway::testing {
namespace {

std::vector<plan::Schedule> strategiesOf(plan::Step numSteps) {
  std::vector<plan::Schedule> schedules;
  for (const plan::Form form : {plan::Form::Tight, plan::Form::Literal}) {
    for (const plan::Step chunk : {1u, 3u, 4u, 5u, 40u}) {
      schedules.push_back(plan::standard(numSteps, chunk, form));
      schedules.push_back(plan::remote(numSteps, chunk, form));
      schedules.push_back(plan::hierarchical(numSteps, chunk, 2, form));
      for (const plan::Step remoteChunk : {1u, 7u, 12u, 40u}) {
        schedules.push_back(plan::doubleCheckpointing(numSteps, remoteChunk, chunk, form));
      }
    }
  }
  return schedules;
}

void expectSameBits(const ParameterSet& a, const ParameterSet& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].values, b[i].values) << a[i].name;
  }
}

// Loss, gradients and the weights after three updates.
struct Outcome {
  std::vector<double> losses;
  ParameterSet gradients, parameters;
  plan::ScheduleCounts counts;
};

Outcome runSchedule(const Trial& trial, const plan::Schedule& schedule) {
  const auto session = makeGraphSession(trial.request(schedule));
  session->setParameters(trial.parameters());
  Outcome outcome;
  outcome.losses.push_back(session->differentiate(trial.batch()).loss);
  outcome.gradients = session->gradients();
  outcome.counts = session->scheduleCounts();
  for (int i = 0; i < 3; ++i) {
    outcome.losses.push_back(session->train(trial.batch(), 0.01).loss);
  }
  outcome.parameters = session->parameters();
  return outcome;
}

void expectAllEqualBase(const Trial& trial) {
  const Outcome base = runSchedule(trial, plan::base(trial.numSteps));
  for (const plan::Schedule& schedule : strategiesOf(trial.numSteps)) {
    const Outcome outcome = runSchedule(trial, schedule);
    EXPECT_EQ(outcome.losses, base.losses);
    expectSameBits(outcome.gradients, base.gradients);
    expectSameBits(outcome.parameters, base.parameters);
    EXPECT_EQ(outcome.counts, plan::simulate(schedule));
    if (::testing::Test::HasFailure()) {
      FAIL() << schedule.actions.size() << " actions, " << schedule.numSlots << " slots";
    }
  }
}

TEST(Strategies, AllEqualBaseBitForBitInFeedForwardNetworks) {
  Trial trial;
  trial.numSteps = 17;
  trial.blockSteps = 3;
  expectAllEqualBase(trial);
}

TEST(Strategies, AllEqualBaseBitForBitInRecurrentAdaptiveNetworks) {
  Trial trial;
  trial.numSteps = 17;
  for (LayerSpec& layer : trial.network.layers) {
    layer.recurrent = true;
    layer.neuron = NeuronKind::Alif;
    layer.maxActive = 6;
    layer.gradientTheta = 0.3;
  }
  expectAllEqualBase(trial);
}

} // namespace
} // namespace spillway::testing
