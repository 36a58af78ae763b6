#include "config/Keys.hpp"

namespace spillway {
namespace {

Keys<MachineSettings> machine() {
  using Machine = MachineSettings;
  return {
      choice("device", &Machine::device, deviceNames(),
             "The host's cores (a machine of a few large tiles), the IPU Model with its account of "
             "bytes and cycles, or IPU hardware. What is asked for is used, or it is an error."),
      choice("preset", &Machine::preset, presetNames(),
             "The machine that is modelled. auto: cpu on the device cpu, else ipu2 (GC200)."),
      whole("tiles", &Machine::numTiles, 0, 1472, "tiles",
            "Tiles per IPU (model, ipu). 0: the preset's."),
      whole("numIpus", &Machine::numIpus, 1, 64, "IPUs",
            "IPUs the network is spread over (model, ipu)."),
      whole("replicas", &Machine::numReplicas, 1, 64, "replicas",
            "Copies of the network in this process that share every batch: a replicated graph, "
            "each with its own IPUs. Needs train.microBatch."),
      choice("reduce", &Machine::reduce,
             {{"auto", ReducePlace::Auto},
              {"host", ReducePlace::Host},
              {"device", ReducePlace::Device}},
             "Where the gradients of replicas and ranks are summed, in the same order: by the "
             "host, or by gcl on the device. auto: on the device where there are replicas."),
      whole("neuronsPerTile", &Machine::neuronsPerTile, 0, 65535, "neurons",
            "Neurons of a layer on one tile. 0: spread evenly over the tiles."),
      whole("timeBlock", &Machine::timeBlock, 0, 65535, "steps",
            "Steps a feed-forward layer runs in one superstep; recurrent layers take 1. 0: on the "
            "cpu "
            "16, or a twelfth of fewer than 192 steps but no less than 8; 1 elsewhere."),
      whole(
          "gradientCopies", &Machine::gradientCopies, 1, 6, "copies",
          "Copies of a spiking layer's weight gradients on a tile (model, ipu): 1, 2, 3 or 6. The "
          "six workers of a tile share one, or sum more of them apart: faster, and as many times "
          "the memory; `spillway plan` shows both."),
      whole("threads", &Machine::threads, 0, 1024, "threads",
            "Host threads of the cpu and model devices. 0: one per core."),
      flag("account", &Machine::account,
           "Keep the account of bytes and cycles per tile while running (model)."),
      real("streamingGBytesPerSecond", &Machine::streamingGBytesPerSecond,
           Interval::between(1e-6, 1e6), "GB/s",
           "Bandwidth of Streaming Memory, for the planner and the IPU Model."),
  };
}

Keys<CheckpointSettings> checkpoint() {
  using Check = CheckpointSettings;
  return {
      choice("strategy", &Check::strategy, strategyNames(),
             "Which states are stored, recomputed and spilled. auto: the fastest that fits the "
             "memory; on the cpu without a memoryBudget the leanest of base, cached and standard "
             "that is expected to take at most 15 % longer than the fastest."),
      whole("chunk", &Check::chunk, 0, 100000000, "steps",
            "Steps between two local checkpoints (standard, remote, hierarchical, double). 0: the "
            "fastest that fits the memory, as `spillway plan` has it; on the cpu without a "
            "memoryBudget about the square root of the steps they divide, or of layers in time "
            "blocks half as long again, in whole blocks and at least four of many."),
      whole("remoteChunk", &Check::remoteChunk, 0, 100000000, "steps",
            "Steps between two remote checkpoints (double). 0: the fastest that fits; on the cpu "
            "without a memoryBudget 256."),
      whole("numLocal", &Check::numLocal, 0, 100000000, "states",
            "Checkpoints of a transfer (hierarchical), or states kept locally (revolve, optimal, "
            "streamed). 0: the fastest that fits; on the cpu without a memoryBudget 8 for "
            "hierarchical, else the fewest with which no step is run again more than once."),
      flag("literal", &Check::literal,
           "The published form of a strategy rather than the tight one, for comparison."),
      whole("spikeBlock", &Check::spikeBlock, 0, 100000000, "steps",
            "Spikes go to remote memory in blocks of so many steps, of which four stay, with base "
            "one (all strategies but auto, which decides by itself); a block as long as the "
            "sequence, or "
            "longer, stays. 0: they stay, or go in the best blocks where a memory budget or an "
            "IPU's tiles make that faster."),
      choice("keepGates", &Check::keepGates,
             {{"auto", KeepGates::Auto}, {"true", KeepGates::Yes}, {"false", KeepGates::No}},
             "Gated layers keep their gates, 16 bytes a unit, sample and step, which go where the "
             "spikes go. Otherwise the backward pass forms the products of all events again. "
             "Results are the same; cpu only, and not with convention = paper. auto: on the cpu "
             "without a memoryBudget, where all gates of a batch need no more memory than weights "
             "and gradients."),
      bytes("memoryBudget", &Check::memoryBudgetBytes,
            "Memory per tile that a schedule may use; on the cpu resident memory of the whole "
            "program, of which a schedule gets what the program leaves. 0: "
            "what the machine has."),
      bytes("remoteCapacity", &Check::remoteCapacityBytes,
            "What states, spikes, cached values and tables of actions may take of Streaming "
            "Memory, or of a host's remote store, in all. 0: no limit."),
      flag("overlap", &Check::overlap,
           "Transfers to and from remote memory may run beside the steps: IO tiles on an IPU, a "
           "thread on the cpu. Results are the same."),
      choice("remoteStore", &Check::remoteStore,
             {{"auto", RemoteStore::Auto},
              {"memory", RemoteStore::Memory},
              {"file", RemoteStore::File}},
             "Where the cpu and the IPU Model keep remote states and spikes. auto: in a file where "
             "the cpu has a memoryBudget, else in memory."),
      text("remotePath", &Check::remotePath, "a folder",
           "Folder of the remote store's file, which has no name and ends with the run. Empty: "
           "the run's, or the system's for temporary files."),
  };
}

} // namespace

const Choices<StrategyKind>& strategyNames() {
  static const Choices<StrategyKind> names{
      {"base", StrategyKind::Base},       {"standard", StrategyKind::Standard},
      {"remote", StrategyKind::Remote},   {"hierarchical", StrategyKind::Hierarchical},
      {"double", StrategyKind::Double},   {"revolve", StrategyKind::Revolve},
      {"optimal", StrategyKind::Optimal}, {"streamed", StrategyKind::Streamed},
      {"cached", StrategyKind::Cached},   {"auto", StrategyKind::Auto}};
  return names;
}

const Choices<DeviceKind>& deviceNames() {
  static const Choices<DeviceKind> names{
      {"cpu", DeviceKind::Cpu}, {"model", DeviceKind::Model}, {"ipu", DeviceKind::Ipu}};
  return names;
}

const Choices<MachinePreset>& presetNames() {
  static const Choices<MachinePreset> names{{"auto", MachinePreset::Auto},
                                            {"ipu1", MachinePreset::Ipu1},
                                            {"ipu2", MachinePreset::Ipu2},
                                            {"bow", MachinePreset::Bow},
                                            {"cpu", MachinePreset::Cpu}};
  return names;
}

Keys<Settings> machineKeys() {
  Keys<Settings> keys = lift("machine.", &Settings::machine, machine());
  append(keys, lift("checkpoint.", &Settings::checkpoint, checkpoint()));
  return keys;
}

} // namespace spillway
