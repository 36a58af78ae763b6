// A long memory: which group of inputs was active during the first steps is to be told at the last.
// In between there is only noise, the same for all classes, so that the loss at the end teaches
// nothing unless its gradient crosses the whole sequence.
#pragma once

#include "data/SampleSource.hpp"

namespace spillway {

struct StoreRecallOptions {
  std::uint32_t numInputs = 40; // numClasses cue groups, a noise group, a recall group; equal sizes
  std::uint32_t numClasses = 2;
  std::uint32_t numSteps = 1000;
  double activity = 0.02; // of the noise, spikes per input and step
  std::uint32_t samplesPerClass = 100;
  std::uint64_t seed = 1;
  std::uint64_t stream = 0; // of the samples: another for another split
};

// Sample i belongs to class i mod numClasses. The cue and the recall signal each last
// max(1, numSteps/20) steps, at the start and at the end; a group that is on spikes with
// probability 1/2 per input and step. The label belongs to the last step.
class StoreRecall : public SampleSource {
public:
  // Throws UserError where a group would be empty or cue and recall would touch.
  explicit StoreRecall(const StoreRecallOptions& options);

  std::uint32_t size() const override { return options_.numClasses * options_.samplesPerClass; }
  Sample sample(std::uint32_t index) const override;

private:
  StoreRecallOptions options_;
  std::uint32_t groupSize_, cueSteps_;
};

} // namespace spillway
