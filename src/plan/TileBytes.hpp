// What lies on each tile, before a schedule is chosen: the memory model's input. Two layouts fill
// it: ours (OurLayout.hpp) and that of the implementation the checkpointing paper was measured with
// (PaperLayout.hpp).
#pragma once

#include <cstdint>
#include <vector>

namespace spillway::plan {

struct MemoryParts {
  std::uint64_t states = 0, spikes = 0, weights = 0, gradients = 0, optimiser = 0, adjoint = 0;
  std::uint64_t temporaries = 0;       // of a block of steps, and what vertices receive
  std::uint64_t staging = 0, rest = 0; // rest: vertex state, code, tables

  std::uint64_t total() const {
    return states + spikes + weights + gradients + optimiser + adjoint + temporaries + staging +
           rest;
  }
};

struct TileBytes {
  MemoryParts fixed;            // whatever the schedule
  std::uint64_t stateBytes = 0; // of one state
  // Of an IO tile: what it holds of a state under way, and in how many pieces.
  std::uint64_t stagedBytes = 0, stagedPieces = 0;
  std::uint64_t spikeBytesPerStep = 0, cacheBytesPerStep = 0;
  // What both take more where lists are appended (MachineBytes::appendsLists).
  std::uint64_t appendedSpikeBytesPerStep = 0, appendedCacheBytesPerStep = 0;
  std::uint64_t gateBytesPerStep = 0; // of gates that are kept, among the spikes
  // What weight gradients take, of all steps, that are formed when all errors are known.
  std::uint64_t lateBytesPerStep = 0;
  std::uint64_t spilledBytesPerStep = 0;      // of a step's spikes on their way to Streaming Memory
  std::uint64_t spilledInputBytesPerStep = 0; // of those, what the host sends
  std::uint64_t maskBytesPerStep = 0;         // of those, what waits on the tile as masks
  std::uint64_t inputBytesPerStep = 0;        // of the spikes, those that the host sends
  std::uint64_t labelBytesPerStep = 0;        // where every step has a label
  std::uint64_t lightBytes = 0, lightProgramBytes = 0; // temporaries and code of light steps
  std::uint64_t cacheBytes = 0, cacheProgramBytes = 0; // and of the surrogate cache
  std::uint64_t sumBytes = 0; // buffers of the replicas' sum, when adjoint and temporaries are dead
};

// A longer table of actions lies in Streaming Memory, in pages of so many.
inline constexpr std::uint32_t kActionsPerPage = 256;

// Every page but the last has an action less than it is long: the one that turns it.
inline std::uint32_t numPages(std::uint64_t numActions) {
  return numActions <= kActionsPerPage
             ? 1
             : 1 + static_cast<std::uint32_t>((numActions - 2) / (kActionsPerPage - 1));
}

// Of the control program, on every tile, what not all schedules have: light steps, transfers of
// states, spilled spikes, and for each buffer of those copies of lists and of cached values.
struct ControlBytes {
  std::uint32_t light = 0, transfers = 0, spill = 0, spillBuffer = 0, spillValues = 0;
};

struct MachineBytes {
  std::vector<TileBytes> tiles;
  ControlBytes control;
  std::uint32_t numIoTiles = 0;     // the last ones; overlapped transfers are staged there
  bool stagesAllTransfers = false;  // also those that compute waits for pass through a buffer
  bool stagesOnHost = false;        // and, counted on tile 0, through one each way of the host
  std::uint32_t bytesPerAction = 0; // of the schedule's table, on tile 0: at most a page
  // Lists of layers that stay on the machine follow one another: what their room holds is resident.
  bool appendsLists = false;
  bool hasPackets = false;                // transfers off the chip take code for each packet
  std::uint32_t transferProgramBytes = 0; // on each tile that has states, if they are transferred
};

inline std::uint64_t ceilDivide(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

} // namespace spillway::plan
