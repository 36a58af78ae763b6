// Shapes of spilled histories worth trying, and lean choices of parameters.
#pragma once

#include "plan/Strategy.hpp"

#include <vector>

namespace spillway::plan {

// Blocks of spikes, and how many to hold. Larger ones cost slots, smaller ones transfers.
struct SpillShape {
  Step block;
  std::uint32_t buffers;
};
inline constexpr SpillShape kSpillShapes[] = {{16, 4},  {32, 8},  {64, 8},   {128, 8},
                                              {256, 8}, {512, 4}, {1024, 4}, {2048, 3}};
// Costs per step hardly depend on T beyond this: schedules that take long to find are compared on
// shorter chains.
inline constexpr Step kProbeSteps = 2048, kSpillProbeSteps = 16384;

// The shapes to try as choices of nothing else, or the one that is fixed.
std::vector<StrategyChoice> spillShapes(const StrategyChoice& fixed);

// Those that may take the fewest bytes: the history as it is, which short chains need least for,
// and where it may be spilled the smallest blocks.
std::vector<StrategyChoice> leanShapes(const StrategyChoice& fixed, bool maySpill);

// Of the paper's strategies. Among these is one that takes few bytes: fewer slots mean more
// actions, whose table takes bytes too, and the best is somewhere between.
std::vector<StrategyChoice> leanCandidates(Strategy strategy, Step numSteps,
                                           const StrategyChoice& fixed,
                                           std::optional<std::uint32_t> remoteRows);

} // namespace spillway::plan
