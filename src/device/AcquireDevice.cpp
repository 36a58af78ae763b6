#include "device/AcquireDevice.hpp"

#include "network/SettingError.hpp"

#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Target.hpp>

#include <string_view>

#if __has_include(<ipumodel/TransferStalls.hpp>)
#include <ipumodel/TransferStalls.hpp>
#define SPILLWAY_TELLS_STALLS
#endif

namespace spillway {
namespace {

constexpr double kBowClockHz = 1.85e9;
constexpr unsigned kCpuBytesPerTile = 1u
                                      << 30; // more than any tile needs: the host has no such limit

bool isModel() {
  return std::string_view(poplarProvider()) == "model";
}

poplar::IPUModel chipModel(const DeviceRequest& request) {
  poplar::IPUModel model(request.chip == "bow" ? "ipu2" : request.chip.c_str());
  if (request.chip == "bow") {
    model.tileClockFrequency = kBowClockHz;
  }
  model.numIPUs = request.numIpus * request.numReplicas;
  if (request.numTiles != 0) {
    model.tilesPerIPU = request.numTiles;
  }
  return model;
}

// What several processes hold is described by a model of as many IPUs that none of them runs.
AcquiredDevice modelled(poplar::IPUModel model, const DeviceRequest& request,
                        std::string description) {
  poplar::Device device = model.createDevice();
  model.numIPUs *= request.numProcesses;
  poplar::Target target =
      request.numProcesses == 1 ? device.getTarget() : model.createDevice().getTarget();
  if (request.numReplicas > 1) {
    description = std::to_string(request.numReplicas) + " x " + description;
  }
  return {std::move(device), std::move(target), std::move(description)};
}

AcquiredDevice cpuDevice(const DeviceRequest& request) {
  poplar::IPUModel model;
  model.tilesPerIPU = request.numTiles;
  model.numWorkerContexts =
      1; // a core runs one worker at a time; six would only cut the loops short
  model.memoryBytesPerTile = kCpuBytesPerTile;
  model.numIPUs = request.numReplicas;
  return modelled(model, request, "CPU, " + std::to_string(request.numTiles) + " tiles");
}

AcquiredDevice hardware(const DeviceRequest& request) {
  const auto manager = poplar::DeviceManager::createDeviceManager();
  const std::uint32_t numIpus = request.numIpus * request.numReplicas;
  for (poplar::Device& device : manager.getDevices(poplar::TargetType::IPU, numIpus)) {
    if (device.attach()) {
      poplar::Target target = device.getTarget();
      std::string description =
          std::to_string(numIpus) + " IPU, " + std::to_string(target.getNumTiles()) + " tiles";
      if (request.numProcesses > 1) {
        target = poplar::Target::createIPUTarget(numIpus * request.numProcesses,
                                                 target.getTargetSystemString());
      }
      return {std::move(device), std::move(target), std::move(description)};
    }
  }
  throw SettingError("machine.device",
                     "machine.device = ipu: no free device with " + std::to_string(numIpus) +
                         " IPU; machine.device = model runs the same program on the IPU Model");
}

} // namespace

AcquiredDevice acquireDevice(const DeviceRequest& request) {
  switch (request.deviceClass) {
  case DeviceClass::Cpu:
    return cpuDevice(request);
  case DeviceClass::IpuModel: {
    const poplar::IPUModel model = chipModel(request);
    return modelled(model, request,
                    "IPU Model of " + request.chip + ", " +
                        std::to_string(request.numIpus * model.tilesPerIPU) + " tiles");
  }
  case DeviceClass::Ipu:
    return hardware(request);
  }
  throw UserError("unknown class of device");
}

poplar::OptionFlags engineOptions(const EngineSettings& settings, const DeviceRequest& device) {
  poplar::OptionFlags options;
  if (device.numProcesses > 1) { // as PopART and TensorFlow have it under PopRun
    options.set("target.syncReplicasIndependently", "true");
    options.set("target.firstRuntimeReplica", std::to_string(device.process * device.numReplicas));
    options.set("target.numberRuntimeReplica", std::to_string(device.numReplicas));
  }
  if (isModel()) {
    options.set("ipumodel.account", settings.account ? "true" : "false");
    options.set("ipumodel.overlapRemote", settings.overlapRemote ? "true" : "false");
    options.set("ipumodel.remoteBufferFolder", settings.remoteFolder);
    options.set("ipumodel.partlyUsed", settings.partlyUsed);
    if (settings.streamingBytesPerSecond > 0.0) {
      options.set("ipumodel.machine",
                  "streamingMemoryBytesPerSecond=" +
                      std::to_string(static_cast<std::uint64_t>(settings.streamingBytesPerSecond)));
    }
    if (settings.threads != 0) {
      options.set("ipumodel.numThreads", std::to_string(settings.threads));
    }
  }
  return options;
}

std::optional<TransferStalls> transferStalls([[maybe_unused]] const poplar::Engine& engine) {
#ifdef SPILLWAY_TELLS_STALLS
  const ipumodel::TransferStalls stalls = ipumodel::transferStalls(engine);
  return TransferStalls{stalls.numTransfers, stalls.numStalls, stalls.seconds, stalls.stalledCycles,
                        stalls.hiddenCycles};
#else
  return std::nullopt;
#endif
}

bool reportsAsJson() {
  return isModel();
}

const char* poplarProvider() {
  return SPILLWAY_PROVIDER;
}

} // namespace spillway
