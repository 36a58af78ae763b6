// Patterns of rates: each class gives every input a rate of its own, drawn once from [0, 2
// activity]; a sample draws every input and step on its own. Also the load for timing, where only
// the activity matters.
#pragma once

#include "data/SampleSource.hpp"

namespace spillway {

struct PoissonOptions {
  std::uint32_t numInputs = 128;
  std::uint32_t numClasses = 10;
  std::uint32_t numSteps = 100;
  double activity = 0.02; // mean spikes per input and step, 0 .. 0.5
  std::uint32_t samplesPerClass = 100;
  std::uint64_t seed = 1;   // of the rates
  std::uint64_t stream = 0; // of the samples: another for another split
};

// Sample i belongs to class i mod numClasses.
class PoissonPatterns : public SampleSource {
public:
  // Throws UserError for an activity outside 0 .. 0.5.
  explicit PoissonPatterns(const PoissonOptions& options);

  std::uint32_t size() const override { return options_.numClasses * options_.samplesPerClass; }
  Sample sample(std::uint32_t index) const override;

private:
  PoissonOptions options_;
};

} // namespace spillway
