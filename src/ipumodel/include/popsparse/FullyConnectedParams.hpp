// The sizes of a layer with sparse weights.
#pragma once

#include <popsparse/SparsityParams.hpp>

#include <cassert>
#include <cmath>
#include <cstddef>
#include <ostream>

namespace popsparse {
namespace dynamic {

/// Weights are [outputChannels][inputChannels] in each group; activations [batchSize][channels].
class FullyConnectedParams {
public:
  static FullyConnectedParams createWithNzRatio(const SparsityParams& sparsityParams,
                                                double nzRatio, std::size_t batchSize,
                                                std::size_t numGroups, std::size_t inputChannels,
                                                std::size_t outputChannels);
  static FullyConnectedParams
  createWithNumNonZeroValues(const SparsityParams& sparsityParams, std::size_t numNonZeroElems,
                             std::size_t batchSize, std::size_t numGroups,
                             std::size_t inputChannels, std::size_t outputChannels);

  std::size_t getBatchSize() const { return batchSize_; }
  std::size_t getNumGroups() const { return numGroups_; }
  std::size_t getInputChannels() const { return numGroups_ * inputChannelsPerGroup_; }
  std::size_t getOutputChannels() const { return numGroups_ * outputChannelsPerGroup_; }
  std::size_t getInputChannelsPerGroup() const { return inputChannelsPerGroup_; }
  std::size_t getOutputChannelsPerGroup() const { return outputChannelsPerGroup_; }
  const SparsityParams& getSparsityParams() const { return sparsityParams_; }
  /// The share of weights, and the number of them, that may differ from zero.
  double getNzRatio() const { return nzRatio_; }
  std::size_t getNumNonZeroValues() const;

  friend bool operator<(const FullyConnectedParams& a, const FullyConnectedParams& b);
  friend bool operator==(const FullyConnectedParams& a, const FullyConnectedParams& b);
  friend bool operator!=(const FullyConnectedParams& a, const FullyConnectedParams& b);

private:
  FullyConnectedParams() = default;

  SparsityParams sparsityParams_;
  double nzRatio_ = 0;
  std::size_t batchSize_ = 0, numGroups_ = 0;
  std::size_t inputChannelsPerGroup_ = 0, outputChannelsPerGroup_ = 0;
};

std::ostream& operator<<(std::ostream& os, const FullyConnectedParams& params);

} // namespace dynamic
} // namespace popsparse
