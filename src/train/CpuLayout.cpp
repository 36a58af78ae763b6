#include "train/CpuLayout.hpp"

namespace spillway {
namespace {

constexpr std::uint32_t kGroups = 8; // enough for a few threads, few enough to cost nothing

} // namespace

plan::CpuShape cpuShape(std::uint32_t neuronsPerTile) {
  plan::CpuShape shape;
  if (neuronsPerTile != 0) {
    shape.neuronsPerTile = neuronsPerTile;
    shape.rowMultiple = 1; // the user's number is taken as it is
  }
  return shape;
}

std::uint32_t cpuSamplesPerGroup(std::uint32_t numSamples) {
  return (numSamples + kGroups - 1) / kGroups;
}

} // namespace spillway
