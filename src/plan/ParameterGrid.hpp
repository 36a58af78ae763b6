// Values of the paper's parameters that are worth trying.
#pragma once

#include "plan/Strategy.hpp"

#include <optional>
#include <vector>

namespace spillway::plan {

// What a strategy's parameters have to keep to.
struct ParameterLimits {
  Step numSteps = 1;
  std::uint64_t maxSlots = 0;
  std::optional<std::uint32_t> remoteRows; // none: enough
  Form form = Form::Tight;
};

// The shortest stretches between states in Streaming Memory for which its rows are enough; longer
// than the chain where they never are.
std::uint64_t leastRemoteLength(const ParameterLimits& limits);

// Chunks of Standard, Remote and Hierarchical: all up to 256, then a grid 3 % apart, and the
// longest that the slots or the shortest that the rows allow.
std::vector<Step> chunksOf(const ParameterLimits& limits);

// Chunks within Double's segments; lengths of segments; and those that fill the slots with such
// chunks.
std::vector<Step> innerChunksOf(const ParameterLimits& limits);
std::vector<Step> segmentsOf(const ParameterLimits& limits);
std::vector<Step> fillingSegmentsOf(const ParameterLimits& limits, Step chunk);

// Batches of Hierarchical's checkpoints: for each number of batches the least that makes it, and
// the largest.
std::vector<Step> batchesOf(const ParameterLimits& limits, Step numCheckpoints);

} // namespace spillway::plan
