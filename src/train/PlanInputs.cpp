#include "train/PlanInputs.hpp"

#include "config/Values.hpp"
#include "network/SettingError.hpp"
#include "network/UserError.hpp"
#include "plan/HostCosts.hpp"
#include "plan/LinkCosts.hpp"
#include "plan/OurCosts.hpp"
#include "plan/PaperLayout.hpp"
#include "plan/StepCosts.hpp"
#include "train/ChooseSchedule.hpp"
#include "train/CpuLayout.hpp"
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

double filled(std::uint32_t cap, std::uint32_t size, std::optional<double> activity) {
  if (cap == 0) {
    return size * activity.value_or(kUncappedActivity);
  }
  return cap * activity.value_or(1.0);
}

plan::Activity activityOf(const NetworkSpec& network, std::optional<double> given) {
  plan::Activity activity;
  activity.inputs = filled(network.maxInputEvents, network.numInputs, given);
  for (const LayerSpec& layer : network.layers) {
    activity.spikes.push_back(filled(layer.maxActive, layer.size, given));
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

std::uint64_t budgetOf(const Settings& settings, const Machine& machine) {
  const std::uint64_t budget = settings.checkpoint.memoryBudgetBytes;
  if (budget == 0) {
    return machine.onCpu ? hostMemoryBytes() : machine.chip.bytesPerTile;
  }
  return machine.onCpu ? deviceBudget(settings) : budget;
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

plan::StrategyChoice fixedBy(const CheckpointSettings& settings) {
  plan::StrategyChoice fixed;
  fixed.chunk = settings.chunk;
  fixed.remoteChunk = settings.remoteChunk;
  fixed.numLocal = settings.strategy == StrategyKind::Hierarchical ? settings.numLocal : 0;
  fixed.form = settings.literal ? plan::Form::Literal : plan::Form::Tight;
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

// Throws UserError unless the schedule keeps to the budget that was set, or to the host's memory.
// Without a budget an IPU is judged by its compiler, which knows more.
void requireFits(const plan::Schedule& schedule, const Settings& settings) {
  const bool onCpu = settings.machine.device == DeviceKind::Cpu;
  if (settings.checkpoint.memoryBudgetBytes == 0 && !onCpu) {
    return;
  }
  const PlanInputs inputs = planInputs(settings);
  const std::uint64_t bytes = plan::memoryFor(schedule, inputs.request, inputs.memory)
                                  .bytesAgainst(plan::demandOf(schedule), inputs.request.limit);
  if (bytes > inputs.request.budgetBytes) {
    throw SettingError(
        "checkpoint.strategy",
        fmt::format(
            "this checkpoint.strategy needs {} bytes{} for {} steps, but {} leaves it {}; "
            "`spillway plan` compares strategies, auto takes one that fits",
            bytes, onCpu ? "" : " on the largest tile", schedule.numSteps,
            settings.checkpoint.memoryBudgetBytes != 0
                ? fmt::format("checkpoint.memoryBudget = {}", settings.checkpoint.memoryBudgetBytes)
                : "the host's memory",
            inputs.request.budgetBytes));
  }
}

} // namespace

PlanInputs planInputs(const Settings& settings, const PlanOptions& options) {
  const Machine machine = machineOf(settings, options);
  const NetworkSpec& network = settings.network;
  const plan::Activity activity = activityOf(network, options.activity);
  // Of the data's own activity.
  const std::optional<MeasuredCosts> measured =
      machine.onCpu && !options.activity ? recallCosts(settings) : std::nullopt;
  plan::MemoryModel memory(
      machine.asPaper
          ? plan::paperBytes(network, settings.optimiser, machine.partition, machine.layout.batch)
          : plan::ourBytes(network, settings.optimiser, machine.partition, machine.layout));
  plan::PlanRequest request;
  request.numSteps = settings.data.numSteps;
  request.limit =
      machine.onCpu ? plan::MemoryModel::Limit::Total : plan::MemoryModel::Limit::PerTile;
  request.budgetBytes = budgetOf(settings, machine);
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
  request.fixed = fixedBy(settings.checkpoint);
  std::string assumptions = assumptionsOf(settings, machine, request, measured.has_value());
  std::vector<std::string> leftOut = leftOutOf(settings, machine, request);
  PlanInputs inputs{std::move(memory),      std::move(request),   machine.speed.clockHz,
                    std::move(assumptions), measured.has_value(), std::move(leftOut)};
  if (!machine.onCpu && !machine.asPaper && !network.isGated()) {
    inputs.gradientCopies = copiesOf(settings, machine.partition, activity, machine.speed);
  }
  return inputs;
}

ChosenSchedule scheduleFor(const Settings& settings) {
  using enum StrategyKind;
  const StrategyKind strategy = settings.checkpoint.strategy;
  const plan::Step numSteps = settings.data.numSteps;
  if (strategy != Auto) {
    const bool needsCosts = strategy == Optimal || strategy == Streamed;
    ChosenSchedule chosen{chooseSchedule(settings.checkpoint, numSteps, timeBlockOf(settings),
                                         needsCosts ? plan::costsOf(planStrategyOf(strategy),
                                                                    planInputs(settings).request)
                                                    : plan::Costs{}),
                          ""};
    requireFits(chosen.schedule, settings);
    return chosen;
  }
  const PlanInputs inputs = planInputs(settings);
  const plan::Plan found = plan::planAll(inputs.request, inputs.memory, plan::PlanDetail::Times);
  if (!found.chosen) {
    throw SettingError("checkpoint.strategy",
                       "checkpoint.strategy = auto: " +
                           plan::planAll(inputs.request, inputs.memory).reason);
  }
  return {plan::scheduleOf(found.table[*found.chosen], inputs.request),
          found.reason + "; f, r, b " +
              originOf(settings.machine.device == DeviceKind::Cpu, inputs.costsMeasured)};
}

plan::Strategy planStrategyOf(StrategyKind kind) {
  if (kind == StrategyKind::Auto) {
    throw std::logic_error("auto is a choice among strategies, not one of them");
  }
  return plan::kAllStrategies[static_cast<std::size_t>(kind)]; // in the same order
}

} // namespace spillway
