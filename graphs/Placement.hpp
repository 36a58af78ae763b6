// Where everything of a network lies: what the planner decides and the graph builder obeys.
#pragma once

#include "network/NetworkSpec.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace spillway {

// A unit is a spiking layer or, last, the leaky-integrator readout. tiles[i] holds the unit's
// neurons i*neuronsPerTile up to the next multiple (or the unit's end).
struct UnitPlacement {
  std::uint32_t neuronsPerTile = 1;
  std::vector<unsigned> tiles;
};

// Samples whose lists are made (compacted) and summed on one tile.
struct SampleGroup {
  unsigned tile = 0;
  std::uint32_t firstSample = 0, numSamples = 0;
};

// A part of every step's lists that one tile keeps over time: whole samples, or some words of one
// sample.
struct HistoryShard {
  unsigned tile = 0;
  std::uint32_t firstSample = 0, numSamples = 0;
  std::uint32_t firstWord = 0, numWords = 0;
};

// List 0 holds the input events, list l+1 the spikes of layer l.
struct ListPlacement {
  std::vector<SampleGroup> groups;
  std::vector<HistoryShard> shards;
};

struct Placement {
  std::uint32_t numTiles = 0; // of the machine
  unsigned controlTile = 0;
  std::vector<UnitPlacement> units;
  std::vector<ListPlacement> lists;
};

// Eight 256-bit registers: a tile's potentials stay in registers over a block of steps.
inline constexpr std::uint32_t kNeuronsPerCpuTile = 64;
// A byte of spike mask a sample makes one word of exchange.
inline constexpr std::uint32_t kSamplesPerIpuGroup = 4;

// For a machine made to measure: as many tiles as the network wants, at least one per thread and
// layer. neuronsPerTile 0: kNeuronsPerCpuTile.
Placement placeOnCpu(const NetworkSpec& network, std::uint32_t numSamples,
                     std::uint32_t neuronsPerTile, std::uint32_t numThreads);

// For a machine of numTiles tiles, the first of which controls. neuronsPerTile 0: the fewest that
// fit. Nothing if the network does not fit.
std::optional<Placement> placeOnIpu(const NetworkSpec& network, std::uint32_t numSamples,
                                    std::uint32_t neuronsPerTile, std::uint32_t numTiles);

} // namespace spillway
