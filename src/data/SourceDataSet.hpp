// A data set made of one source for training and one for testing.
#pragma once

#include "data/Augmentation.hpp"
#include "data/DataSet.hpp"
#include "data/SampleSource.hpp"

#include <memory>

namespace spillway {

struct SourceDataSetParts {
  DataSetInfo info;
  InputGrid grid;
  std::unique_ptr<SampleSource> train, test;
  Augmentation augmentation; // of training samples
  std::uint64_t seed = 0;    // of augmentation and of the choice where events exceed the cap
  std::uint32_t maxTrain = 0, maxTest = 0; // samples used; 0: all
};

// Test batches do not depend on the pass.
class SourceDataSet : public DataSet {
public:
  explicit SourceDataSet(SourceDataSetParts parts) : parts_(std::move(parts)) {}

  DataSetInfo info() const override { return parts_.info; }
  std::uint32_t numSamples(Split split) const override;
  EventBatch batch(Split split, std::span<const std::uint32_t> samples, std::uint32_t maxEvents,
                   std::uint64_t pass) const override;

private:
  SourceDataSetParts parts_;
};

} // namespace spillway
