#include "cli/OpenSession.hpp"

#include "network/SettingError.hpp"
#include "train/GateKeeping.hpp"
#include "train/ScheduleFor.hpp"
#include "train/SharedBatches.hpp"
#include "train/TimeBlock.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

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

std::string remoteFolder(const Settings& settings) {
  const CheckpointSettings& checkpoint = settings.checkpoint;
  const bool budgeted =
      settings.machine.device == DeviceKind::Cpu && checkpoint.memoryBudgetBytes != 0;
  if (checkpoint.remoteStore == RemoteStore::Memory ||
      (checkpoint.remoteStore == RemoteStore::Auto && !budgeted)) {
    return "";
  }
  return checkpoint.remotePath.empty() ? std::filesystem::temp_directory_path().string()
                                       : checkpoint.remotePath;
}

// Asked where the session runs, which may be another host than the one that checks a configuration.
void requireRemoteFolder(const std::string& folder) {
  std::error_code ignored;
  if (!folder.empty() && (!std::filesystem::is_directory(folder, ignored) ||
                          ::access(folder.c_str(), W_OK | X_OK) != 0)) {
    throw SettingError("checkpoint.remotePath",
                       fmt::format("checkpoint.remotePath = {}: must be a folder that can be "
                                   "written into, as checkpoint.remoteStore keeps states there",
                                   folder));
  }
}

} // namespace

SessionRequest sessionRequest(const Settings& settings, plan::Schedule schedule) {
  SessionRequest request;
  request.network = settings.network;
  request.optimiser = settings.optimiser;
  request.schedule = std::move(schedule);
  request.numSamples = settings.train.numAtOnce();
  request.updateSamples = settings.train.batchSize;
  request.blockSteps = timeBlockOf(settings);
  request.lightSteps = lightBlockOf(settings);
  request.gradientCopies = settings.machine.gradientCopies;
  request.neuronsPerTile = settings.machine.neuronsPerTile;
  request.keepsGates = keepsGates(settings);
  request.device = deviceOf(settings.machine);
  request.engine = {settings.machine.threads, settings.machine.account, remoteFolder(settings),
                    settings.checkpoint.overlap, settings.machine.streamingGBytesPerSecond * 1e9};
  return request;
}

Replication replicationOf(const Settings& settings, const Ranks& ranks) {
  Replication replication{.numReplicas = settings.machine.numReplicas,
                          .sharing = SharedBatches::sharingOf(settings, ranks)};
  if (replication.sharing.use == GradientUse::OnDevice) {
    replication.numProcesses = ranks.size();
    replication.process = ranks.rank();
  }
  return replication;
}

SessionRequest replicated(SessionRequest request, const Replication& replication) {
  request.sharing = replication.sharing;
  request.device.numReplicas = replication.numReplicas;
  request.device.numProcesses = replication.numProcesses;
  request.device.process = replication.process;
  return request;
}

namespace {

// A trace is of every state. Where nothing limits memory, auto is free to keep them.
Settings keepingStates(Settings settings) {
  if (settings.checkpoint.strategy == StrategyKind::Auto &&
      settings.machine.device == DeviceKind::Cpu && settings.checkpoint.memoryBudgetBytes == 0) {
    settings.checkpoint.strategy = StrategyKind::Base;
  }
  return settings;
}

} // namespace

OpenedSession openSession(const Settings& settings, const Origins& origins, Tracing tracing,
                          const Replication& replication) {
  return withPlaces(origins, [&]() -> OpenedSession {
    ChosenSchedule chosen =
        scheduleFor(tracing == Tracing::On ? keepingStates(settings) : settings);
    SessionRequest request = sessionRequest(settings, std::move(chosen.schedule));
    requireRemoteFolder(request.engine.remoteFolder);
    request.tracing = tracing;
    return {makeGraphSession(replicated(std::move(request), replication)),
            std::move(chosen.reason)};
  });
}

} // namespace spillway
