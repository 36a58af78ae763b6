#include "train/ReadResult.hpp"

#include "maths/Control.hpp"

namespace spillway {

BatchResult readResult(const HostResults& host, const SnnGraph& graph, const MeanOver& mean) {
  BatchResult result;
  double loss = 0.0, penalty = 0.0;
  for (std::size_t sample = 0; sample + mean.numFillers < host.losses.size(); ++sample) {
    loss += static_cast<double>(host.losses[sample]);
  }
  for (const float tile : host.penalties) {
    penalty += static_cast<double>(tile);
  }
  result.loss = (mean.numLabels == 0 ? 0.0 : loss / static_cast<double>(mean.numLabels)) +
                penalty / mean.numSamples;
  for (const std::uint32_t correct : host.correct) {
    result.numCorrect += correct;
  }
  std::size_t at = 0;
  for (std::size_t l = 0; l < graph.geometry().numLayers(); ++l) {
    LayerActivity activity;
    for (std::size_t i = 0; i < graph.numCounters(l); i += 3, at += 3) {
      activity.numSpikes += host.counters[at];
      activity.numGradients += host.counters[at + 1];
      (graph.geometry().network.isGated() ? activity.numBeyond : activity.numDropped) +=
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
