#include "machine/TransferCost.hpp"

#include <algorithm>

namespace ipumodel {
namespace {

std::uint64_t ceilDiv(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

std::uint64_t linkOrTile(double floorSeconds, double bytes, double bytesPerSecond,
                         std::uint64_t bytesOnBusiestTile, const MachineParameters& machine) {
  const std::uint64_t link = cyclesOf(bytes / bytesPerSecond, machine);
  const std::uint64_t tile = ceilDiv(bytesOnBusiestTile, machine.exchangeBytesPerCycle);
  return cyclesOf(floorSeconds, machine) + std::max(link, tile);
}

} // namespace

std::uint64_t streamCopyCycles(std::uint64_t bytes, std::uint64_t bytesOnBusiestTile,
                               HostAnswer answer, const MachineParameters& machine) {
  const double floor =
      answer == HostAnswer::Callback ? machine.hostCallbackSeconds : machine.streamFloorSeconds;
  return linkOrTile(floor, static_cast<double>(bytes), machine.hostBytesPerSecond,
                    bytesOnBusiestTile, machine);
}

std::uint64_t remoteCopyCycles(std::uint64_t bytes, std::uint64_t bytesOnBusiestTile,
                               unsigned ipusSharing, const MachineParameters& machine) {
  const double share =
      static_cast<double>(std::clamp<std::uint64_t>(ipusSharing, 1, machine.ipusPerMachine));
  return linkOrTile(machine.streamingMemoryLatencySeconds, static_cast<double>(bytes),
                    machine.streamingMemoryBytesPerSecond / share, bytesOnBusiestTile, machine);
}

std::uint64_t ipuLinkCycles(std::uint64_t bytes, const MachineParameters& machine) {
  return machine.globalSyncCycles +
         cyclesOf(static_cast<double>(bytes) / machine.ipuLinkBytesPerSecond, machine);
}

std::uint64_t packetHeadersToHost(std::uint64_t bytes, const MachineParameters& machine) {
  return ceilDiv(bytes, machine.payloadToHostBytes) * machine.packetHeaderBytes;
}

std::uint64_t packetHeadersFromHost(std::uint64_t bytes, const MachineParameters& machine) {
  return ceilDiv(bytes, machine.payloadFromHostBytes) * machine.packetHeaderBytes;
}

std::uint64_t onTileCopyCycles(std::uint64_t bytes, const MachineParameters& machine) {
  return bytes == 0 ? 0
                    : machine.onTileCopyFixedCycles + ceilDiv(bytes, machine.memcpyBytesPerCycle);
}

} // namespace ipumodel
