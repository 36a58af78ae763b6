// A data set as the training loop sees it: numbered samples, made into batches on request.
#pragma once

#include "data/EventBatch.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace spillway {

// Validation samples are taken out of the training data (data.validation): to choose settings by.
enum class Split { Train, Validation, Test };

// In the place of a sample: no events and no label, to fill up a batch.
inline constexpr std::uint32_t kNoSample = UINT32_MAX;

struct DataSetInfo {
  std::string name;
  std::uint32_t numInputs = 0;
  std::uint32_t numOutputs = 0; // classes, or width of a target
  std::uint32_t numSteps = 0;
  bool labelPerStep = false;
  bool valued = false;     // events carry values, which only gated layers take
  bool targets = false;    // samples have targets of numOutputs values, not labels
  bool sequential = false; // a sample goes on where the one before it ended
};

class DataSet {
public:
  virtual ~DataSet() = default;

  virtual DataSetInfo info() const = 0;
  virtual std::uint32_t numSamples(Split split) const = 0;

  // The given samples in the given order, at most maxEvents events per sample and step (0: all).
  // A pure function of its arguments: `pass` (the epoch) keys the augmentation of training samples.
  virtual EventBatch batch(Split split, std::span<const std::uint32_t> samples,
                           std::uint32_t maxEvents, std::uint64_t pass) const = 0;
};

} // namespace spillway
