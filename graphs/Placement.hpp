// Where everything of a network lies: what the graph builder obeys. Neurons as the planner
// partitioned them, lists after them.
#pragma once

#include "network/NetworkSpec.hpp"
#include "plan/TilePartition.hpp"

#include <cstdint>
#include <vector>

namespace spillway {

// A unit is a layer or, last, the leaky-integrator readout (in its place, the words of a tied
// softmax). tiles[i] holds the unit's
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
  std::vector<unsigned> ioTiles; // they hold staging buffers and run no vertex; may be none
  std::vector<UnitPlacement> units;
  std::vector<ListPlacement> lists;
};

// The room of a list: ids, and words of bytesPerId() for them, the header and the values of events
// that carry one.
struct ListExtent {
  std::uint32_t capacity = 0, words = 0;
};

std::uint32_t bytesPerId(const NetworkSpec& network);
// By list.
std::vector<ListExtent> listExtents(const NetworkSpec& network);

enum class ListSpread {
  WithGroups,  // a group's tile keeps its samples' lists over time: whole rows, few tiles (CPU)
  OverAllTiles // the words of a step's lists are dealt out evenly, so that no tile's memory grows
               // faster with the sequence than another's (IPU)
};

// REQUIRES: every share of a layer but its last has the same number of neurons, as the planner's
// have.
Placement makePlacement(const NetworkSpec& network, const plan::TilePartition& partition,
                        std::uint32_t numSamples, std::uint32_t samplesPerGroup, ListSpread spread);

} // namespace spillway
