// Modelled cycles of one step on an IPU: what the time model and the planner take for f, r and b
// where nothing was measured. Estimates; every constant names its source or says that it is one.
#pragma once

#include "network/NetworkSpec.hpp"
#include "plan/Costs.hpp"
#include "plan/TilePartition.hpp"

#include <cstdint>
#include <vector>

namespace spillway::plan {

struct MachineSpeed {
  double clockHz = 1.33e9;            // GC200, as its target reports
  std::uint32_t numWorkers = 6;       // a worker issues once every 6 cycles
  double exchangeBytesPerCycle = 4.0; // per tile, sending and receiving
  double syncCycles = 250.0;   // sync (126 at the worst tile) and fixed cost of an exchange (100)
  double fragmentCycles = 3.0; // control instructions per fragment received
  double streamingBytesPerSecond = 20e9;  // the usual quote for one machine; not calibrated
  double streamingLatencyCycles = 1800.0; // a stream copy whose other side is waiting, measured
};

// Worker instructions of our vertices. Estimated from compiled loops of the same shape.
struct CodeletCosts {
  double perSpike = 2.0, perSpikeNeuron = 2.5;     // a row of weights added to a sample's inputs
  double perSample = 20.0, perSampleNeuron = 12.5; // the state update
  double threshold = 4.0, thresholdNeuron = 8.0;   // comparison and emission of ids
  double surrogate = 14.0;                         // per id that receives a gradient
  double generationCycles = 0.0; // whole further cost of making spike lists, per step

  static CodeletCosts compiled() { return {}; }
  // Hand-scheduled loops: one 64-bit load and one vector addition for two neurons.
  static CodeletCosts assembly();
  // A vertex for each neuron and sample, and a transposition word by word: about 480 fragments a
  // tile at 160 cycles, and the launches of 240 vertices.
  static CodeletCosts paper();
};

// Mean active ids per sample and step.
struct Activity {
  double inputs = 0.0;
  std::vector<double> spikes;    // by layer
  std::vector<double> gradients; // by layer: ids that receive a gradient, spikes included
};

// Every list filled to `fraction` of its cap.
Activity activityAt(const NetworkSpec& network, double fraction);

enum class LightExchange { PerStep, Fused }; // ids of one step at a time, or of a whole chunk

// f, r, b in cycles and the cost of moving `stateBytes` each way. REQUIRES: the partition is of the
// network.
Costs modelledCosts(const NetworkSpec& network, const TilePartition& partition, std::uint32_t batch,
                    std::uint32_t idBytes, const Activity& activity, const CodeletCosts& codelets,
                    const MachineSpeed& speed, std::uint64_t stateBytes,
                    LightExchange lightExchange = LightExchange::PerStep);

} // namespace spillway::plan
