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

MachineDescription machineOf(const poplar::Target& target, const std::string& engineOption) {
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
  const auto override = [&](const std::string& assignments, const std::string& origin) {
    try {
      machine.setAll(assignments, origin);
    } catch (const std::invalid_argument& e) {
      throw poplar::invalid_option(origin + ": " + e.what());
    }
  };
  override(engineOption, "engine option ipumodel.machine");
  if (const char* assignments = std::getenv("IPUMODEL_MACHINE"))
    override(assignments, "environment variable IPUMODEL_MACHINE");
  return machine;
}

} // namespace ipumodel
