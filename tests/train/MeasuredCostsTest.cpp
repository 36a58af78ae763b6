#include "train/MeasuredCosts.hpp"

#include "config/Config.hpp"
#include "plan/TimeModel.hpp"
#include "train/PlanInputs.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace spillway {
namespace {

plan::Costs someCosts() {
  plan::Costs costs;
  costs.forward = 3e-4;
  costs.light = 1.2e-4;
  costs.backward = 5e-4;
  costs.writePerState = costs.readPerState = 4e-5;
  costs.perAction = 2e-5;
  return costs;
}

// A host whose steps take what `costs` says, and a training step a little beside.
ScheduleSeconds timeOn(const plan::Costs& costs, double spikesPerStep,
                       const plan::Schedule& schedule) {
  plan::Costs all = costs;
  all.spikeWrite = all.spikeRead = (schedule.spikeBlock + 1.0) * spikesPerStep;
  const double fixed = 7e-4;
  return {fixed + plan::timeOf(schedule, all).total, fixed / 2 + schedule.numSteps * costs.forward};
}

TEST(MeasuredCosts, FindWhatTheHostTakes) {
  for (const plan::Step numSteps : {kLeastMeasuredSteps, 100u, 128u}) {
    const plan::Costs host = someCosts();
    const MeasuredCosts found =
        measureCosts(numSteps, SpikeMoves::Allowed,
                     [&](const plan::Schedule& schedule) { return timeOn(host, 1e-5, schedule); });
    EXPECT_NEAR(found.seconds.forward, host.forward, 1e-9);
    EXPECT_NEAR(found.seconds.backward, host.backward, 1e-9);
    EXPECT_NEAR(found.seconds.light, host.light, 1e-7);
    EXPECT_NEAR(found.seconds.perAction, host.perAction, 1e-9);
    EXPECT_NEAR(found.seconds.writePerState, host.writePerState, 1e-9);
    EXPECT_NEAR(found.spikesPerStep.value(), 1e-5, 1e-7);
  }
}

TEST(MeasuredCosts, AreUnknownRatherThanNegative) {
  const auto host = [](const plan::Schedule& schedule) { return timeOn(someCosts(), 0, schedule); };
  const auto noisy = [&](const plan::Schedule& schedule) {
    ScheduleSeconds seconds = host(schedule);
    seconds.train *= schedule.spikeBlock != 0 || schedule.numRows != 0 ? 0.9 : 1.0;
    return seconds;
  };
  const MeasuredCosts found = measureCosts(64, SpikeMoves::Allowed, noisy);
  EXPECT_EQ(found.seconds.writePerState, 0.0);
  EXPECT_FALSE(found.spikesPerStep);
  EXPECT_FALSE(measureCosts(64, SpikeMoves::None, host).spikesPerStep);
}

class KeptCosts : public testing::Test {
protected:
  KeptCosts() { ::setenv("SPILLWAY_COSTS", folder_.c_str(), 1); }
  ~KeptCosts() override {
    ::unsetenv("SPILLWAY_COSTS");
    std::filesystem::remove_all(folder_);
  }

  static Settings settings() {
    Settings settings = loadConfig("", {"network.layers=2x32", "data.steps=64"}).settings;
    settings.network.numInputs = 20;
    settings.network.readout.numOutputs = 4;
    return settings;
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("spillway-costs-" + std::to_string(::getpid()));
};

TEST_F(KeptCosts, AreUsedByPlansOfTheSameNetworkAlone) {
  const Settings here = settings();
  EXPECT_FALSE(recallCosts(here));
  EXPECT_FALSE(planInputs(here).costsMeasured);
  MeasuredCosts costs{someCosts(), 2e-6};
  rememberCosts(here, costs);
  const PlanInputs inputs = planInputs(here);
  EXPECT_TRUE(inputs.costsMeasured);
  EXPECT_DOUBLE_EQ(inputs.request.costs.forward, costs.seconds.forward * inputs.clockHz);
  EXPECT_DOUBLE_EQ(inputs.request.spikePerStep, *costs.spikesPerStep * inputs.clockHz);
  Settings longer = here, wider = here;
  longer.data.numSteps = 5000;
  EXPECT_TRUE(planInputs(longer).costsMeasured) << "a step costs the same";
  wider.network.layers[0].size = 48;
  EXPECT_FALSE(planInputs(wider).costsMeasured);
}

TEST_F(KeptCosts, RememberWhatIsUnknown) {
  const Settings here = settings();
  const double constant = planInputs(here).request.spikePerStep;
  rememberCosts(here, {someCosts(), std::nullopt});
  ASSERT_TRUE(recallCosts(here));
  EXPECT_FALSE(recallCosts(here)->spikesPerStep);
  EXPECT_EQ(planInputs(here).request.spikePerStep, constant);
}

TEST_F(KeptCosts, AreForgottenWhereTheFileIsDamaged) {
  const Settings here = settings();
  rememberCosts(here, {someCosts(), 2e-6});
  std::ofstream(costsFile(here)) << "{\"forward\": ";
  EXPECT_FALSE(recallCosts(here));
  std::ofstream(costsFile(here)) << "{\"forward\": \"fast\"}";
  EXPECT_FALSE(recallCosts(here));
}

} // namespace
} // namespace spillway
