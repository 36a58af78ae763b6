// The layout our graphs build. Every tensor of graphs/UnitTensors, Lists and StateMoves is here
// with its size; K is the number of steps a unit runs in one superstep.
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
    WithGroups    // on the tiles that make them (CPU)
  } history = History::OverAllTiles;
  std::uint32_t bytesPerAction = 36; // nine words
  // Vertex state and code, estimated until a profile says better: about a dozen vertices of 96
  // bytes, and the code of as many codelets with their exchange.
  std::uint32_t vertexBytes = 12 * 96, codeBytes = 24000;
};

MachineBytes ourBytes(const NetworkSpec& network, const OptimiserSpec& optimiser,
                      const TilePartition& partition, const OurLayout& layout);

} // namespace spillway::plan
