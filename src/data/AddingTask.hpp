// Adding: of a sequence of random numbers two are marked, and their sum is the target.
#pragma once

#include "data/SampleSource.hpp"

namespace spillway {

struct AddingOptions {
  std::uint32_t numSteps = 100;
  std::uint32_t numSamples = 1000;
  std::uint64_t seed = 1;
  std::uint64_t stream = 0; // of the samples: another for another split
};

// Input 0 carries a number uniform in [0, 1) at every step; input 1 is 1 at two steps, one in each
// half. Always telling 1 has a mean-squared error of 1/6.
class AddingTask : public SampleSource {
public:
  explicit AddingTask(const AddingOptions& options); // throws UserError for fewer than 2 steps

  std::uint32_t size() const override { return options_.numSamples; }
  Sample sample(std::uint32_t index) const override;

private:
  AddingOptions options_;
};

} // namespace spillway
