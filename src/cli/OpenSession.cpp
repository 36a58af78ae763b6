#include "cli/OpenSession.hpp"

#include "train/GraphSession.hpp"
#include "train/PlanInputs.hpp"

namespace spillway {
namespace {

DeviceRequest deviceOf(const MachineSettings& machine) {
  DeviceRequest request;
  switch (machine.device) {
  case DeviceKind::Cpu:
    request.deviceClass = DeviceClass::Cpu;
    break;
  case DeviceKind::Model:
    request.deviceClass = DeviceClass::IpuModel;
    break;
  case DeviceKind::Ipu:
    request.deviceClass = DeviceClass::Ipu;
    break;
  }
  request.chip = machine.preset == MachinePreset::Ipu1  ? "ipu1"
                 : machine.preset == MachinePreset::Bow ? "bow"
                                                        : "ipu2";
  request.numTiles = machine.numTiles;
  request.numIpus = machine.numIpus;
  return request;
}

} // namespace

std::unique_ptr<TrainingSession> openSession(const Settings& settings) {
  SessionRequest request;
  request.network = settings.network;
  request.optimiser = settings.optimiser;
  request.schedule = scheduleFor(settings).schedule;
  request.numSamples = settings.train.batchSize;
  request.blockSteps = settings.machine.timeBlock;
  request.neuronsPerTile = settings.machine.neuronsPerTile;
  request.device = deviceOf(settings.machine);
  request.engine = {settings.machine.threads, settings.machine.account};
  return makeGraphSession(request);
}

} // namespace spillway
