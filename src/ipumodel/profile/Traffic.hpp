// Which bytes a compute set or a copy moves between tiles, and which it copies inside a tile.
#pragma once

#include "graph/GraphData.hpp"
#include "machine/ExchangeCost.hpp"
#include "profile/Pieces.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace ipumodel {

// Bytes by tile; tiles without any are absent.
using BytesByTile = std::map<std::uint32_t, std::uint64_t>;

// An exchange, the copies inside tiles that belong to it, and the memory both take while they last.
struct Traffic {
  ExchangeShape exchange;
  BytesByTile onTileCopy;         // bytes that a tile moves within itself
  BytesByTile message;            // buffers for what arrives
  BytesByTile rearrangement;      // buffers for what is gathered
  std::uint64_t ipuLinkBytes = 0; // between IPUs, of the busiest IPU and direction

  std::uint64_t largestOnTileCopy() const;
};

class TrafficModel {
public:
  TrafficModel(const GraphData& graph, const MachineParameters& machine);

  // What vertices read from elsewhere, before they run. Data that several vertices of a tile read
  // is fetched once. A vector field whose elements are not contiguous is gathered first.
  Traffic before(ComputeSetId computeSet) const;

  // What they write to elsewhere, after they ran.
  Traffic after(ComputeSetId computeSet) const;

  // REQUIRES: equal numbers of elements and element sizes.
  Traffic copy(const View& source, const View& destination) const;

  // Bytes of a view by tile, for copies that leave or enter the chip.
  BytesByTile bytesByTile(const View& view) const;

  const AddressMap& addresses() const { return addresses_; }

private:
  void finish(std::vector<Transfer>& transfers, Traffic& traffic) const;

  const GraphData& graph_;
  const MachineParameters& machine_;
  AddressMap addresses_;
};

} // namespace ipumodel
