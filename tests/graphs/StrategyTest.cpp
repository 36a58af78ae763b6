#include "SameBits.hpp"
#include "SessionFixture.hpp"
#include "data/EventFile.hpp"
#include "network/UserError.hpp"
#include "plan/Binomial.hpp"
#include "plan/Optimal.hpp"
#include "plan/Simulator.hpp"
#include "plan/SpikeSpill.hpp"
#include "plan/Streamed.hpp"
#include "plan/TileBytes.hpp"

#include <filesystem>

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

// Every combination of kinds of neuron and recurrence; lists drop spikes, few neurons learn.
std::vector<Trial> sparseTrials() {
  std::vector<Trial> trials;
  for (const NeuronKind neuron : {NeuronKind::Lif, NeuronKind::Alif}) {
    for (const bool recurrent : {false, true}) {
      Trial trial;
      trial.numSteps = 17;
      trial.blockSteps = recurrent ? 1 : 3;
      trial.lightSteps = 4;
      for (LayerSpec& layer : trial.network.layers) {
        layer.recurrent = recurrent;
        layer.neuron = neuron;
        layer.maxActive = 6;
        layer.gradientTheta = 0.3;
      }
      trials.push_back(trial);
    }
  }
  return trials;
}

TEST(Strategies, CachedEqualsBaseBitForBit) {
  for (const Trial& trial : sparseTrials()) {
    std::vector<plan::Schedule> schedules{plan::surrogateCached(trial.numSteps)};
    for (const plan::Step blockSteps : {1u, 5u, 8u}) {
      schedules.push_back(plan::withSpilledSpikes(schedules.front(), blockSteps, 1));
      schedules.push_back(plan::withSpilledSpikes(schedules.front(), blockSteps, 2));
    }
    expectAllEqualBase(trial, schedules);
  }
}

// The input and both layers travel as masks, and as the lists they are.
TEST(Strategies, SpillMasksAndListsToTheSameBits) {
  for (const std::uint32_t maxActive : {0u, 8u}) {
    for (Trial trial : sparseTrials()) {
      trial.network.numInputs = 20;
      trial.network.maxInputEvents = maxActive;
      for (LayerSpec& layer : trial.network.layers) {
        layer.size = 70;
        layer.maxActive = maxActive;
      }
      expectAllEqualBase(trial,
                         {plan::withSpilledSpikes(plan::base(trial.numSteps), 5, 2),
                          plan::withSpilledSpikes(plan::surrogateCached(trial.numSteps), 5, 2)});
    }
  }
}

TEST(Strategies, CachedIsRefusedWhereBackwardReadsOtherStates) {
  const auto refuses = [](const auto& change) {
    Trial trial = sparseTrials().front();
    change(trial.network);
    EXPECT_THROW(makeGraphSession(trial.request(plan::surrogateCached(trial.numSteps))), UserError);
  };
  refuses([](NetworkSpec& n) { n.layers[1].resetGradient = ResetGradient::Gate; });
  refuses([](NetworkSpec& n) { n.layers[0].gradientTheta = LayerSpec().gradientTheta; });
  refuses([](NetworkSpec& n) { n.readout.reduction = ReadoutReduction::PerStep; });
}

TEST(Strategies, DoNotDependOnThreadsOverlapOrWhereRemoteStatesLie) {
  plan::Costs costs;
  costs.writePerState = costs.readPerState = 0.2;
  const plan::Step T = 17;
  const std::vector<plan::Schedule> schedules{
      plan::standard(T, 4),
      plan::hierarchical(T, 3, 2),
      plan::doubleCheckpointing(T, 7, 3),
      plan::optimal(T, 3, costs).schedule,
      plan::streamed(T, 3, costs).schedule,
      plan::withSpilledSpikes(plan::streamed(T, 3, costs).schedule, 5, 2),
      plan::withSpilledSpikes(plan::surrogateCached(T), 4, 2)};
  for (Trial trial : sparseTrials()) {
    const Outcome base = runSchedule(trial, plan::base(T));
    for (const plan::Schedule& schedule : schedules) {
      for (const std::uint32_t threads : {1u, 2u}) {
        for (const bool overlap : {false, true}) {
          trial.threads = threads;
          trial.overlap = overlap;
          trial.remoteFolder =
              threads == 2 ? std::string(std::filesystem::temp_directory_path()) : "";
          const Outcome outcome = runSchedule(trial, schedule);
          EXPECT_EQ(outcome.losses, base.losses);
          expectSameBits(outcome.gradients, base.gradients);
          expectSameBits(outcome.parameters, base.parameters);
          EXPECT_EQ(outcome.counts, plan::simulate(schedule));
        }
      }
    }
  }
}

TEST(Strategies, ReadLongTablesOfActionsPageByPage) {
  Trial trial = feedForward();
  trial.numSteps = 400;
  const std::vector<plan::Schedule> schedules{
      plan::remote(400, 1), plan::revolve(400, 2),
      plan::withSpilledSpikes(plan::doubleCheckpointing(400, 7, 3), 1, 2)};
  for (const plan::Schedule& schedule : schedules) {
    EXPECT_GT(schedule.actions.size(), 2 * plan::kActionsPerPage);
  }
  expectAllEqualBase(trial, schedules);

  // Evaluation has a table of its own, of several pages where the history's blocks are short.
  const auto paged = makeGraphSession(trial.request(schedules.back()));
  const auto whole = makeGraphSession(trial.request(plan::base(400)));
  for (const auto& session : {paged.get(), whole.get()}) {
    session->setParameters(trial.parameters());
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(paged->evaluate(trial.batch()).loss, whole->evaluate(trial.batch()).loss);
    EXPECT_EQ(paged->train(trial.batch(), 0.01).loss, whole->train(trial.batch(), 0.01).loss);
  }
}

TEST(Strategies, ReadBatchesFromAFileAsFromMemory) {
  const Trial trial = feedForward();
  const EventBatch batch = trial.batch();
  const auto file = std::make_shared<EventFile>(batch.numSteps, batch.numSamples, batch.maxEvents);
  for (std::uint32_t b = 0; b < batch.numSamples; ++b) {
    for (std::uint32_t t = 0; t < batch.numSteps; ++t) {
      const std::size_t row = std::size_t{t} * batch.numSamples + b;
      std::vector<std::uint16_t> words{batch.counts[row]};
      const std::uint16_t* ids = batch.ids.data() + row * batch.maxEvents;
      words.insert(words.end(), ids, ids + batch.maxEvents);
      file->write(b, t, words);
    }
  }
  EventBatch filed = batch;
  filed.ids.clear();
  filed.counts.clear();
  filed.file = file;
  for (const plan::Schedule& schedule :
       {plan::base(17), plan::withSpilledSpikes(plan::base(17), 5, 1)}) {
    const auto session = makeGraphSession(trial.request(schedule));
    session->setParameters(trial.parameters());
    const double loss = session->differentiate(batch).loss;
    const ParameterSet gradients = session->gradients();
    EXPECT_EQ(session->differentiate(filed).loss, loss);
    expectSameBits(session->gradients(), gradients);
  }
}

} // namespace
} // namespace spillway::testing
