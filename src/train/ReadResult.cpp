#include "train/ReadResult.hpp"

#include "maths/Control.hpp"

namespace spillway {

BatchResult readResult(const HostResults& host, const SnnGraph& graph, const MeanOver& mean,
                       std::uint32_t numFillers) {
  const Geometry& geometry = graph.geometry();
  const std::size_t numSamples = geometry.sequence.numSamples, numLive = numSamples - numFillers;
  BatchResult result;
  double loss = 0.0, penalty = 0.0;
  for (std::size_t sample = 0; sample < numLive; ++sample) {
    loss += static_cast<double>(host.losses[sample]);
  }
  // Those on rates are by sample; those of a language model, which evaluations have not, by group.
  const std::size_t numPenalised = geometry.network.loss.rate.enabled() ? numLive : numSamples;
  for (std::size_t i = 0; i < host.penalties.size(); ++i) {
    penalty += i % numSamples < numPenalised ? static_cast<double>(host.penalties[i]) : 0.0;
  }
  result.loss = (mean.numLabels == 0 ? 0.0 : loss / static_cast<double>(mean.numLabels)) +
                penalty / mean.numSamples;
  for (const std::uint32_t correct : host.correct) {
    result.numCorrect += correct;
  }
  for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
    LayerActivity activity;
    for (std::size_t sample = 0; sample < numLive; ++sample) {
      const std::size_t at = (l * numSamples + sample) * kCountersPerSample;
      activity.numSpikes += host.counters[at];
      activity.numGradients += host.counters[at + 1];
      (geometry.network.isGated() ? activity.numBeyond : activity.numDropped) +=
          host.counters[at + 2];
    }
    result.layers.push_back(activity);
  }
  return result;
}

ScheduleCounts readCounts(const HostResults& host) {
  ScheduleCounts counts;
  counts.forwardSteps = host.counts[kCountForward];
  counts.lightSteps = host.counts[kCountLight];
  counts.backwardSteps = host.counts[kCountBackward];
  counts.remoteWrites = host.counts[kCountRemoteWrites];
  counts.remoteReads = host.counts[kCountRemoteReads];
  counts.remoteWriteOps = host.counts[kCountRemoteWriteOps];
  counts.remoteReadOps = host.counts[kCountRemoteReadOps];
  counts.spikeWrites = host.counts[kCountSpikeWrites];
  counts.spikeReads = host.counts[kCountSpikeReads];
  counts.slotsUsed = host.counts[kCountSlots];
  return counts;
}

} // namespace spillway
