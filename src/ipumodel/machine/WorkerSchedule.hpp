// Tile cycles of the vertices that one compute set places on one tile.
//
// A worker issues once in `workerContexts` tile cycles, busy neighbours or not. So worker vertices,
// each given to the context that is free first, take contexts * (cycles of the longest context);
// Multi and Supervisor vertices use the whole tile and follow one another.
#pragma once

#include "popc/VertexType.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace ipumodel {

struct TileCompute {
  std::uint64_t cycles = 0;          // of the tile, without the control around the Execute
  std::uint64_t busyCycles = 0;      // of all contexts together, in tile cycles; <= contexts*cycles
  std::uint32_t unknownVertices = 0; // they have no estimate and are not in the sums
};

class WorkerSchedule {
public:
  // REQUIRES: 1 <= workerContexts <= kMostContexts.
  explicit WorkerSchedule(unsigned workerContexts);

  // `cycles` in the units of poplar::VertexPerfEstimate: worker cycles for a Worker vertex, tile
  // cycles for the others. Vertices are taken in the order they are added.
  void add(VertexKind kind, std::optional<std::uint64_t> cycles);
  void addWorker(std::uint64_t workerCycles);
  void addWholeTile(std::uint64_t tileCycles);

  TileCompute result() const;

  static constexpr unsigned kMostContexts = 16;

private:
  unsigned contexts_;
  std::array<std::uint64_t, kMostContexts> freeAt_{};
  std::uint64_t wholeTile_ = 0;
  std::uint32_t unknown_ = 0;
};

} // namespace ipumodel
