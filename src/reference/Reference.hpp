// The answer every other implementation is checked against: dense, double precision, full storage
// of all states, one sample at a time, sharing no code with the device.
#pragma once

#include "data/EventBatch.hpp"
#include "reference/DenseTensor.hpp"
#include "reference/Trace.hpp"

#include <cstdint>
#include <vector>

namespace spillway::reference {

struct ReferenceResult {
  double loss = 0.0;     // taskLoss + rateLoss
  double taskLoss = 0.0; // mean over labels or target values
  double rateLoss = 0.0; // penalties on rates, or of a language model
  std::uint64_t numCorrect = 0, numLabels = 0;
  std::vector<SampleTrace> samples; // states, spikes, logits
  DenseSet gradients;               // empty after evaluate()
};

// Both throw UserError for an illegal network and for parameters or a batch that do not fit it.
ReferenceResult evaluate(const NetworkSpec& network, const DenseSet& parameters,
                         const EventBatch& batch);
ReferenceResult differentiate(const NetworkSpec& network, const DenseSet& parameters,
                              const EventBatch& batch);

// Whether ids, labels and targets of the batch fit the network. Throws UserError if not.
void checkBatch(const NetworkSpec& network, const EventBatch& batch);

} // namespace spillway::reference
