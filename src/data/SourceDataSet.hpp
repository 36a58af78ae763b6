// A data set made of one source for training and one for testing.
#pragma once

#include "data/Augmentation.hpp"
#include "data/DataSet.hpp"
#include "data/Delays.hpp"
#include "data/SampleSource.hpp"

#include <memory>
#include <vector>

namespace spillway {

struct SourceDataSetParts {
  DataSetInfo info;
  InputGrid grid;
  std::unique_ptr<SampleSource> train, test;
  std::unique_ptr<SampleSource> validation; // where it is not held out of the training samples
  Augmentation augmentation;                // of training samples
  std::uint64_t seed = 0;          // of augmentation and of the choice where events exceed the cap
  std::uint64_t maxBatchBytes = 0; // of a batch's rows in memory; 0: no limit
  Delays delays;                   // of all samples, after augmentation
  // Samples used, drawn at random by the seed (files are often sorted by class), or the first where
  // samples go on from one another; 0: all.
  std::uint32_t maxTrain = 0, maxTest = 0;
  // Training samples held out, drawn by the seed before those used; the same whatever maxTrain is.
  std::uint32_t numValidation = 0;
};

// Validation and test samples are not augmented, and their batches do not depend on the pass.
class SourceDataSet : public DataSet {
public:
  // Throws UserError where validation would leave no training sample.
  explicit SourceDataSet(SourceDataSetParts parts);

  DataSetInfo info() const override { return parts_.info; }
  std::uint32_t numSamples(Split split) const override;
  EventBatch batch(Split split, std::span<const std::uint32_t> samples, std::uint32_t maxEvents,
                   std::uint64_t pass) const override;

private:
  // The source's samples of a split, by their index there.
  const std::vector<std::uint32_t>& indices(Split split) const;
  const SampleSource& source(Split split) const;

  SourceDataSetParts parts_;
  std::vector<std::uint32_t> train_, validation_, test_;
};

} // namespace spillway
