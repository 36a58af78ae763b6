// Modelled cycles of our programs on an IPU, step by step: the supersteps of CheckpointedUnroll
// with the estimates of their vertices and the exchange and sync of the IPU Model
// (docs/machine.md).
#pragma once

#include "plan/OurLayout.hpp"
#include "plan/StepCosts.hpp"

namespace spillway::plan {

// f, r, b and the cost of starting an action, in cycles; of moving `stateBytes` each way.
// REQUIRES: the partition is of the network.
Costs ourCosts(const NetworkSpec& network, const TilePartition& partition, const OurLayout& layout,
               const Activity& activity, const MachineSpeed& speed, std::uint64_t stateBytes);

// What caching distances to the threshold adds to a step's forward and backward, in cycles: values
// are gathered from the layer's tiles, and come back with the lists. REQUIRES: layers spike, and
// not every neuron learns.
struct CacheCosts {
  double forward = 0.0, backward = 0.0;
};
CacheCosts cacheCosts(const NetworkSpec& network, const TilePartition& partition,
                      const OurLayout& layout, const Activity& activity, const MachineSpeed& speed);

// Of adding further copies of the weight gradients to the first, once a training step, in cycles.
double addCopiesCycles(const NetworkSpec& network, const TilePartition& partition,
                       std::uint32_t copies);

// The same where overlapped transfers are staged on the partition's IO tiles: what a transfer takes
// of the link alone, and of compute.
Costs besideCosts(Costs costs, const TilePartition& partition, const MachineSpeed& speed,
                  std::uint64_t stateBytes);

} // namespace spillway::plan
