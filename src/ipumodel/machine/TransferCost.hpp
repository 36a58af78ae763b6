// What moving data off the chip costs: host streams, Streaming Memory (remote buffers), other IPUs.
// Time = floor + bytes / bandwidth, or the exchange on the chip if that is slower.
#pragma once

#include "machine/MachineParameters.hpp"

#include <cstdint>

namespace ipumodel {

// Who answers at the other end of a stream.
enum class HostAnswer {
  Callback, // the IPU waits until the host has run its code
  Waiting   // the host waits already, or the copy joins the host exchange before it
};

// Cycles of a stream copy of `bytes` over all tiles of one IPU, of which the busiest tile moves
// `bytesOnBusiestTile`.
std::uint64_t streamCopyCycles(std::uint64_t bytes, std::uint64_t bytesOnBusiestTile,
                               HostAnswer answer, const MachineParameters& machine);

// Cycles of a copy to or from Streaming Memory while `ipusSharing` IPUs of a machine do the same.
std::uint64_t remoteCopyCycles(std::uint64_t bytes, std::uint64_t bytesOnBusiestTile,
                               unsigned ipusSharing, const MachineParameters& machine);

// Cycles of a copy between IPUs, `bytes` leaving or entering the busiest IPU.
std::uint64_t ipuLinkCycles(std::uint64_t bytes, const MachineParameters& machine);

// Bytes of packet headers a tile keeps for a copy of `bytes` of its own.
std::uint64_t packetHeadersToHost(std::uint64_t bytes, const MachineParameters& machine);
std::uint64_t packetHeadersFromHost(std::uint64_t bytes, const MachineParameters& machine);

// A copy inside a tile by all its workers.
std::uint64_t onTileCopyCycles(std::uint64_t bytes, const MachineParameters& machine);

} // namespace ipumodel
