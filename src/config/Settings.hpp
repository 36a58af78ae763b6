// Everything a run depends on, with its defaults. Keys.hpp gives each member its name, range and
// meaning; docs/configuration.md is generated from both.
#pragma once

#include "network/NetworkSpec.hpp"
#include "network/OptimiserSpec.hpp"

#include <cstdint>
#include <string>

namespace spillway {

enum class DecayKind { Constant, Cosine, Step };

struct LearningRateSettings {
  double peak = 1e-3;
  std::uint64_t warmupSteps = 0; // updates during which the rate rises linearly from 0
  DecayKind decay = DecayKind::Constant;
  double finalFraction = 0.02;    // Cosine: the last update's rate as a fraction of the peak
  std::uint32_t decayEpochs = 10; // Step: epochs between two decays
  double decayFactor = 0.5;       // Step
};

struct DataSettings {
  std::string set = "randman";
  std::string path;             // folder or file of a real data set
  std::uint32_t numSteps = 100; // T
  double stepMs = 0.0;          // length of a step; 0: the data set's own
  std::uint64_t seed = 1;       // of synthetic data and of augmentation
  std::uint32_t maxTrain = 0;   // samples used; 0: all
  std::uint32_t maxTest = 0;
  std::uint64_t batchMemoryBytes = 0; // a longer batch of events goes to a file; 0: never
  std::uint32_t numValidation = 0;    // training samples held out
  std::string encoding;               // images: row, pixel, rate or latency; "": the data set's own
  std::string pixelOrder;             // greyPixel: reading, random or bitReversed; "": reading
  std::uint32_t levels = 4;           // grey levels told apart by row and pixel encoding
  std::uint32_t downsample = 1;       // sensor pixels (or channels) joined into one input, per axis
  std::string unlabelled;             // qtdb: "skip" or "first"; "": skip
  std::uint32_t numDelays = 1;        // arrivals of every event, delaySteps apart
  std::uint32_t delaySteps = 1;
  // Synthetic data.
  std::uint32_t numInputs = 128;
  std::uint32_t numClasses = 10;
  std::uint32_t samplesPerClass = 100; // training; a quarter as many for the test
  std::uint32_t manifoldDimension = 1; // randman
  double smoothness = 2.0;             // randman
  double activity = 0.02;              // Poisson patterns: spikes per input and step
  // Augmentation of training samples.
  double jitterSteps = 0.0; // standard deviation of each event's time
  double shiftInputs = 0.0; // standard deviation of a sample's shift along the inputs
  double dropFraction = 0.0;
  double stretch = 0.0;    // standard deviation of the factor on a sample's times
  double shiftSteps = 0.0; // standard deviation of a sample's shift in time
};

struct TrainSettings {
  std::uint32_t epochs = 10;
  std::uint32_t batchSize = 32;
  std::uint32_t microBatch = 0; // samples of a batch that run at once; 0: all
  std::uint64_t seed = 1;       // initial weights and order of the data
  std::string weights;          // HDF5 file to begin with; "": drawn from the seed
  double weightScale = 1.0;
  std::uint32_t maxBatches = 0; // per epoch; 0: all
  std::uint32_t evaluateEvery = 1;
  std::uint32_t logEvery = 10;
  std::uint32_t snapshotEvery = 0;
  std::uint32_t keepSnapshots = 3;
  bool tensorboard = false;

  // Samples the device takes at once.
  std::uint32_t numAtOnce() const { return microBatch == 0 ? batchSize : microBatch; }
  std::uint32_t numMicroBatches() const { return batchSize / numAtOnce(); }
};

enum class DeviceKind { Cpu, Model, Ipu };
enum class MachinePreset { Auto, Ipu1, Ipu2, Bow, Cpu };
enum class ReducePlace { Auto, Host, Device };

struct MachineSettings {
  DeviceKind device = DeviceKind::Cpu;
  MachinePreset preset = MachinePreset::Auto;
  std::uint32_t numTiles = 0;    // per IPU; 0: the preset's
  std::uint32_t numIpus = 1;     // of a replica
  std::uint32_t numReplicas = 1; // in one process
  ReducePlace reduce = ReducePlace::Auto;
  std::uint32_t neuronsPerTile = 0; // 0: spread evenly over the tiles
  std::uint32_t timeBlock = 0;      // K; 0: chosen
  std::uint32_t gradientCopies = 1; // of weight gradients on a tile
  std::uint32_t threads = 0;        // 0: one per core
  bool account = false;
  double streamingGBytesPerSecond = 20.0;

  // Where the gradients of micro-batches are summed.
  bool sumsOnDevice() const {
    return reduce == ReducePlace::Device || (reduce == ReducePlace::Auto && numReplicas > 1);
  }
};

enum class StrategyKind {
  Base,
  Standard,
  Remote,
  Hierarchical,
  Double,
  Revolve,
  Optimal,
  Streamed,
  Cached,
  Auto
};
enum class RemoteStore { Auto, Memory, File };
enum class KeepGates { Auto, Yes, No };

struct CheckpointSettings {
  StrategyKind strategy = StrategyKind::Auto;
  std::uint32_t chunk = 0;       // steps between two local checkpoints; 0: chosen
  std::uint32_t remoteChunk = 0; // steps between two remote checkpoints; 0: chosen
  std::uint32_t numLocal = 0;    // states or checkpoints kept locally; 0: chosen
  bool literal = false;
  std::uint32_t spikeBlock = 0; // steps of a spilled block of spikes; 0: they are not spilled
  std::uint64_t memoryBudgetBytes = 0;   // per tile, or resident on the CPU; 0: the machine's
  std::uint64_t remoteCapacityBytes = 0; // of a replica's remote memory; 0: enough
  KeepGates keepGates = KeepGates::Auto; // of gated layers, for the backward pass
  bool overlap = true;                   // transfers may run beside the steps
  RemoteStore remoteStore = RemoteStore::Auto;
  std::string remotePath; // File: where; "": the run folder
};

struct Settings {
  NetworkSpec network; // numInputs and numOutputs 0: as the data set has
  OptimiserSpec optimiser;
  LearningRateSettings learningRate;
  DataSettings data;
  TrainSettings train;
  MachineSettings machine;
  CheckpointSettings checkpoint;
};

} // namespace spillway
