// Which neuron sits on which tile. Every layer takes a contiguous range of tiles of its own, so
// that a neuron's weights, state and gradients are on one tile and spikes travel from range to
// range.
#pragma once

#include "network/NetworkSpec.hpp"

#include <cstdint>
#include <vector>

namespace spillway::plan {

struct TileShare {
  std::uint32_t tile = 0;
  std::uint32_t firstNeuron = 0, numNeurons = 0;
  friend bool operator==(const TileShare&, const TileShare&) = default;
};

// In order of tiles and of neurons; no share is empty.
using LayerShares = std::vector<TileShare>;

struct TilePartition {
  std::uint32_t numTiles = 0;   // of the machine
  std::uint32_t numIoTiles = 0; // its last ones, which hold no neurons
  // Layers in order, then the readout's outputs (a LeakyIntegrator) or the words (a TiedSoftmax).
  std::vector<LayerShares> layers;

  std::uint32_t firstFreeTile() const; // after the last neuron
};

// The sizes of what is mapped: layers, then a LeakyIntegrator's outputs or a TiedSoftmax's words.
std::vector<std::uint32_t> mappedSizes(const NetworkSpec& network);

struct MachineShape {
  std::uint32_t numTiles = 1472;
  std::uint32_t numIoTiles = 0; // reserved at the end
  std::uint32_t numIpus = 1;    // that the tiles are of, in equal parts
};

// Tiles set aside where transfers are to run beside compute: Poplar's usual 32, of a machine with
// few tiles a quarter. Of several IPUs none: a state would have to cross links to reach them.
std::uint32_t ioTilesOf(std::uint32_t numTiles, std::uint32_t numIpus);
// The same where the network leaves as many, else 0: no neuron moves for them, since what a tile
// holds decides how its sums round, and every schedule must give the same bits.
std::uint32_t spareIoTiles(const NetworkSpec& network, const MachineShape& machine,
                           std::uint32_t neuronsPerTile);

// An IPU: `neuronsPerTile` on each tile, a layer's last tile taking the rest. Tile 0 is left to
// control (loop counters, scalars). 0 neurons per tile: as few as fit. Of several IPUs a layer
// takes one, where it fits and the tiles suffice for that, so that its spikes stay there. Throws
// UserError with the least legal number if the tiles do not suffice.
TilePartition partitionForIpu(const NetworkSpec& network, const MachineShape& machine,
                              std::uint32_t neuronsPerTile);

struct CpuShape {
  std::uint32_t neuronsPerTile = 256; // about; long rows vectorise, few tiles have little to sum
  std::uint32_t minTilesPerLayer = 2; // so that every layer has work for more than one thread
  std::uint32_t leastToSplit = 64;    // smaller layers, such as most readouts, stay on one tile
  std::uint32_t rowMultiple = 8;      // shares are multiples of this, but for a layer's last
  std::uint32_t maxTiles = 0;         // 0: no limit; else rows grow until it is kept
};

// A CPU: few tiles, the neurons of a layer spread evenly over its tiles. The machine has the tiles
// used and tile 0 for control.
TilePartition partitionForCpu(const NetworkSpec& network, const CpuShape& shape = {});

} // namespace spillway::plan
