#include "train/Evaluate.hpp"

#include "data/BatchBuilder.hpp"
#include "data/Streams.hpp"
#include "network/CounterRandom.hpp"

#include <algorithm>
#include <numeric>

namespace spillway {

namespace {

constexpr std::uint64_t kMasks = 0x6D61736B; // what the random numbers are for

} // namespace

EventBatch makeBatch(const Settings& settings, const DataSet& data, Split split,
                     std::span<const std::uint32_t> samples, std::uint64_t pass) {
  EventBatch batch = data.batch(split, samples, settings.network.maxInputEvents, pass);
  if (settings.network.loss.kind == LossKind::MeanSquared && batch.targets.empty()) {
    labelsToTargets(batch, settings.network.readout.numOutputs);
  }
  batch.maskKey = static_cast<std::uint32_t>(CounterRandom(settings.train.seed, {kMasks}).bits(0));
  return batch;
}

bool carriesState(const Settings& settings, const DataSet& data) {
  return settings.network.isGated() && data.info().sequential;
}

RunningMean evaluate(const Settings& settings, TrainingSession& session, const DataSet& data,
                     Split split) {
  const std::uint32_t batchSize = settings.train.batchSize;
  const std::uint32_t numSamples = data.numSamples(split);
  const std::uint32_t numBatches = (numSamples + batchSize - 1) / batchSize;
  const bool carries = carriesState(settings, data);
  std::vector<std::uint32_t> order;
  if (carries) {
    order = streamedOrder(numSamples, batchSize, numBatches);
  } else {
    order.assign(std::size_t{numBatches} * batchSize, kNoSample);
    std::iota(order.begin(), order.begin() + numSamples, 0u);
  }
  RunningMean mean;
  for (std::uint32_t k = 0; k < numBatches; ++k) {
    const auto samples = std::span(order).subspan(std::size_t{k} * batchSize, batchSize);
    const auto count = static_cast<std::uint64_t>(
        std::count_if(samples.begin(), samples.end(), [](auto i) { return i != kNoSample; }));
    EventBatch batch = makeBatch(settings, data, split, samples, 0);
    if (batch.labels.empty() && count < batchSize) {
      break;
    }
    batch.continues = carries && k > 0;
    mean.add(session.evaluate(batch), count, batch.numDroppedEvents);
  }
  return mean;
}

} // namespace spillway
