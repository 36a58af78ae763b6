// Predicted bytes per tile, by part: what a layout puts there plus what a schedule multiplies.
#pragma once

#include "plan/Schedule.hpp"
#include "plan/TileBytes.hpp"

#include <cstdint>

namespace spillway::plan {

// What a schedule needs of the memory.
struct MemoryDemand {
  std::uint64_t numSlots = 1;
  std::uint64_t transferStates = 0;  // states in the largest transfer; 0: there is none
  bool overlap = false;              // an incoming staging buffer beside the outgoing one
  std::uint64_t numSpikeSteps = 2;   // rows of spike history on chip: steps and one more a block
  std::uint64_t numSpikeBuffers = 0; // of a spilled history; 0: it stays on chip
  std::uint64_t numSteps = 0;
  bool lightSteps = false;      // there are any
  bool surrogateCache = false;  // the surrogate's value kept beside every stored id
  std::uint64_t numActions = 0; // with the loss and the end
  std::uint64_t numRows = 0;    // states in Streaming Memory
};

MemoryDemand demandOf(const Schedule& schedule);

// A host's buffers: two transfers on their way out, one on its way in, and of each kind one that is
// read ahead. So a state in transfer is held there at most four times.
inline constexpr std::uint32_t kTransfersAtOnce = 3, kHostCopies = kTransfersAtOnce + 1;

struct MemoryUse {
  MemoryParts largest; // of the tile with the most bytes
  std::uint32_t largestTile = 0;
  double meanBytes = 0.0;          // over the machine's tiles
  std::uint64_t totalBytes = 0;    // of the machine: what a CPU keeps resident
  std::uint64_t appendedBytes = 0; // of those, room of lists of which only what it holds is
};

// Bytes in Streaming Memory, or in what takes its place on a host.
struct RemoteUse {
  std::uint64_t states = 0, spikes = 0, values = 0; // values: cached ones
  std::uint64_t table = 0;                          // of actions, where it is longer than a page

  std::uint64_t history() const { return spikes + values; }
  std::uint64_t total() const { return states + history() + table; }
};

class MemoryModel {
public:
  explicit MemoryModel(MachineBytes machine);

  MemoryUse use(const MemoryDemand& demand) const;
  // Bytes of one tile, by part.
  MemoryParts onTile(std::uint32_t tile, const MemoryDemand& demand) const;
  // Of all tiles: the sizes of the graph's remote buffers, to the byte.
  RemoteUse remote(const MemoryDemand& demand) const;

  // The whole machine's bytes of one state, and of one step's spikes and cached surrogate values:
  // what transfers move.
  std::uint64_t stateBytes() const { return stateBytes_; }
  std::uint64_t spikeBytesPerStep() const { return spikeBytesPerStep_; }
  std::uint64_t spilledBytesPerStep() const { return spilledBytesPerStep_; } // spikes as they move
  std::uint64_t cacheBytesPerStep() const { return cacheBytesPerStep_; }
  const MachineBytes& machine() const { return machine_; }

  enum class Limit { PerTile, Total };
  // What `limit` bounds, for this demand.
  std::uint64_t bytesAgainst(const MemoryDemand& demand, Limit limit) const;
  bool fits(const MemoryDemand& demand, std::uint64_t budgetBytes, Limit limit) const;
  // The most slots for which `demand`, else as it is, fits the budget; 0 if none.
  std::uint64_t mostSlots(MemoryDemand demand, std::uint64_t budgetBytes, Limit limit) const;

private:
  bool appendsLists(const MemoryDemand& demand) const {
    return machine_.appendsLists && demand.numSpikeBuffers == 0;
  }
  // On a tile, of the lists of one step, and the cached values beside them.
  std::uint64_t listBytes(const TileBytes& tile, const MemoryDemand& demand) const;
  std::uint64_t stagingBytes(std::uint32_t tile, const MemoryDemand& demand) const;
  std::uint64_t packetBytes(const TileBytes& tile, const MemoryDemand& demand) const;
  // Overlapped transfers pass through IO tiles, where there are any.
  bool usesIoTiles(const MemoryDemand& demand) const {
    return demand.overlap && machine_.numIoTiles != 0;
  }
  std::uint64_t hostStagingBytes(const MemoryDemand& demand) const;
  std::uint64_t tableBytes(const MemoryDemand& demand) const;
  std::uint64_t controlBytes(const MemoryDemand& demand) const;

  MachineBytes machine_;
  std::uint64_t stateBytes_ = 0, spikeBytesPerStep_ = 0, spilledBytesPerStep_ = 0,
                inputBytesPerStep_ = 0, spilledInputBytesPerStep_ = 0, cacheBytesPerStep_ = 0;
};

} // namespace spillway::plan
