// What gated layers, and a readout of their events, put on the tiles beside what all units do.
#pragma once

#include "plan/OurLayout.hpp"
#include "plan/OurProgram.hpp"
#include "plan/OurShapes.hpp"

#include <vector>

namespace spillway::plan {

// The layout while it is filled in.
struct LayoutInWork {
  const Shapes& shapes;
  const TilePartition& partition;
  const OurLayout& layout;
  const std::vector<std::vector<Group>>& groups; // by list
  MachineBytes& machine;
  std::vector<TileProgram>& programs; // by tile

  // `bytes` of the lists of all samples, for a vertex of the tile.
  void receive(std::uint32_t tile, Phase phase, std::size_t list, std::uint64_t bytes) const;
};

// Tensors of a unit's share that its vertices write and read; lists' gradients and masks are not
// among them.
void addGatedTensors(const LayoutInWork& work, std::size_t unit, const TileShare& share);

// What its vertices receive in the backward pass: slabs for the adjoint, then lists by id.
// REQUIRES: the layout exchanges.
void addGatedBackwardTraffic(const LayoutInWork& work, std::size_t unit, const TileShare& share);

// The lists a unit received, by id, on the tile that turns them round; and the events a sequence
// begins with.
void addTurnedLists(const LayoutInWork& work, std::size_t unit);
void addCarriedEvents(const LayoutInWork& work, std::size_t list);

} // namespace spillway::plan
