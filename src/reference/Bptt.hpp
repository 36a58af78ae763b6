// Backpropagation through time of one sample, in double precision. Equations: docs/numerics.md.
#pragma once

#include "data/EventBatch.hpp"
#include "reference/DenseTensor.hpp"
#include "reference/Trace.hpp"

#include <vector>

namespace spillway::reference {

// Adds the sample's gradients to `gradients`.
// logitGradient: of the logits' shape. spikeGradient[layer][neuron]: what the loss adds to the
// gradient of every z[t] of that neuron (rate regularisation).
void backward(const NetworkSpec& network, const DenseSet& parameters, const EventBatch& batch,
              std::size_t sample, const SampleTrace& trace,
              const std::vector<double>& logitGradient,
              const std::vector<std::vector<double>>& spikeGradient, DenseSet& gradients);

} // namespace spillway::reference
