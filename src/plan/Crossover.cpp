#include "plan/Crossover.hpp"

#include "plan/TimeModel.hpp"

#include <algorithm>

namespace spillway::plan {

std::vector<StrategyTime> rankWithSlots(Step numSteps, std::uint32_t numSlots, const Costs& costs,
                                        Overlap overlap) {
  Costs charged = costs;
  charged.perAction = 0.0;
  ScheduleBudget budget;
  budget.maxSlots = numSlots;
  std::vector<StrategyTime> ranking;
  for (Strategy strategy : kAllStrategies) {
    if ((strategy == Strategy::Streamed && overlap == Overlap::No) || strategy == Strategy::Cached)
      continue;
    const std::optional<StrategyChoice> choice =
        fastestParameters(strategy, numSteps, budget, charged, {});
    if (choice)
      ranking.push_back({*choice, timeOf(makeSchedule(*choice, numSteps, charged), charged).total});
  }
  // Sums in a different order may differ in the last digits: equal is what is equal but for those.
  std::stable_sort(
      ranking.begin(), ranking.end(),
      [](const StrategyTime& a, const StrategyTime& b) { return a.time < b.time * (1.0 - 1e-12); });
  return ranking;
}

std::vector<CrossoverCell> crossoverMap(Step numSteps, const std::vector<std::uint32_t>& slots,
                                        const std::vector<double>& lightRatios,
                                        const std::vector<double>& transferRatios,
                                        double backwardRatio, Overlap overlap) {
  std::vector<CrossoverCell> cells;
  for (std::uint32_t numSlots : slots)
    for (double light : lightRatios)
      for (double transfer : transferRatios) {
        Costs costs;
        costs.light = light;
        costs.backward = backwardRatio;
        costs.writePerState = costs.readPerState = transfer;
        cells.push_back({numSlots, light, transfer, backwardRatio,
                         rankWithSlots(numSteps, numSlots, costs, overlap).front()});
      }
  return cells;
}

} // namespace spillway::plan
