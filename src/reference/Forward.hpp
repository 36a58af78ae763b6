// The forward pass of one sample, in double precision, straight from the equations of
// docs/numerics.md.
#pragma once

#include "data/EventBatch.hpp"
#include "reference/DenseTensor.hpp"
#include "reference/Trace.hpp"

namespace spillway::reference {

// One sample of a batch.
struct BatchSample {
  const EventBatch& batch;
  std::size_t index;
};

std::vector<std::uint32_t> inputIds(BatchSample sample, std::size_t step);

// theta[t] of neuron i.
double threshold(const LayerSpec& layer, const LayerTrace& trace, std::size_t step, std::size_t i);

// Spikes of each neuron over all steps, those that the cap drops included.
std::vector<double> spikeCounts(const LayerTrace& trace, std::size_t size);

// v over the steps to logits.
std::vector<double> reduceReadout(const ReadoutSpec& readout, const std::vector<double>& v);

SampleTrace forward(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample);

} // namespace spillway::reference
