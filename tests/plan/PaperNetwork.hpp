// The network of the checkpointing paper as its implementation laid it out: 700 inputs, three
// hidden layers of 974 and 20 spiking outputs, 2 neurons per tile, batch 120, lists capped at 5 %
// of a layer.
#pragma once

#include "network/NetworkSpec.hpp"
#include "plan/TilePartition.hpp"

namespace spillway::plan {

inline constexpr std::uint32_t kPaperBatch = 120;
inline constexpr std::uint64_t kTileBytes = 638976;

inline NetworkSpec paperNetwork(std::uint32_t numHidden = 3, std::uint32_t width = 974) {
  NetworkSpec network;
  network.numInputs = 700;
  network.maxInputEvents = 48;
  for (std::uint32_t l = 0; l <= numHidden; ++l) {
    LayerSpec layer;
    layer.size = l == numHidden ? 20 : width;
    layer.maxActive = l == numHidden ? 2 : 48;
    layer.gradientTheta = 0.9;
    network.layers.push_back(layer);
  }
  network.readout.kind = ReadoutKind::SpikeCount;
  network.readout.numOutputs = 20;
  return network;
}

inline TilePartition paperPartition() {
  return partitionForIpu(paperNetwork(), {}, 2);
}

} // namespace spillway::plan
