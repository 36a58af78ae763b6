#include "plan/SpillShapes.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

// With one slot the steps are T^2 / 2; longer chains are not considered with fewer than four.
constexpr Step kFewSlotsSteps = 256;

std::vector<Step> powers(Step given, Step limit) {
  std::vector<Step> values{std::max<Step>(1, given)};
  for (Step value = 2; given == 0 && value <= limit; value *= 2)
    values.push_back(value);
  return values;
}

} // namespace

StrategyChoice leanestSpill() {
  StrategyChoice choice;
  choice.spikeBlock = kSpillShapes[0].block;
  choice.numSpikeBuffers = kSpillShapes[0].buffers;
  return choice;
}

std::vector<StrategyChoice> leanCandidates(Strategy strategy, Step numSteps,
                                           const StrategyChoice& fixed) {
  std::vector<StrategyChoice> candidates;
  StrategyChoice choice = leanestParameters(strategy, numSteps, fixed);
  const bool takesSlots = strategy >= Strategy::Revolve && strategy != Strategy::Cached;
  if (!takesSlots || numSteps <= kFewSlotsSteps)
    candidates.push_back(choice);
  if (strategy == Strategy::Double || strategy == Strategy::Remote ||
      strategy == Strategy::Hierarchical) {
    for (Step remoteChunk : powers(strategy == Strategy::Double ? fixed.remoteChunk : 1, numSteps))
      for (Step chunk : powers(fixed.chunk, numSteps)) {
        choice.chunk = chunk;
        if (strategy == Strategy::Double)
          choice.remoteChunk = remoteChunk;
        candidates.push_back(choice);
      }
  } else if (takesSlots) {
    // A long chain with few slots has a table of actions that no tile holds.
    for (Step slots = numSteps <= kProbeSteps ? 4 : 16; slots <= std::min<Step>(numSteps, 64);
         slots *= 4) {
      choice.numSlots = slots;
      candidates.push_back(choice);
    }
  }
  return candidates;
}

} // namespace spillway::plan
