// How a network is laid out on a machine sized for the host: one answer for the planner and the
// session. It does not depend on the number of threads, so neither do results.
#pragma once

#include "plan/TilePartition.hpp"

#include <cstdint>

namespace spillway {

// neuronsPerTile 0: the planner's choice.
plan::CpuShape cpuShape(std::uint32_t neuronsPerTile);

// Samples whose lists are made and summed on one tile.
std::uint32_t cpuSamplesPerGroup(std::uint32_t numSamples);

// Steps whose errors wait until the weight gradients of gated layers are added up together: few
// enough that 16 bits tell the samples of all of them.
std::uint32_t cpuErrorSteps(const NetworkSpec& network, std::uint32_t numSamples);

// Whether the gates of its layers can be kept for the backward pass.
bool canKeepGates(const NetworkSpec& network);

} // namespace spillway
