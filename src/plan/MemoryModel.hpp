// Predicted bytes per tile, by part.
//
// Of a tile with n neurons of a layer with fan-in N, K floats of state, batch B and lists of at
// most S ids:
//   states     4 K B n for each slot of the schedule; and the copies in work
//   spikes     for each step, every list (inputs, layers) spread over the tiles in equal blocks
//   from the
//              first tile on: ids, one count for inputs and two for layers; values of the surrogate
//              cache
//   weights    4 (N + own size if recurrent + 1 if biased) n; gradients and optimiser multiples of
//   it adjoint    4 K B n times the layout's number temporaries the most at once of: own ids and
//   gradients; received ids, partial input gradients and
//              the gathering of those
//   staging    one state out and one in, where transfers overlap: on the IO tiles if there are any
#pragma once

#include "network/NetworkSpec.hpp"
#include "network/OptimiserSpec.hpp"
#include "plan/MemoryLayout.hpp"
#include "plan/TilePartition.hpp"

#include <cstdint>
#include <vector>

namespace spillway::plan {

struct MemoryParts {
  std::uint64_t states = 0, spikes = 0, weights = 0, gradients = 0, optimiser = 0, adjoint = 0;
  std::uint64_t temporaries = 0, staging = 0, rest = 0; // rest: vertex state and code

  std::uint64_t total() const {
    return states + spikes + weights + gradients + optimiser + adjoint + temporaries + staging +
           rest;
  }
};

// What a schedule needs of the memory.
struct MemoryDemand {
  std::uint64_t numSlots = 1;
  std::uint64_t numStaging = 0;    // per direction
  std::uint64_t numSpikeSteps = 1; // steps whose spikes are on chip
  bool surrogateCache = false;     // the surrogate's value kept beside every stored id
};

struct MemoryUse {
  MemoryParts largest; // of the tile with the most bytes
  std::uint32_t largestTile = 0;
  double meanBytes = 0.0;       // over the machine's tiles
  std::uint64_t totalBytes = 0; // of the machine: what a CPU keeps resident
};

class MemoryModel {
public:
  // REQUIRES: the partition is of this network; batch >= 1.
  MemoryModel(const NetworkSpec& network, const OptimiserSpec& optimiser,
              const TilePartition& partition, std::uint32_t batch, const MemoryLayout& layout);

  MemoryUse use(const MemoryDemand& demand) const;
  // Bytes of one tile, by part.
  MemoryParts onTile(std::uint32_t tile, const MemoryDemand& demand) const;

  // The whole machine's bytes of one state, and of one step's spikes and cached surrogate values:
  // what transfers move.
  std::uint64_t stateBytes() const { return stateBytes_; }
  std::uint64_t spikeBytesPerStep() const { return spikeBytesPerStep_; }
  std::uint64_t cacheBytesPerStep() const { return cacheBytesPerStep_; }
  std::uint64_t stateBytesOnTile(std::uint32_t tile) const { return tiles_[tile].stateBytes; }
  std::uint64_t spikeBytesPerStepOnTile(std::uint32_t tile, bool surrogateCache = false) const {
    return tiles_[tile].spikeBytesPerStep + (surrogateCache ? tiles_[tile].cacheBytesPerStep : 0);
  }

  // The most slots (steps of spikes) for which `demand`, else as it is, keeps every tile (or the
  // sum of all, Limit::Total) within the budget; 0 if none.
  enum class Limit { PerTile, Total };
  std::uint64_t mostSlots(MemoryDemand demand, std::uint64_t budgetBytes, Limit limit) const;
  bool fits(const MemoryDemand& demand, std::uint64_t budgetBytes, Limit limit) const;
  // What `limit` bounds, for this demand.
  std::uint64_t bytesAgainst(const MemoryDemand& demand, Limit limit) const;

private:
  // Bytes that do not depend on the schedule, and what multiplies its numbers.
  struct Tile {
    MemoryParts fixed;
    std::uint64_t stateBytes = 0;
    std::uint64_t spikeBytesPerStep = 0, cacheBytesPerStep = 0;
  };
  std::vector<Tile> tiles_;
  std::uint32_t numIoTiles_ = 0;
  std::uint64_t stateBytes_ = 0, spikeBytesPerStep_ = 0, cacheBytesPerStep_ = 0;
};

} // namespace spillway::plan
