// The sizes of what our graphs make of a network: units, the lists between them, groups of samples.
#pragma once

#include "network/NetworkSpec.hpp"
#include "plan/TilePartition.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace spillway::plan {

// A layer or the readout. It reads list u, and layer u makes list u+1.
struct UnitShape {
  std::uint64_t fanIn = 0, size = 0, stateFloats = 1;
  bool recurrent = false, biased = false, spikes = true;
  // Of gated layers: columns of the weights for each neuron, further rows of parameters and of
  // dropconnect's copy; whether inputs are dropped, thresholds kept between 0 and 1, and the
  // convention is the published one.
  std::uint64_t gates = 1, extraRows = 0, trainedExtraRows = 0, connectedRows = 0;
  bool dropsInputs = false, clampsThreshold = false, published = false;

  std::uint64_t rows() const { return fanIn + (recurrent ? size : 0); } // of the weights
};

struct Shapes {
  explicit Shapes(const NetworkSpec& network);

  std::vector<UnitShape> units;
  std::vector<std::uint32_t> capacities; // of the lists, in ids
  std::vector<std::uint64_t> gradients;  // d loss / d spike that come back to a list
  std::vector<bool> dense;               // of every neuron, that is, not of the list's entries
  std::uint64_t idBytes = 2;
  bool valued = false; // events carry a float
  std::uint64_t numOutputs = 0;
  bool lossAtEveryStep = false;
  bool regularisesRates = false;
  std::uint64_t labelBytes = 4; // of a sample's label or targets

  std::uint32_t width(std::size_t list) const; // words, with the header and values
  std::vector<std::uint32_t> widths() const;
  // Words of a list that travels as masks, with the header; none where it travels as it is.
  std::optional<std::uint64_t> maskWords(std::size_t list) const;
  bool isReadout(std::size_t unit) const { return !units[unit].spikes; }
};

// How many blocks of steps the last unit runs behind the first. With blocks of one step spiking
// layers read what the layer below made a step before; gated ones the same step's.
std::size_t lagOf(const NetworkSpec& network, std::uint32_t blockSteps);

// Samples whose lists are made and summed on one tile.
struct Group {
  std::uint32_t tile = 0;
  std::uint64_t numSamples = 0;
};

// Over the tiles of the layer that makes the list; the input's over the first layer's.
std::vector<Group> groupsOf(std::size_t list, const TilePartition& partition, std::uint32_t batch,
                            std::uint32_t samplesPerGroup);

} // namespace spillway::plan
