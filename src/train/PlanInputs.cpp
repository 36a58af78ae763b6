#include "train/PlanInputs.hpp"

#include "config/Values.hpp"
#include "network/UserError.hpp"
#include "plan/HostCosts.hpp"
#include "plan/LinkCosts.hpp"
#include "plan/OurCosts.hpp"
#include "plan/PaperLayout.hpp"
#include "plan/StepCosts.hpp"
#include "train/CpuLayout.hpp"
#include "train/GateKeeping.hpp"
#include "train/HostMemory.hpp"
#include "train/MeasuredCosts.hpp"
#include "train/TimeBlock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace spillway {
namespace {

struct Chip {
  const char* name;
  std::uint32_t numTiles;
  std::uint64_t bytesPerTile;
  double clockHz;
};

// As the IPU Model describes them.
Chip chipOf(MachinePreset preset) {
  switch (preset) {
  case MachinePreset::Ipu1:
    return {"ipu1", 1216, 256 * 1024, 1.6e9};
  case MachinePreset::Bow:
    return {"bow", 1472, 624 * 1024, 1.85e9};
  default:
    return {"ipu2", 1472, 624 * 1024, 1.33e9};
  }
}

// A host's times are measured seconds: a cycle is a nanosecond there.
constexpr double kHostClockHz = 1e9;

// Of a gated layer's units, those with an event: all of a GRU's, whatever is given.
double eventsOf(const LayerSpec& layer, std::optional<double> activity) {
  const double assumed = assumedActivity(layer);
  return layer.size * (layer.kind == LayerKind::Gru ? assumed : activity.value_or(assumed));
}

// A tile is planned for lists that are full; a host's cap is room that is seldom needed.
double filled(std::uint32_t cap, std::uint32_t size, std::optional<double> activity, bool onCpu) {
  if (cap == 0) {
    return size * activity.value_or(kUncappedActivity);
  }
  if (onCpu && !activity) {
    return std::min<double>(cap, size * kUncappedActivity);
  }
  return cap * activity.value_or(1.0);
}

plan::Activity activityOf(const NetworkSpec& network, std::optional<double> given, bool onCpu) {
  plan::Activity activity;
  activity.inputs = filled(network.maxInputEvents, network.numInputs, given, onCpu);
  for (const LayerSpec& layer : network.layers) {
    activity.spikes.push_back(layer.isGated() ? eventsOf(layer, given)
                                              : filled(layer.maxActive, layer.size, given, onCpu));
    activity.gradients.push_back(activity.spikes.back());
  }
  return activity;
}

std::uint32_t numTilesOf(const MachineSettings& machine, const Chip& chip) {
  return (machine.numTiles != 0 ? machine.numTiles : chip.numTiles) * machine.numIpus;
}

plan::TilePartition partitionOf(const Settings& settings, const Chip& chip,
                                std::uint32_t numIoTiles = 0) {
  const MachineSettings& machine = settings.machine;
  if (machine.device == DeviceKind::Cpu) {
    return plan::partitionForCpu(settings.network, cpuShape(machine.neuronsPerTile));
  }
  plan::MachineShape shape;
  shape.numTiles = numTilesOf(machine, chip);
  shape.numIpus = machine.numIpus;
  shape.numIoTiles = numIoTiles;
  return plan::partitionForIpu(settings.network, shape, machine.neuronsPerTile);
}

// As the training session lays its tensors out.
plan::OurLayout layoutOf(const Settings& settings) {
  plan::OurLayout layout;
  layout.batch = settings.train.numAtOnce();
  layout.blockSteps = timeBlockOf(settings);
  layout.lightSteps = lightBlockOf(settings);
  layout.gradientCopies = settings.machine.gradientCopies;
  const std::uint32_t numMicro = settings.train.numMicroBatches();
  if (settings.machine.sumsOnDevice() && numMicro > 1 && numMicro >= settings.machine.numReplicas) {
    layout.sums = plan::replicaSumsOf(settings.machine.numReplicas, numMicro);
  }
  if (settings.machine.device == DeviceKind::Cpu) {
    layout.samplesPerGroup = cpuSamplesPerGroup(layout.batch);
    layout.history = plan::OurLayout::History::WithGroups;
    layout.numWorkers = 1;
    layout.errorSteps = cpuErrorSteps(settings.network, layout.batch);
    layout.keepsGates = keepsGates(settings);
    layout.keepsErrors =
        layout.keepsGates && numMicro == 1 &&
        errorsReplaceGates(settings.network, std::uint64_t{layout.batch} * settings.data.numSteps);
  }
  return layout;
}

// What there is to run on, and how the network lies there.
struct Machine {
  Chip chip;
  bool onCpu = false;
  bool asPaper = false; // as the checkpointing paper's implementation lays it out
  plan::TilePartition partition;
  plan::OurLayout layout;
  plan::MachineSpeed speed;
};

Machine machineOf(const Settings& settings, const PlanOptions& options) {
  Machine machine{.chip = chipOf(settings.machine.preset),
                  .onCpu = settings.machine.device == DeviceKind::Cpu,
                  .asPaper = options.layout == PlanOptions::Layout::Paper,
                  .partition = {},
                  .layout = layoutOf(settings),
                  .speed = {}};
  if (machine.asPaper && machine.onCpu) {
    throw UserError("the paper's layout is one of an IPU: machine.device must be model");
  }
  machine.partition = partitionOf(settings, machine.chip);
  machine.speed.clockHz = machine.onCpu ? kHostClockHz : machine.chip.clockHz;
  machine.speed.streamingBytesPerSecond = settings.machine.streamingGBytesPerSecond * 1e9;
  if (!machine.onCpu) { // the IPUs move their parts in turn
    machine.speed.streamingLatencyCycles *= settings.machine.numIpus;
  }
  return machine;
}

void setBudget(const Settings& settings, const Machine& machine, plan::PlanRequest& request) {
  request.limit =
      machine.onCpu ? plan::MemoryModel::Limit::Total : plan::MemoryModel::Limit::PerTile;
  const std::uint64_t budget = settings.checkpoint.memoryBudgetBytes;
  if (budget == 0) {
    request.budgetBytes = machine.onCpu ? hostMemoryBytes() : machine.chip.bytesPerTile;
  } else if (!machine.onCpu) {
    request.budgetBytes = budget;
  } else {
    const std::uint64_t taken = takenByTheProgram(settings);
    request.budgetBytes = deviceBudget(settings, taken);
    request.budgetLeaving = [settings, taken](std::uint64_t bytes) {
      return budgetLeaving(settings, bytes, taken);
    };
  }
}

// REQUIRES: an IPU, spiking layers.
std::vector<PlanInputs::GradientCopies> copiesOf(const Settings& settings,
                                                 const plan::TilePartition& partition,
                                                 const plan::Activity& activity,
                                                 const plan::MachineSpeed& speed) {
  std::vector<PlanInputs::GradientCopies> choices;
  plan::OurLayout layout = layoutOf(settings);
  for (const std::uint32_t copies : {1u, 2u, 3u, 6u}) {
    layout.gradientCopies = copies;
    const plan::MachineBytes bytes =
        plan::ourBytes(settings.network, settings.optimiser, partition, layout);
    const plan::Costs costs =
        plan::ourCosts(settings.network, partition, layout, activity, speed, 0);
    PlanInputs::GradientCopies& choice = choices.emplace_back();
    choice.copies = copies;
    choice.chosen = copies == settings.machine.gradientCopies;
    for (const plan::TileBytes& tile : bytes.tiles) {
      choice.bytes = std::max(choice.bytes, tile.fixed.gradients);
    }
    choice.backwardCycles = costs.backward;
    choice.addingCycles = plan::addCopiesCycles(settings.network, partition, copies);
  }
  return choices;
}

constexpr std::uint32_t kSpikeBuffers = 4;

// The parameters that the settings leave no choice of. Which keys a strategy has was checked.
plan::StrategyChoice fixedBy(const Settings& settings) {
  const CheckpointSettings& keys = settings.checkpoint;
  plan::StrategyChoice fixed;
  fixed.chunk = keys.chunk;
  fixed.remoteChunk = keys.remoteChunk;
  (keys.strategy == StrategyKind::Hierarchical ? fixed.numLocal : fixed.numSlots) = keys.numLocal;
  fixed.form = keys.literal ? plan::Form::Literal : plan::Form::Tight;
  return fixed;
}

// The IPU with IO tiles, where the network leaves as many.
std::optional<plan::PlanRequest::Beside> besideOf(const Settings& settings, const Machine& machine,
                                                  const plan::Activity& activity) {
  const NetworkSpec& network = settings.network;
  const std::uint32_t numIoTiles = plan::spareIoTiles(
      network, {numTilesOf(settings.machine, machine.chip), 0, settings.machine.numIpus},
      settings.machine.neuronsPerTile);
  if (numIoTiles == 0) {
    return std::nullopt;
  }
  const plan::TilePartition partition = partitionOf(settings, machine.chip, numIoTiles);
  auto memory = std::make_shared<const plan::MemoryModel>(
      plan::ourBytes(network, settings.optimiser, partition, machine.layout));
  const plan::Costs costs = plan::ourCosts(network, partition, machine.layout, activity,
                                           machine.speed, memory->stateBytes());
  return plan::PlanRequest::Beside{
      plan::besideCosts(costs, partition, machine.speed, memory->stateBytes()), memory, numIoTiles};
}

// Costs too small to be told from the noise of measuring are those of the constants, as a share of
// a step.
plan::Costs withoutGaps(plan::Costs measured, const plan::Costs& constants) {
  for (double plan::Costs::*cost :
       {&plan::Costs::light, &plan::Costs::writePerState, &plan::Costs::readPerState,
        &plan::Costs::perAction, &plan::Costs::actionPage}) {
    if (measured.*cost <= 0.0) {
      measured.*cost = constants.*cost / constants.forward * measured.forward;
    }
  }
  return measured;
}

const char* originOf(bool onCpu, bool measured) {
  return !onCpu     ? "modelled"
         : measured ? "measured here"
                    : "from constants of another host (--measure measures)";
}

// f, r, b and transfers of states, in cycles.
plan::Costs costsOf(const Settings& settings, const Machine& machine,
                    const plan::Activity& activity, const std::optional<MeasuredCosts>& measured,
                    std::uint64_t stateBytes) {
  const NetworkSpec& network = settings.network;
  const plan::OurLayout& layout = machine.layout;
  if (machine.asPaper) {
    return plan::modelledCosts(network, machine.partition, layout.batch,
                               plan::PaperLayout{}.idBytes, activity, plan::CodeletCosts::paper(),
                               machine.speed, stateBytes,
                               plan::LightExchange::Fused); // "event communication is avoided"
  }
  if (machine.onCpu) {
    const plan::Costs constants = plan::hostCosts(network, layout.batch, activity, stateBytes);
    return plan::inCycles(measured ? withoutGaps(measured->seconds, constants) : constants,
                          machine.speed.clockHz);
  }
  plan::Costs costs =
      plan::ourCosts(network, machine.partition, layout, activity, machine.speed, stateBytes);
  plan::addLinkCosts({.numIpus = settings.machine.numIpus}, network, machine.partition, layout,
                     machine.speed.clockHz, costs);
  return costs;
}

// Of spikes and cached values. REQUIRES: the request has its costs.
void setTransfers(const Machine& machine, const std::optional<MeasuredCosts>& measured,
                  const plan::MemoryModel& memory, plan::PlanRequest& request) {
  const double clockHz = machine.speed.clockHz;
  const double bytesPerCycle =
      (machine.onCpu ? plan::kHostBytesPerSecond : machine.speed.streamingBytesPerSecond) / clockHz;
  request.spikePerStep = static_cast<double>(memory.spilledBytesPerStep()) / bytesPerCycle;
  request.cachePerStep = static_cast<double>(memory.cacheBytesPerStep()) / bytesPerCycle;
  if (measured && measured->spikesPerStep && request.spikePerStep > 0.0) {
    request.cachePerStep *= *measured->spikesPerStep * clockHz / request.spikePerStep;
    request.spikePerStep = *measured->spikesPerStep * clockHz;
  }
  request.spikeLatency =
      machine.onCpu ? request.costs.writeLatency : machine.speed.streamingLatencyCycles;
}

std::string assumptionsOf(const Settings& settings, const Machine& machine,
                          const plan::PlanRequest& request, bool measured) {
  const bool onCpu = machine.onCpu;
  return fmt::format(
      "{}{}, {} tiles; budget {}; Streaming Memory {:g} GB/s; f, r, b {}: {:.0f}, {:.0f}, "
      "{:.0f} cycles of {:g} GHz a step",
      onCpu ? "cpu" : machine.chip.name, machine.asPaper ? " as the paper lays it out" : "",
      machine.partition.numTiles,
      onCpu ? fmt::format("{:.1f} MiB", static_cast<double>(request.budgetBytes) / (1 << 20))
            : formatBytes(request.budgetBytes) + " per tile",
      onCpu ? plan::kHostBytesPerSecond / 1e9 : settings.machine.streamingGBytesPerSecond,
      originOf(onCpu, measured), request.costs.forward, request.costs.light, request.costs.backward,
      machine.speed.clockHz / 1e9);
}

// Strategies that the request does not allow, and why.
std::vector<std::string> leftOutOf(const Settings& settings, const Machine& machine,
                                   const plan::PlanRequest& request) {
  std::vector<std::string> leftOut;
  if (machine.asPaper) {
    return leftOut;
  }
  if (!request.overlap) {
    leftOut.push_back(
        !settings.checkpoint.overlap ? "streamed: checkpoint.overlap = false"
        : settings.machine.numIpus > 1
            ? "streamed: transfers beside compute are made on one IPU"
            : fmt::format(
                  "streamed: no {} tiles are left to transfer states beside compute; a larger "
                  "machine.neuronsPerTile leaves more",
                  plan::ioTilesOf(machine.partition.numTiles, 1)));
  }
  if (!request.surrogateCache) {
    leftOut.push_back("cached: the backward pass reads states that belong to no stored id");
  }
  return leftOut;
}

} // namespace

double assumedActivity(const LayerSpec& layer) {
  if (layer.kind == LayerKind::Gru) {
    return 1.0;
  }
  return layer.isGated() ? kUntrainedEventActivity : kUncappedActivity;
}

PlanInputs planInputs(const Settings& settings, const PlanOptions& options) {
  const Machine machine = machineOf(settings, options);
  const NetworkSpec& network = settings.network;
  const plan::Activity activity = activityOf(network, options.activity, machine.onCpu);
  // Of the data's own activity.
  const std::optional<MeasuredCosts> measured =
      machine.onCpu && !options.activity ? recallCosts(settings) : std::nullopt;
  plan::MemoryModel memory(
      machine.asPaper
          ? plan::paperBytes(network, settings.optimiser, machine.partition, machine.layout.batch)
          : plan::ourBytes(network, settings.optimiser, machine.partition, machine.layout));
  plan::PlanRequest request;
  request.numSteps = settings.data.numSteps;
  setBudget(settings, machine, request);
  request.costs = costsOf(settings, machine, activity, measured, memory.stateBytes());
  setTransfers(machine, measured, memory, request);
  if (machine.onCpu) {
    const std::uint64_t cores = std::max(1u, settings.machine.threads); // 0: maybe one
    request.hostCache = {cores * plan::kCoreCacheBytes,
                         machine.speed.clockHz / plan::kMissedBytesPerSecond};
  }
  request.overlap = !machine.asPaper && settings.checkpoint.overlap;
  if (request.overlap && !machine.onCpu) {
    request.beside = besideOf(settings, machine, activity);
    request.overlap = request.beside.has_value();
  }
  request.spillSpikes = !machine.asPaper && !network.readsWords(); // words stay where they are
  request.surrogateCache = !machine.asPaper && plan::surrogateCacheIsExact(network);
  if (request.surrogateCache && !machine.onCpu) {
    const plan::CacheCosts caching =
        plan::cacheCosts(network, machine.partition, machine.layout, activity, machine.speed);
    request.cacheForward = caching.forward;
    request.cacheBackward = caching.backward;
  }
  request.fixed = fixedBy(settings);
  request.askedSpikeBlock = settings.checkpoint.spikeBlock;
  // Base passes over the blocks once forth and once back: of several, none is read twice.
  request.askedSpikeBuffers =
      settings.checkpoint.strategy == StrategyKind::Base ? 1 : kSpikeBuffers;
  request = plan::withSteps(std::move(request), settings.data.numSteps);
  if (settings.checkpoint.remoteCapacityBytes != 0) {
    request.remoteBytes = settings.checkpoint.remoteCapacityBytes;
  }
  std::string assumptions = assumptionsOf(settings, machine, request, measured.has_value());
  std::vector<std::string> leftOut = leftOutOf(settings, machine, request);
  PlanInputs inputs{.memory = std::move(memory),
                    .request = std::move(request),
                    .clockHz = machine.speed.clockHz,
                    .assumptions = std::move(assumptions),
                    .originOfCosts = originOf(machine.onCpu, measured.has_value()),
                    .costsMeasured = measured.has_value(),
                    .streamedWaits = !machine.asPaper &&
                                     (!settings.checkpoint.overlap || settings.machine.numIpus > 1),
                    .leftOut = std::move(leftOut)};
  if (!machine.onCpu && !machine.asPaper && !network.isGated()) {
    inputs.gradientCopies = copiesOf(settings, machine.partition, activity, machine.speed);
  }
  return inputs;
}

} // namespace spillway
