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

// A choice with the shape that takes the fewest bytes, and nothing else.
StrategyChoice leanestSpill();

// Among these is one that takes few bytes. Fewer slots mean more actions, whose table takes bytes
// too: the best is somewhere between.
std::vector<StrategyChoice> leanCandidates(Strategy strategy, Step numSteps,
                                           const StrategyChoice& fixed);

} // namespace spillway::plan
