// The network a second time, as dense matrix products on the tape, without any hand-written
// adjoint.
#pragma once

#include "data/EventBatch.hpp"
#include "reference/DenseTensor.hpp"

#include <cstddef>
#include <vector>

namespace spillway::reference::test {

// Hard: z = [u > theta] with the surrogate as its derivative. Soft: z is a smooth function of u
// whose true derivative is the superspike surrogate, so that finite differences apply.
enum class SpikeFunction { Hard, Soft };

struct NaiveResult {
  double loss = 0.0;
  DenseSet gradients;
  std::size_t numSpikes = 0, numDropped = 0;
  std::vector<double> detached; // for a replay
};

// replay: detached values of an earlier run, or empty.
NaiveResult runNaive(const NetworkSpec& network, const DenseSet& parameters,
                     const EventBatch& batch, SpikeFunction spikes,
                     const std::vector<double>& replay = {});

} // namespace spillway::reference::test
