#include "plan/SpillShapes.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

std::vector<Step> powers(Step given, Step limit) {
  std::vector<Step> values{std::max<Step>(1, given)};
  for (Step value = 2; given == 0 && value <= limit; value *= 2)
    values.push_back(value);
  return values;
}

StrategyChoice spilledIn(const SpillShape& shape) {
  StrategyChoice choice;
  choice.spikeBlock = shape.block;
  choice.numSpikeBuffers = shape.buffers;
  return choice;
}

} // namespace

std::vector<StrategyChoice> spillShapes(const StrategyChoice& fixed) {
  if (fixed.spikeBlock != 0)
    return {spilledIn({fixed.spikeBlock, fixed.numSpikeBuffers})};
  std::vector<StrategyChoice> shapes;
  for (const SpillShape& shape : kSpillShapes)
    shapes.push_back(spilledIn(shape));
  return shapes;
}

std::vector<StrategyChoice> leanShapes(const StrategyChoice& fixed, bool maySpill) {
  if (fixed.spikeBlock != 0)
    return spillShapes(fixed);
  std::vector<StrategyChoice> shapes{StrategyChoice{}};
  if (maySpill)
    shapes.push_back(spilledIn(kSpillShapes[0]));
  return shapes;
}

std::vector<StrategyChoice> leanCandidates(Strategy strategy, Step numSteps,
                                           const StrategyChoice& fixed,
                                           std::optional<std::uint32_t> remoteRows) {
  std::vector<StrategyChoice> candidates;
  const std::optional<StrategyChoice> fewestSlots =
      leanestParameters(strategy, numSteps, fixed, remoteRows);
  if (!fewestSlots)
    return candidates;
  StrategyChoice choice = *fewestSlots;
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
  }
  return candidates;
}

} // namespace spillway::plan
