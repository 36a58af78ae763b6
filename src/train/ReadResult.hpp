// What the device streams out after a run, as results.
#pragma once

#include "graphs/SnnGraph.hpp"
#include "train/TrainingSession.hpp"

#include <cstdint>
#include <vector>

namespace spillway {

// The buffers of the streams host::kLosses and so on.
struct HostResults {
  std::vector<float> losses, penalties;
  std::vector<std::uint32_t> correct, counters, counts;
};

// What a loss is a mean over: a batch alone, or the update it is a share of.
struct MeanOver {
  std::uint64_t numLabels = 0;
  std::uint32_t numSamples = 0;
};

// Of all samples but the last `numFillers`. `numLabels`, of the batch, is left to the caller.
BatchResult readResult(const HostResults& host, const SnnGraph& graph, const MeanOver& mean,
                       std::uint32_t numFillers);
ScheduleCounts readCounts(const HostResults& host);

} // namespace spillway
