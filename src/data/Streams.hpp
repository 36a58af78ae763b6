// The order in which batches read samples that go on from one another: as many streams as a batch
// has places, each a run of neighbouring samples.
#pragma once

#include "data/DataSet.hpp"

#include <cstdint>
#include <vector>

namespace spillway {

// Batch k holds sample b * length + k at place b, from [k * numStreams + b]. `length` batches;
// places past the last sample hold kNoSample.
inline std::vector<std::uint32_t> streamedOrder(std::uint32_t numSamples, std::uint32_t numStreams,
                                                std::uint32_t length) {
  std::vector<std::uint32_t> order;
  order.reserve(std::size_t{numStreams} * length);
  for (std::uint32_t k = 0; k < length; ++k) {
    for (std::uint32_t b = 0; b < numStreams; ++b) {
      const std::uint64_t sample = std::uint64_t{b} * length + k;
      order.push_back(sample < numSamples ? static_cast<std::uint32_t>(sample) : kNoSample);
    }
  }
  return order;
}

} // namespace spillway
