// Delay-copy: a few symbols at the start are to be told in the same order at the end, after a delay
// without input.
#pragma once

#include "data/SampleSource.hpp"

namespace spillway {

struct CopyOptions {
  std::uint32_t numSymbols = 8; // an input each, then one that asks for the answer
  std::uint32_t numSteps = 60;
  std::uint32_t numSamples = 1000;
  std::uint64_t seed = 1;
  std::uint64_t stream = 0; // of the samples: another for another split
};

// The first length() steps show a symbol each; the last length() ask, and have the labels.
class CopyTask : public SampleSource {
public:
  // Throws UserError where steps leave no room for a symbol, a delay and its answer.
  explicit CopyTask(const CopyOptions& options);

  std::uint32_t size() const override { return options_.numSamples; }
  Sample sample(std::uint32_t index) const override;
  std::uint32_t length() const { return length_; } // 10 symbols, or a third of the steps

private:
  CopyOptions options_;
  std::uint32_t length_;
};

} // namespace spillway
