// Which strategy is fastest in a given number of slots, as costs change: the map behind the choice.
#pragma once

#include "plan/Strategy.hpp"

#include <cstdint>
#include <vector>

namespace spillway::plan {

struct StrategyTime {
  StrategyChoice choice;
  double time = 0.0; // perAction not counted
};

enum class Overlap { No, Yes };

// Every strategy that fits `numSlots` slots with its best parameters, fastest first; of equals, the
// simpler one (earlier in kAllStrategies). Streamed, which has two staging buffers beside its
// slots, only with Overlap::Yes; Cached, which is no matter of slots, never.
std::vector<StrategyTime> rankWithSlots(Step numSteps, std::uint32_t numSlots, const Costs& costs,
                                        Overlap overlap);

struct CrossoverCell {
  std::uint32_t numSlots = 0;
  double lightRatio = 0.0, transferRatio = 0.0; // r/f, and one transfer over f
  double backwardRatio = 0.0;                   // b/f
  StrategyTime fastest;
};

// One cell for each combination, with f = 1 and the backward step `backwardRatio` times that.
std::vector<CrossoverCell> crossoverMap(Step numSteps, const std::vector<std::uint32_t>& slots,
                                        const std::vector<double>& lightRatios,
                                        const std::vector<double>& transferRatios,
                                        double backwardRatio, Overlap overlap);

} // namespace spillway::plan
