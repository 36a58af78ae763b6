// What one exchange on the chip costs: who sends what to whom decides it, nothing at run time does.
//
//   cycles = sync + fixed + max over tiles of max(send, receive, control)
//   send    = distinct bytes sent / rate: data for several tiles is multicast and leaves once
//   receive = bytes received / rate
//   the rate doubles for bytes that reach only whole pairs of tiles, which share a bus
//   control = supervisor instructions that steer the receive fragments; they run under the payload
#pragma once

#include "machine/MachineParameters.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ipumodel {

// `bytes` at `source`, an address unique in the machine, go from one tile to another and continue
// what was received before when `destination` does.
struct Transfer {
  std::uint32_t fromTile;
  std::uint32_t toTile;
  std::uint64_t source;
  std::uint64_t destination;
  std::uint64_t bytes;
};

struct TileTraffic {
  std::uint32_t tile;
  std::uint64_t bytesSent = 0; // each byte once, however many tiles listen
  std::uint64_t bytesReceived = 0;
  std::uint64_t bytesSentShared = 0;     // of those sent, what only whole pairs of tiles receive
  std::uint64_t bytesReceivedShared = 0; // of those received, what the sibling receives as well
  std::uint32_t sendFragments = 0;
  std::uint32_t receiveFragments = 0;    // after merging what is contiguous at both ends
  std::uint32_t contiguousFragments = 0; // of those, which lie right behind another one
};

struct ExchangeShape {
  std::vector<TileTraffic> tiles; // those that take part, by tile
  std::uint64_t bytesSent = 0;    // sums over tiles
  std::uint64_t bytesReceived = 0;
};

// Sorts `transfers`, drops those that stay on their tile, merges and counts.
ExchangeShape shapeOf(std::vector<Transfer>& transfers, const MachineParameters& machine);

// Cycles of the data phase for one tile, without sync and fixed cost.
std::uint64_t tileExchangeCycles(const TileTraffic& traffic, const MachineParameters& machine);

// Cycles of the data phase of all tiles, and the fixed cost; 0 when nothing moves. Sync comes on
// top.
std::uint64_t exchangeCycles(const ExchangeShape& shape, const MachineParameters& machine);

// Bytes of exchange code on a tile: two words to enter and leave, two per send fragment, two for
// the first receive fragment and three for each further one.
std::uint64_t exchangeCodeBytes(const TileTraffic& traffic, const MachineParameters& machine);

} // namespace ipumodel
