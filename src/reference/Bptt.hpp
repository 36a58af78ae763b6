// Backpropagation through time of one sample, in double precision. Equations: docs/numerics.md.
#pragma once

#include "reference/DenseTensor.hpp"
#include "reference/Forward.hpp"

#include <vector>

namespace spillway::reference {

struct LossGradient {
  std::vector<double> logits; // of the logits' shape
  // [layer][neuron]: what the loss adds to the gradient of every z[t] of that neuron (rates).
  std::vector<std::vector<double>> spikes;
};

// dL/dv[t] of output k without what comes from later steps.
double directReadoutGradient(const ReadoutSpec& readout, const SampleTrace& trace,
                             const std::vector<double>& logitGradient, std::size_t step,
                             std::size_t k);

// Adds the sample's gradients to `gradients`. trace: what forward() returned for the sample.
void backward(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample,
              const SampleTrace& trace, const LossGradient& loss, DenseSet& gradients);

} // namespace spillway::reference
