// What auto chooses against every setting of the paper's strategies that keeps to the same limits.
#include "plan/Planner.hpp"
#include "plan/RemoteRoom.hpp"
#include "plan/SpikeSpill.hpp"
#include "plan/TimeModel.hpp"

#include <gtest/gtest.h>

#include <random>

namespace spillway::plan {
namespace {

struct Setting {
  MemoryModel memory;
  PlanRequest request;
};

Setting randomSetting(std::mt19937& random) {
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto oneOf = [&](std::initializer_list<double> values) {
    return *(values.begin() + random() % values.size());
  };
  MachineBytes machine;
  machine.tiles.resize(1);
  machine.tiles[0].stateBytes = 100;
  machine.tiles[0].spikeBytesPerStep = machine.tiles[0].spilledBytesPerStep = random() % 12;
  machine.bytesPerAction = random() % 2 == 0 ? 0 : 36;
  machine.stagesAllTransfers = random() % 2 == 0;
  Setting setting{MemoryModel(machine), {}};
  PlanRequest& request = setting.request;
  request.numSteps = static_cast<Step>(2 + random() % 250); // of which all settings are tried
  const double most = request.numSteps * 110.0;
  request.budgetBytes = static_cast<std::uint64_t>(between(300.0, between(400.0, 300.0 + most)));
  Costs& costs = request.costs;
  costs.light = between(0.0, 1.0) * costs.forward;
  costs.backward = between(0.5, 4.0);
  costs.writePerState = oneOf({0.0, 0.1, 1.0, 16.0}) * between(0.5, 1.5);
  costs.readPerState = oneOf({0.0, 0.1, 1.0, 16.0}) * between(0.5, 1.5);
  costs.writeLatency = oneOf({0.0, 0.1, 5.0});
  costs.readLatency = oneOf({0.0, 0.1, 5.0});
  costs.perAction = oneOf({0.0, 0.02});
  request.spikePerStep = oneOf({0.0, 0.01, 0.3});
  request.spillSpikes = random() % 2 == 0;
  if (random() % 2 == 0)
    request.remoteRows = static_cast<std::uint32_t>(random() % 20);
  if (random() % 3 == 0)
    request.remoteBytes = random() % static_cast<std::uint64_t>(most);
  return setting;
}

TEST(Auto, IsNeverSlowerThanAnySettingOfThePapersStrategiesWithinTheSameLimits) {
  std::mt19937 random(3);
  unsigned numChosen = 0, numCompared = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const auto [memory, request] = randomSetting(random);
    const Step T = request.numSteps;
    const Plan plan = planAll(request, memory, PlanDetail::Times);
    numChosen += plan.chosen ? 1 : 0;
    const auto compare = [&](const Schedule& schedule, const char* what, Step K, Step k) {
      const MemoryDemand demand = demandOf(schedule);
      if (!memory.fits(demand, request.budgetBytes, request.limit) ||
          !fitsRemote(demand, request, memory))
        return;
      ++numCompared;
      ASSERT_TRUE(plan.chosen) << what << " fits, K=" << K << " k=" << k << " T=" << T << " trial "
                               << trial;
      EXPECT_LE(plan.table[*plan.chosen].time.total,
                timeOf(schedule, request.costs).total * (1 + 1e-9))
          << what << " K=" << K << " k=" << k << " T=" << T << " trial " << trial;
    };
    compare(base(T), "base", 0, 0);
    for (Step k = 1; k <= T; k += 1 + k / 8) {
      compare(standard(T, k), "standard", 0, k);
      compare(remote(T, k), "remote", 0, k);
      for (Step K = 1; K <= T; K += 1 + K / 4) {
        compare(hierarchical(T, k, K), "hierarchical", K, k);
        compare(doubleCheckpointing(T, std::max(K, k), k), "double", std::max(K, k), k);
      }
    }
  }
  EXPECT_GT(numChosen, 100u);
  EXPECT_GT(numCompared, 10000u) << "the trials are too hard";
}

} // namespace
} // namespace spillway::plan
