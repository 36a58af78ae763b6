// The layout our graphs build, tile by tile. Every tensor of graphs/ is here with its size (states,
// spikes, weights, gradients, optimiser, adjoint and staging are exact), and with it what vertices
// receive while a compute set runs and the code that fetches it. K is the number of steps a unit
// runs in one superstep.
#pragma once

#include "network/NetworkSpec.hpp"
#include "network/OptimiserSpec.hpp"
#include "plan/TileBytes.hpp"
#include "plan/TilePartition.hpp"

namespace spillway::plan {

// One: a tile that sums partial products gets them from every tile of a layer, for each of its
// samples.
inline constexpr std::uint32_t kSamplesPerIpuGroup = 1;

struct OurLayout {
  std::uint32_t batch = 1;
  std::uint32_t blockSteps = 1; // K
  std::uint32_t lightSteps = 0; // the same for light steps; 0: there are none
  std::uint32_t samplesPerGroup =
      kSamplesPerIpuGroup; // samples whose lists are made and summed on one tile
  enum class History {
    OverAllTiles, // the words of a step's lists dealt out evenly (IPU)
    WithGroups    // on the tiles that make them (CPU, whose vertices read each other's memory)
  } history = History::OverAllTiles;
  std::uint32_t numWorkers = 6;     // of a tile
  std::uint32_t gradientCopies = 1; // of weight gradients; divides numWorkers
  std::uint32_t errorSteps = 1;     // of gated layers, whose weight gradients are added up together
  bool keepsGates = false;          // of gated layers, with the lists of their events
  bool keepsErrors = false;         // in the place of gates, unless spikes are spilled
  std::uint32_t bytesPerAction = 36; // nine words

  // Where replicas sum their gradients on the device: how many of them, the sums that one keeps,
  // and the rounds in which they give them to each other (0: they do not).
  struct ReplicaSums {
    std::uint32_t numReplicas = 1;
    std::uint64_t numSlots = 0, numRounds = 0;
  } sums;
};

// REQUIRES: a micro-batch for each replica, at least.
OurLayout::ReplicaSums replicaSumsOf(std::uint32_t numReplicas, std::uint32_t numMicroBatches);

MachineBytes ourBytes(const NetworkSpec& network, const OptimiserSpec& optimiser,
                      const TilePartition& partition, const OurLayout& layout);

} // namespace spillway::plan
