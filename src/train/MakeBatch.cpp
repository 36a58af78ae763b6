#include "train/MakeBatch.hpp"

#include "data/BatchBuilder.hpp"
#include "network/CounterRandom.hpp"

namespace spillway {
namespace {

constexpr std::uint64_t kMasks = 0x6D61736B; // what the random numbers are for

} // namespace

EventBatch makeBatch(const Settings& settings, const DataSet& data, Split split,
                     std::span<const std::uint32_t> samples, std::uint64_t pass) {
  const std::uint32_t maxEvents =
      settings.network.readsWords() ? 1 : settings.network.maxInputEvents;
  EventBatch batch = data.batch(split, samples, maxEvents, pass);
  while (batch.numFillers < samples.size() &&
         samples[samples.size() - 1 - batch.numFillers] == kNoSample) {
    ++batch.numFillers;
  }
  if (settings.network.loss.kind == LossKind::MeanSquared && batch.targets.empty()) {
    labelsToTargets(batch, settings.network.readout.numOutputs);
  }
  batch.maskKey = static_cast<std::uint32_t>(CounterRandom(settings.train.seed, {kMasks}).bits(0));
  return batch;
}

bool carriesState(const Settings& settings, const DataSet& data) {
  return settings.network.isGated() && data.info().sequential;
}

} // namespace spillway
