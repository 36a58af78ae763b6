#include "train/CpuLayout.hpp"

#include <algorithm>

namespace spillway {
namespace {

constexpr std::uint32_t kGroups = 8;     // enough for a few threads, few enough to cost nothing
constexpr std::uint32_t kErrorSteps = 8; // an eighth of the gradients' traffic with main memory
// Of large batches fewer steps wait: their errors would push each other out of the caches before
// they are added up.
constexpr std::uint32_t kErrorPlaces = 256;

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

std::uint32_t cpuErrorSteps(const NetworkSpec& network, std::uint32_t numSamples) {
  return canKeepGates(network) ? std::clamp(kErrorPlaces / numSamples, 1u, kErrorSteps) : 1;
}

bool canKeepGates(const NetworkSpec& network) {
  return network.isGated() &&
         std::none_of(network.layers.begin(), network.layers.end(), [](const LayerSpec& layer) {
           return layer.gated.convention == GatedConvention::Paper;
         });
}

} // namespace spillway
