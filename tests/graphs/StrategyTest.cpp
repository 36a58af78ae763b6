#include "SessionFixture.hpp"
#include "plan/Binomial.hpp"
#include "plan/Optimal.hpp"
#include "plan/Simulator.hpp"
#include "plan/SpikeSpill.hpp"
#include "plan/Streamed.hpp"

namespace spillway::testing {
namespace {

std::vector<plan::Schedule> paperStrategies(plan::Step numSteps) {
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

std::vector<plan::Schedule> ourStrategies(plan::Step numSteps) {
  std::vector<plan::Schedule> schedules;
  plan::Costs dearTransfers, cheapTransfers;
  dearTransfers.writePerState = dearTransfers.readPerState = 4.0;
  cheapTransfers.writePerState = cheapTransfers.readPerState = 0.2;
  for (const std::uint32_t slots : {1u, 2u, 4u, 7u, 30u}) {
    schedules.push_back(plan::revolve(numSteps, slots));
    for (const plan::Costs& costs : {dearTransfers, cheapTransfers}) {
      schedules.push_back(plan::optimal(numSteps, slots, costs).schedule);
      schedules.push_back(plan::streamed(numSteps, slots, costs).schedule);
    }
  }
  for (const plan::Schedule& schedule :
       {plan::base(numSteps), plan::doubleCheckpointing(numSteps, 7, 3),
        plan::revolve(numSteps, 4)}) {
    for (const plan::Step blockSteps : {1u, 5u, 8u}) {
      schedules.push_back(plan::withSpilledSpikes(schedule, blockSteps, 1));
      schedules.push_back(plan::withSpilledSpikes(schedule, blockSteps, 2));
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

void expectAllEqualBase(const Trial& trial, const std::vector<plan::Schedule>& schedules) {
  const Outcome base = runSchedule(trial, plan::base(trial.numSteps));
  for (const plan::Schedule& schedule : schedules) {
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

Trial feedForward() {
  Trial trial;
  trial.numSteps = 17;
  trial.blockSteps = 3;
  return trial;
}

Trial recurrentAdaptive() {
  Trial trial;
  trial.numSteps = 17;
  for (LayerSpec& layer : trial.network.layers) {
    layer.recurrent = true;
    layer.neuron = NeuronKind::Alif;
    layer.maxActive = 6;
    layer.gradientTheta = 0.3;
  }
  trial.network.readout.reduction = ReadoutReduction::PerStep;
  return trial;
}

TEST(Strategies, OfThePaperEqualBaseBitForBitInFeedForwardNetworks) {
  expectAllEqualBase(feedForward(), paperStrategies(17));
}

TEST(Strategies, OfThePaperEqualBaseBitForBitInRecurrentAdaptiveNetworks) {
  expectAllEqualBase(recurrentAdaptive(), paperStrategies(17));
}

TEST(Strategies, BeyondThePaperEqualBaseBitForBitInFeedForwardNetworks) {
  expectAllEqualBase(feedForward(), ourStrategies(17));
}

TEST(Strategies, BeyondThePaperEqualBaseBitForBitInRecurrentAdaptiveNetworks) {
  expectAllEqualBase(recurrentAdaptive(), ourStrategies(17));
}

TEST(Strategies, DoNotDependOnThreads) {
  Trial trial = feedForward();
  const plan::Schedule schedule = plan::doubleCheckpointing(trial.numSteps, 7, 3);
  const Outcome one = runSchedule(trial, schedule);
  trial.threads = 2;
  const Outcome two = runSchedule(trial, schedule);
  EXPECT_EQ(one.losses, two.losses);
  expectSameBits(one.gradients, two.gradients);
  expectSameBits(one.parameters, two.parameters);
}

} // namespace
} // namespace spillway::testing
