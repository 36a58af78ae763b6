#include "train/SessionLayout.hpp"

#include "graphs/ActionTable.hpp"
#include "network/SettingError.hpp"
#include "network/Validate.hpp"
#include "plan/OurLayout.hpp"
#include "plan/Planner.hpp"
#include "plan/TilePartition.hpp"
#include "train/CpuLayout.hpp"
#include "train/GateKeeping.hpp"

#include <algorithm>

namespace spillway {
namespace {

plan::TilePartition partitionOf(const SessionRequest& request, std::uint32_t numTiles) {
  if (request.device.deviceClass == DeviceClass::Cpu) {
    return plan::partitionForCpu(request.network, cpuShape(request.neuronsPerTile));
  }
  const bool beside = request.schedule.numStaging != 0 && request.engine.overlapRemote;
  plan::MachineShape machine{numTiles, 0, request.device.numIpus};
  if (beside) {
    machine.numIoTiles = plan::spareIoTiles(request.network, machine, request.neuronsPerTile);
    const std::uint32_t wanted = plan::ioTilesOf(numTiles, machine.numIpus);
    if (machine.numIoTiles < wanted) {
      throw SettingError("machine.neuronsPerTile",
                         "checkpoint.strategy = streamed: the network leaves no " +
                             std::to_string(wanted) + " of " + std::to_string(numTiles) +
                             " tiles for transfers beside compute; raise machine.neuronsPerTile "
                             "(now " +
                             std::to_string(request.neuronsPerTile) +
                             ", 0 being as few as fit), or wait for transfers "
                             "(checkpoint.overlap = false)");
    }
  }
  return plan::partitionForIpu(request.network, machine, request.neuronsPerTile);
}

bool keepsErrors(const SessionRequest& request) {
  return request.keepsGates && request.sharing.use == GradientUse::Unread &&
         request.schedule.spikeBlock == 0 &&
         errorsReplaceGates(request.network,
                            std::uint64_t{request.schedule.numSteps} * request.numSamples);
}

// Part by part there is no norm to clip by, and dropconnect scales gradients that are whole.
bool wantsWholeGradient(const SessionRequest& request) {
  const auto& layers = request.network.layers;
  return request.optimiser.clipNorm > 0.0 ||
         std::any_of(layers.begin(), layers.end(),
                     [](const LayerSpec& layer) { return layer.gated.dropconnect > 0.0; });
}

// Of the rows of the weights: few enough that those of a tile stay in the second-level cache.
constexpr std::uint32_t kGradientParts = 8;

// Whether the state after step t lies in slot t when all is done.
bool keepsEveryState(const plan::Schedule& schedule) {
  const plan::Action& first = schedule.actions.front();
  return schedule.spikeBlock == 0 && first.kind == plan::ActionKind::Forward &&
         first.end == schedule.numSteps && first.slot == 0 &&
         (first.keep == plan::Keep::All || schedule.numSteps == 1);
}

} // namespace

Placement placementOf(const SessionRequest& request, std::uint32_t numTiles) {
  const plan::TilePartition partition = partitionOf(request, numTiles);
  if (request.device.deviceClass == DeviceClass::Cpu) {
    return makePlacement(request.network, partition, request.numSamples,
                         cpuSamplesPerGroup(request.numSamples), ListSpread::WithGroups);
  }
  return makePlacement(request.network, partition, request.numSamples, plan::kSamplesPerIpuGroup,
                       ListSpread::OverAllTiles);
}

void requireRunnable(const SessionRequest& request) {
  validate(request.network);
  if (request.network.readsWords() &&
      (request.device.deviceClass != DeviceClass::Cpu || request.schedule.spikeBlock != 0)) {
    throw SettingError(
        "readout.kind",
        "readout.kind = tied: a language model's words and their scores are laid out "
        "for machine.device = cpu, and a schedule that keeps its events on chip");
  }
  if (request.keepsGates &&
      (request.device.deviceClass != DeviceClass::Cpu || !canKeepGates(request.network))) {
    throw SettingError("checkpoint.keepGates",
                       "checkpoint.keepGates = true needs gated layers with convention = code, and "
                       "machine.device = cpu");
  }
  if (request.schedule.cachesSurrogate && !plan::surrogateCacheIsExact(request.network)) {
    throw SettingError("checkpoint.strategy",
                       "checkpoint.strategy = cached needs lif or alif layers with resetGradient = "
                       "pass and a gradientTheta, and no loss on every step: anything else reads "
                       "states that belong to no stored id");
  }
}

AcquiredDevice acquireFor(const SessionRequest& request) {
  DeviceRequest wanted = request.device;
  if (wanted.deviceClass == DeviceClass::Cpu) {
    wanted.numTiles = partitionOf(request, 0).numTiles;
  }
  return acquireDevice(wanted);
}

SequenceShape sequenceOf(const SessionRequest& request) {
  const plan::Schedule& schedule = request.schedule;
  SequenceShape shape;
  shape.numSteps = schedule.numSteps;
  shape.numSamples = request.numSamples;
  shape.updateSamples = request.updateSamples == 0 ? request.numSamples : request.updateSamples;
  shape.blockSteps = request.blockSteps;
  shape.gradientCopies = request.gradientCopies;
  shape.errorSteps = request.device.deviceClass == DeviceClass::Cpu
                         ? cpuErrorSteps(request.network, request.numSamples)
                         : 1;
  shape.keepsGates = request.keepsGates;
  shape.keepsErrors = keepsErrors(request);
  shape.gradientParts = shape.keepsErrors ? kGradientParts : 1;
  shape.wholeGradient = !shape.keepsErrors || wantsWholeGradient(request);
  shape.numSlots = std::max(1u, schedule.numSlots);
  shape.numRows = schedule.numRows;
  shape.overlapTransfers = schedule.numStaging != 0;
  shape.cachesSurrogate = schedule.cachesSurrogate;
  shape.historySteps = schedule.spikeBlock == 0 ? schedule.numSteps : schedule.spikeBlock;
  shape.numHistoryBuffers = std::max(1u, schedule.numSpikeBuffers);
  shape.hostReadsLists = hostTraceOf(request) == HostTrace::Everything;
  // Beside the actions: the loss and the end.
  const std::size_t train = schedule.actions.size() + 2;
  const std::size_t evaluate = (schedule.numSteps - 1) / shape.historySteps + 3;
  shape.tableActions = static_cast<std::uint32_t>(std::max(train, evaluate));
  if (shape.tableActions > plan::kActionsPerPage) {
    shape.tableActions = plan::kActionsPerPage;
    shape.numActionPages = plan::numPages(train) + plan::numPages(evaluate);
  }
  for (const plan::Action& action : schedule.actions) {
    shape.maxTransfer = std::max(shape.maxTransfer, action.count);
    if (action.kind == plan::ActionKind::Light) {
      shape.lightSteps = request.lightSteps;
    }
  }
  return shape;
}

std::string codeletsFor(const SessionRequest& request) {
  return request.device.deviceClass == DeviceClass::Cpu ? "spillway_codelets_cpu"
                                                        : "spillway_codelets";
}

HostTrace hostTraceOf(const SessionRequest& request) {
  return request.tracing == Tracing::On && keepsEveryState(request.schedule) ? HostTrace::Everything
                                                                             : HostTrace::None;
}

} // namespace spillway
