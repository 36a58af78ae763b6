// The supersteps of a block of steps as OurCosts counts them, for spiking and for gated layers.
#pragma once

#include "codelets/maths/Cycles.hpp"
#include "plan/OurLayout.hpp"
#include "plan/StepCosts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace spillway::plan {

inline constexpr double kFragmentCycles = 3.0; // received into a buffer of its own
inline constexpr double kExecuteCycles = 18.0;
inline constexpr double kGatherCycles = 338.0; // what lies on the tile itself, beside what arrives

// The slowest tile of a compute set, and the most that a tile receives for it.
struct Superstep {
  double compute = 0.0, bytes = 0.0, fragments = 0.0;

  void atLeast(double computeCycles, double received, double separate = 0.0) {
    compute = std::max(compute, computeCycles);
    bytes = std::max(bytes, received);
    fragments = std::max(fragments, separate);
  }

  double cycles(const MachineSpeed& speed) const {
    return kExecuteCycles + kGatherCycles + compute + speed.syncCycles +
           std::max(bytes / speed.exchangeBytesPerCycle, kFragmentCycles * fragments);
  }
};

// The units that have steps to run in a superstep, and how many. What is exchanged does not depend
// on that.
struct Busy {
  std::size_t firstUnit = 0, endUnit = 0;
  double steps = 0.0;

  double stepsOf(std::size_t unit) const {
    return unit >= firstUnit && unit < endUnit ? steps : 0.0;
  }
};

// Samples dealt out in turn to six workers, each an instruction every six cycles.
inline double dealt(double samples, double instructions) {
  return kLaunchCycles + kWorkers * std::ceil(samples / kWorkers) * instructions;
}

// Of a block of steps of gated layers and the readout above them.
struct GatedSupersteps {
  Superstep resets, update, compact;         // forward
  Superstep lightResets, light;              // for as many steps as are light at once
  Superstep adjoint, through, gradient, sum; // backward, and the resets again
  bool published = false;                    // any layer, which alone have resets, through
};
GatedSupersteps gatedSupersteps(const NetworkSpec& network, const TilePartition& partition,
                                const OurLayout& layout, const Activity& activity,
                                const Busy& busy);

} // namespace spillway::plan
