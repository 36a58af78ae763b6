// What the checkpoint settings fix, and what they leave open.
#include "train/ScheduleFor.hpp"

#include "network/SettingError.hpp"
#include "plan/Binomial.hpp"
#include "plan/Optimal.hpp"
#include "plan/PaperStrategies.hpp"
#include "plan/Simulator.hpp"
#include "plan/SpikeSpill.hpp"
#include "train/AutoPlan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spillway {
namespace {

Settings settingsOf(StrategyKind strategy, std::uint32_t numSteps) {
  Settings settings;
  settings.network.numInputs = 20;
  LayerSpec layer;
  layer.size = 32;
  layer.maxActive = 4;
  layer.gradientTheta = 0.9F;
  settings.network.layers = {layer};
  settings.network.readout.numOutputs = 4;
  settings.data.numSteps = numSteps;
  settings.train.batchSize = 8;
  settings.machine.timeBlock = 1;
  settings.checkpoint.strategy = strategy;
  return settings;
}

Settings onTiles(StrategyKind strategy, std::uint32_t numSteps) {
  Settings settings = settingsOf(strategy, numSteps);
  settings.machine.device = DeviceKind::Model;
  settings.machine.numTiles = 32;
  settings.machine.neuronsPerTile = 2;
  return settings;
}

plan::Schedule standardOf(std::uint32_t numSteps, std::uint32_t block, std::uint32_t chunk) {
  Settings settings = settingsOf(StrategyKind::Standard, numSteps);
  settings.checkpoint.chunk = chunk;
  settings.machine.timeBlock = block;
  return scheduleFor(settings).schedule;
}

TEST(ScheduleFor, TakesChunksOfWholeTimeBlocksSomewhatLongerThanTheSquareRoot) {
  EXPECT_EQ(standardOf(300, 1, 0), plan::standard(300, 17));
  EXPECT_EQ(standardOf(4000, 16, 0), plan::standard(4000, 96));
  EXPECT_EQ(standardOf(20000, 16, 0), plan::standard(20000, 208));
  EXPECT_EQ(standardOf(20, 16, 0), plan::standard(20, 16)); // never less than a block
}

TEST(ScheduleFor, TakesFourBlocksOrAFifthOfTheStepsForAChunk) {
  EXPECT_EQ(standardOf(300, 16, 0), plan::standard(300, 48));
  EXPECT_EQ(standardOf(150, 16, 0), plan::standard(150, 32));
}

TEST(ScheduleFor, LeavesAGivenChunkAsItIs) {
  EXPECT_EQ(standardOf(300, 16, 17), plan::standard(300, 17));
}

TEST(ScheduleFor, KeepsTheSlotsAndBlocksThatAreSet) {
  for (const bool tiles : {false, true}) {
    Settings settings =
        tiles ? onTiles(StrategyKind::Revolve, 200) : settingsOf(StrategyKind::Revolve, 200);
    settings.checkpoint.numLocal = 5;
    EXPECT_EQ(scheduleFor(settings).schedule, plan::revolve(200, 5));
    settings.checkpoint.spikeBlock = 30;
    EXPECT_EQ(scheduleFor(settings).schedule,
              plan::withSpilledSpikes(plan::revolve(200, 5), 30, 4));
    settings.checkpoint.strategy = StrategyKind::Optimal;
    EXPECT_EQ(scheduleFor(settings).schedule.numSlots, 5u);
    settings.checkpoint.spikeBlock = 200;
    EXPECT_EQ(scheduleFor(settings).schedule.spikeBlock, 0u) << "one block, which stays";
  }
}

TEST(ScheduleFor, TakesTheFastestParametersThatFitALimit) {
  Settings settings = onTiles(StrategyKind::Double, 400);
  EXPECT_EQ(plan::simulate(scheduleFor(settings).schedule).lightSteps, 0u) << "all states fit";
  const std::uint64_t base =
      planOfRun(plan::Strategy::Base, settings, planInputs(settings)).memory.largest.total();
  settings.checkpoint.memoryBudgetBytes = base - 10000;
  const plan::StrategyPlan row = planOfRun(plan::Strategy::Double, settings, planInputs(settings));
  EXPECT_TRUE(row.fits);
  EXPECT_EQ(scheduleFor(settings).schedule,
            plan::doubleCheckpointing(400, row.choice.remoteChunk, row.choice.chunk));
}

TEST(ScheduleFor, RunsWhatThePlanSays) {
  using enum StrategyKind;
  for (const bool tiles : {false, true})
    for (const StrategyKind kind :
         {Base, Standard, Remote, Hierarchical, Double, Revolve, Optimal, Streamed, Cached})
      for (const std::uint32_t spikeBlock : {0u, 7u})
        for (const bool overlap : {true, false}) {
          Settings settings = tiles ? onTiles(kind, 60) : settingsOf(kind, 60);
          settings.checkpoint.spikeBlock = spikeBlock;
          settings.checkpoint.overlap = overlap;
          const plan::StrategyPlan row =
              planOfRun(planStrategyOf(kind), settings, planInputs(settings));
          const plan::Schedule schedule = scheduleFor(settings).schedule;
          EXPECT_EQ(plan::simulate(schedule), row.counts) << plan::describe(row.choice);
          EXPECT_EQ(schedule.spikeBlock, spikeBlock) << plan::describe(row.choice);
        }
}

// Three layers whose neurons all learn.
Settings denseOf(std::uint32_t numSteps) {
  Settings settings = settingsOf(StrategyKind::Auto, numSteps);
  LayerSpec layer;
  layer.size = 256;
  settings.network.layers = {layer, layer, layer};
  settings.train.batchSize = 32;
  settings.machine.timeBlock = 16;
  return settings;
}

TEST(ScheduleFor, AutoIsTheDefault) {
  EXPECT_EQ(Settings().checkpoint.strategy, StrategyKind::Auto);
}

TEST(ScheduleFor, AutoRepeatsStepsOnTheCpuWhereTheyAreCheap) {
  EXPECT_EQ(scheduleFor(denseOf(300)).schedule, plan::standard(300, 48));
  EXPECT_THAT(scheduleFor(denseOf(300)).reason, testing::HasSubstr("standard, chunk 48"));
}

TEST(ScheduleFor, AutoKeepsStatesOnTheCpuThatSaveNothing) {
  EXPECT_EQ(scheduleFor(denseOf(20)).schedule, plan::base(20)) << "a chunk is nearly as long";
}

TEST(ScheduleFor, AutoCachesOnTheCpuWhereFewNeuronsLearn) {
  Settings settings = settingsOf(StrategyKind::Auto, 300);
  EXPECT_TRUE(scheduleFor(settings).schedule.cachesSurrogate);
  settings.network.layers[0].resetGradient = ResetGradient::Gate;
  EXPECT_EQ(plan::simulate(scheduleFor(settings).schedule).lightSteps, 0u)
      << "sparse steps are too dear to repeat";
}

TEST(ScheduleFor, AutoRunsWhatItsPlanSays) {
  for (const Settings& settings : {denseOf(20), denseOf(300), settingsOf(StrategyKind::Auto, 300),
                                   onTiles(StrategyKind::Auto, 60)}) {
    const plan::Plan found = planOfAuto(settings, planInputs(settings), plan::PlanDetail::Times);
    EXPECT_EQ(plan::simulate(scheduleFor(settings).schedule), found.table[*found.chosen].counts);
    EXPECT_THAT(scheduleFor(settings).reason, testing::StartsWith(found.reason));
  }
}

TEST(ScheduleFor, AutoTakesTheFastestThatFitsABudget) {
  Settings settings = denseOf(300);
  settings.checkpoint.memoryBudgetBytes = 1ull << 30;
  EXPECT_EQ(scheduleFor(settings).schedule, plan::base(300));
}

TEST(ScheduleFor, AutoKeepsStatesOfGatedLayersOnTheCpu) {
  Settings settings = denseOf(300);
  for (LayerSpec& layer : settings.network.layers)
    layer.kind = LayerKind::Gru;
  EXPECT_EQ(scheduleFor(settings).schedule, plan::base(300)) << "nothing says what they cost";
}

// The budget that an error names works, and the next smaller one does not.
TEST(ScheduleFor, NamesTheSmallestBudgetOfATile) {
  using enum StrategyKind;
  for (const StrategyKind kind : {Auto, Base, Standard, Double, Revolve, Optimal})
    for (const std::uint32_t numSteps : {1u, 5u, 70u, 700u}) {
      Settings settings = onTiles(kind, numSteps);
      const auto errorWith = [&](std::uint64_t budget) -> std::string {
        settings.checkpoint.memoryBudgetBytes = budget;
        try {
          scheduleFor(settings);
        } catch (const SettingError& error) {
          return error.what();
        }
        return "";
      };
      const std::string error = errorWith(1000);
      const std::string before = "steps is ";
      ASSERT_THAT(error, testing::HasSubstr(before));
      const std::uint64_t named = std::stoull(error.substr(error.find(before) + before.size()));
      EXPECT_EQ(errorWith(named), "") << numSteps;
      EXPECT_NE(errorWith(named - 1), "") << numSteps;
    }
}

} // namespace
} // namespace spillway
