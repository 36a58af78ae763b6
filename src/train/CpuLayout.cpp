#include "train/CpuLayout.hpp"

#include <algorithm>
#include <thread>

namespace spillway {

std::uint32_t hostThreads(std::uint32_t requested) {
  return requested != 0 ? requested : std::max(1u, std::thread::hardware_concurrency());
}

plan::CpuShape cpuShape(std::uint32_t neuronsPerTile, std::uint32_t threads) {
  plan::CpuShape shape;
  shape.minTilesPerLayer = threads;
  if (neuronsPerTile != 0) {
    shape.neuronsPerTile = neuronsPerTile;
    shape.rowMultiple = 1; // the user's number is taken as it is
  }
  return shape;
}

std::uint32_t cpuSamplesPerGroup(std::uint32_t numSamples, std::uint32_t threads) {
  return (numSamples + 2 * threads - 1) / (2 * threads);
}

} // namespace spillway
