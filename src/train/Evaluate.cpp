#include "train/Evaluate.hpp"

#include "data/BatchBuilder.hpp"

#include <algorithm>
#include <numeric>

namespace spillway {

EventBatch makeBatch(const Settings& settings, const DataSet& data, Split split,
                     std::span<const std::uint32_t> samples, std::uint64_t pass) {
  EventBatch batch = data.batch(split, samples, settings.network.maxInputEvents, pass);
  if (settings.network.loss.kind == LossKind::MeanSquared && batch.targets.empty()) {
    labelsToTargets(batch, settings.network.readout.numOutputs);
  }
  return batch;
}

RunningMean evaluate(const Settings& settings, TrainingSession& session, const DataSet& data,
                     Split split) {
  const std::uint32_t batchSize = settings.train.batchSize;
  const std::uint32_t numSamples = data.numSamples(split);
  RunningMean mean;
  for (std::uint32_t begin = 0; begin < numSamples; begin += batchSize) {
    const std::uint32_t count = std::min(batchSize, numSamples - begin);
    std::vector<std::uint32_t> samples(batchSize, kNoSample);
    std::iota(samples.begin(), samples.begin() + count, begin);
    const EventBatch batch = makeBatch(settings, data, split, samples, 0);
    if (batch.labels.empty() && count < batchSize) {
      break;
    }
    mean.add(session.evaluate(batch), count, batch.numDroppedEvents);
  }
  return mean;
}

} // namespace spillway
