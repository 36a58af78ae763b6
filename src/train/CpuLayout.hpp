// How a network is laid out on a machine sized for the host: one answer for the planner and the
// session.
#pragma once

#include "plan/TilePartition.hpp"

#include <cstdint>

namespace spillway {

// The threads asked for, or 0: one per core.
std::uint32_t hostThreads(std::uint32_t requested);

// neuronsPerTile 0: the planner's choice. Every layer has a tile for each thread.
plan::CpuShape cpuShape(std::uint32_t neuronsPerTile, std::uint32_t threads);

// Samples whose lists are made and summed on one tile: two groups a thread.
std::uint32_t cpuSamplesPerGroup(std::uint32_t numSamples, std::uint32_t threads);

} // namespace spillway
