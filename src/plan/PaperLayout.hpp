// The layout of the implementation the checkpointing paper was measured with: 32-bit ids, six
// gradient copies and a seventh for their sum, a vertex for each neuron and sample.
//
// Of a tile with n neurons of a layer with fan-in N, batch B and lists of at most S ids:
//   states     4 B n a state; three copies in work, two words of flags
//   spikes     each list of a step spread over all tiles but the first in equal blocks from there
//   on: ids,
//              one count for inputs and two for layers
//   adjoint    8 B n; weights 4 N n, gradients 7 times that
//   temporaries the larger of 8 B S (own ids and gradients) and the received ids, the partial input
//              gradients 4 B S and their gathering
#pragma once

#include "network/NetworkSpec.hpp"
#include "network/OptimiserSpec.hpp"
#include "plan/TileBytes.hpp"
#include "plan/TilePartition.hpp"

namespace spillway::plan {

struct PaperLayout {
  std::uint32_t idBytes = 4, countBytes = 4;
  std::uint32_t gradientCopies = 7;
  std::uint32_t workFloats = 3, adjointFloats = 2, flagWords = 2; // per neuron and sample
  std::uint32_t vertexBytesPerSample = 50 + 96, vertexBytesPerNeuronSample = 24;
  // Code, exchange, stacks: a fit to "400 steps fit Base"; 25 to 65 kB are plausible.
  std::uint32_t codeBytes = 45000;
};

MachineBytes paperBytes(const NetworkSpec& network, const OptimiserSpec& optimiser,
                        const TilePartition& partition, std::uint32_t batch,
                        const PaperLayout& layout = {});

} // namespace spillway::plan
