#include "profile/TargetMachine.hpp"

#include <poplar/exceptions.hpp>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace ipumodel {
namespace {

MachineVersion versionOf(const poplar::Target& target) {
  constexpr double kBowClockHz = 1.8e9; // nothing slower is a Bow, nothing faster a GC200
  const std::string arch = target.getTargetArchString();
  if (arch == "cpu")
    return MachineVersion::Gc200;
  const MachineVersion version = machineVersion(arch);
  return version == MachineVersion::Gc200 && target.getTileClockFrequency() >= kBowClockHz
             ? MachineVersion::Bow
             : version;
}

} // namespace

MachineDescription machineOf(const poplar::Target& target) {
  MachineDescription machine(versionOf(target));
  const auto fromTarget = [&](const char* name, double value, double standard) {
    if (value != standard)
      machine.set(name, value, "target");
  };
  const MachineParameters standard = machine.parameters();
  const auto asDouble = [](auto value) { return static_cast<double>(value); };
  fromTarget("tilesPerIpu", target.getTilesPerIPU(), asDouble(standard.tilesPerIpu));
  fromTarget("bytesPerTile", target.getBytesPerTile(), asDouble(standard.bytesPerTile));
  fromTarget("clockHz", target.getTileClockFrequency(), standard.clockHz);
  fromTarget("workerContexts", target.getNumWorkerContexts(), asDouble(standard.workerContexts));
  if (target.getTargetType() != poplar::TargetType::CPU) {
    fromTarget("exchangeBytesPerCycle", target.getExchangeBytesPerCycle(),
               asDouble(standard.exchangeBytesPerCycle));
    fromTarget("memcpyBytesPerCycle", target.getMemcpyBytesPerCycle(),
               asDouble(standard.memcpyBytesPerCycle));
    fromTarget("internalSyncCycles", target.getMaxIPUSyncDelay(),
               asDouble(standard.internalSyncCycles));
    fromTarget("globalSyncCycles", target.getGlobalSyncCycles(),
               asDouble(standard.globalSyncCycles));
    fromTarget("tilesPerSharedBus", target.getTilesPerSharedExchangeBus(),
               asDouble(standard.tilesPerSharedBus));
    fromTarget("sharedBusFactor", target.supportsExchangeBusSharing() ? 2 : 1,
               asDouble(standard.sharedBusFactor));
  }
  if (const char* overrides = std::getenv("IPUMODEL_MACHINE")) {
    try {
      machine.setAll(overrides, "environment variable IPUMODEL_MACHINE");
    } catch (const std::invalid_argument& e) {
      throw poplar::invalid_option(std::string("IPUMODEL_MACHINE: ") + e.what());
    }
  }
  return machine;
}

} // namespace ipumodel
