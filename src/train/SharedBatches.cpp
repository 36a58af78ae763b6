#include "train/SharedBatches.hpp"

#include "data/BatchBuilder.hpp"
#include "data/Streams.hpp"
#include "network/SettingError.hpp"
#include "train/MakeBatch.hpp"
#include "train/SharedResult.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace spillway {
namespace {

// Losses are shares of one mean already.
UpdateResult sumOf(const SharedResults& results) {
  UpdateResult sum;
  for (std::size_t m = 0; m < results.size(); ++m) {
    const SharedResult share = results[m];
    sum.result.loss += share.result.loss;
    sum.result.numCorrect += share.result.numCorrect;
    sum.result.numLabels += share.result.numLabels;
    sum.numDroppedEvents += share.numDroppedEvents;
    sum.result.layers.resize(share.result.layers.size());
    for (std::size_t l = 0; l < sum.result.layers.size(); ++l) {
      sum.result.layers[l] += share.result.layers[l];
    }
  }
  return sum;
}

// Micro-batches of one update draw masks of their own; the first draws those of an undivided batch.
std::uint32_t maskKeyOf(std::uint32_t key, std::uint64_t update, std::size_t microBatch) {
  return key + static_cast<std::uint32_t>(update) +
         static_cast<std::uint32_t>(microBatch) * 0x9e3779b9u;
}

template <class T>
std::string bytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
void append(std::vector<T>& values, const std::string& bytes) {
  const std::size_t before = values.size();
  values.resize(before + bytes.size() / sizeof(T));
  std::memcpy(values.data() + before, bytes.data(), bytes.size());
}

template <class T>
std::vector<T> part(const std::vector<T>& values, std::size_t index, std::size_t numParts) {
  const auto size = static_cast<std::ptrdiff_t>(values.size() / numParts);
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(index) * size;
  return {begin, begin + size};
}

} // namespace

bool SharedBatches::areShared(const Settings& settings, const Ranks& ranks) {
  return ranks.size() > 1 || settings.train.numMicroBatches() > 1;
}

SharedBatches::SharedBatches(const Settings& settings, TrainingSession& session,
                             const DataSet& data, Ranks& ranks)
    : settings_(settings),
      session_(session),
      data_(data),
      ranks_(ranks),
      carries_(carriesState(settings, data)),
      streams_(settings.train.numMicroBatches()) {}

void requireWorkForAll(const TrainSettings& settings, const Ranks& ranks) {
  const std::uint32_t numMicro = settings.numMicroBatches();
  if (numMicro < ranks.size()) {
    throw SettingError(
        "train.microBatch",
        fmt::format("{} ranks, but a batch of {} micro-batch{}: with train.batchSize = {} "
                    "train.microBatch must be 1 to {}",
                    ranks.size(), numMicro, numMicro == 1 ? "" : "es", settings.batchSize,
                    settings.batchSize / ranks.size()));
  }
}

template <class Collective>
auto SharedBatches::timed(const Collective& collective) {
  struct Stop {
    std::chrono::steady_clock::duration& sum;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    ~Stop() { sum += std::chrono::steady_clock::now() - begin; }
  } const stop{reduceTime_};
  return collective();
}

template <class Run>
BatchResult SharedBatches::runStream(std::size_t microBatch, const EventBatch& batch,
                                     std::vector<SequenceState>& streams, const Run& run) {
  if (streams.size() == 1) { // the session itself keeps it
    return run();
  }
  if (batch.continues) {
    session_.setSequenceState(streams[microBatch]);
  }
  BatchResult result = run();
  if (carries_) {
    streams[microBatch] = session_.sequenceState();
  }
  return result;
}

UpdateResult SharedBatches::train(const UpdateRequest& request,
                                  const std::function<bool()>& stopRequested) {
  if (areShared(settings_, ranks_)) {
    return trainMicroBatches(request, stopRequested);
  }
  EventBatch batch = makeBatch(settings_, data_, Split::Train, request.samples, request.epoch);
  batch.continues = request.continues;
  const BatchResult result = session_.train(batch, request.learningRate);
  return {result, batch.numDroppedEvents, stopRequested()};
}

UpdateResult SharedBatches::trainMicroBatches(const UpdateRequest& request,
                                              const std::function<bool()>& stopRequested) {
  const std::size_t numAtOnce = settings_.train.numAtOnce();
  const std::size_t numMicro = request.samples.size() / numAtOnce;
  SharedSum gradients(ranks_, numMicro);
  const LeafRange mine = gradients.mine();
  std::vector<EventBatch> batches;
  std::uint64_t labels = 0;
  for (std::size_t m = mine.begin; m < mine.end; ++m) {
    EventBatch batch = makeBatch(settings_, data_, Split::Train,
                                 request.samples.subspan(m * numAtOnce, numAtOnce), request.epoch);
    batch.maskKey = maskKeyOf(batch.maskKey, request.update, m);
    batch.continues = request.continues;
    labels += numLabels(batch, settings_.network.readout.numOutputs);
    batches.push_back(std::move(batch));
  }
  timed([&] { ranks_.sum({&labels, 1}); });

  SharedResults results(numMicro, settings_.network.layers.size());
  for (std::size_t m = mine.begin; m < mine.end; ++m) {
    const EventBatch& batch = batches[m - mine.begin];
    const BatchResult result =
        runStream(m, batch, streams_, [&] { return session_.differentiateShare(batch, labels); });
    results.set(m, {result, numAtOnce, batch.numDroppedEvents});
    gradients.add(m, session_.sharedGradients());
  }
  std::uint64_t stop = stopRequested() ? 1 : 0;
  const std::vector<float> total = timed([&] {
    results.share(ranks_);
    ranks_.sum({&stop, 1});
    return gradients.finish();
  });
  session_.update(total, request.learningRate);
  UpdateResult sum = sumOf(results);
  sum.stop = stop != 0;
  return sum;
}

// Cell k * M + m is micro-batch m of batch k. Where batches go on from one another, a rank has the
// same micro-batch of all of them; else any cells.
RunningMean SharedBatches::evaluate(Split split) {
  const std::uint32_t batchSize = settings_.train.batchSize;
  const std::uint32_t numSamples = data_.numSamples(split);
  const std::uint32_t numBatches = (numSamples + batchSize - 1) / batchSize;
  const std::size_t numAtOnce = settings_.train.numAtOnce();
  const std::size_t numMicro = streams_.size();
  std::vector<std::uint32_t> order;
  if (carries_) {
    order = streamedOrder(numSamples, batchSize, numBatches);
  } else {
    order.assign(std::size_t{numBatches} * batchSize, kNoSample);
    std::iota(order.begin(), order.begin() + numSamples, 0u);
  }
  std::vector<SequenceState> streams(numMicro);
  SharedResults results(numBatches * numMicro, settings_.network.layers.size());
  const auto run = [&](std::size_t cell) {
    const auto samples = std::span(order).subspan(cell * numAtOnce, numAtOnce);
    const auto count =
        numAtOnce - static_cast<std::size_t>(std::count(samples.begin(), samples.end(), kNoSample));
    const bool targets = settings_.network.loss.kind == LossKind::MeanSquared;
    if (count == 0 || (targets && count < numAtOnce)) {
      return;
    }
    EventBatch batch = makeBatch(settings_, data_, split, samples, 0);
    batch.continues = carries_ && cell >= numMicro;
    const BatchResult result =
        runStream(cell % numMicro, batch, streams, [&] { return session_.evaluate(batch); });
    results.set(cell, {result, count, batch.numDroppedEvents});
  };
  const std::size_t numShared = carries_ ? numMicro : results.size();
  const LeafRange mine = leavesOf(ranks_.rank(), ranks_.size(), numShared);
  for (std::size_t first = mine.begin; first < mine.end; ++first) {
    for (std::size_t cell = first; cell < results.size(); cell += numShared) {
      run(cell);
    }
  }
  timed([&] { results.share(ranks_); });
  RunningMean mean;
  for (std::size_t cell = 0; cell < results.size(); ++cell) {
    const SharedResult shared = results[cell];
    if (shared.numSamples != 0) {
      mean.add(shared.result, shared.numSamples, shared.numDroppedEvents);
    }
  }
  return mean;
}

SequenceState SharedBatches::sequence() {
  if (!areShared(settings_, ranks_)) {
    return session_.sequenceState();
  }
  SequenceState all;
  std::string states, events;
  for (const SequenceState& stream : streams_) { // those of other ranks are empty
    states += bytesOf(stream.states);
    events += bytesOf(stream.events);
  }
  for (const std::string& ofRank : ranks_.gather(states)) {
    append(all.states, ofRank);
  }
  for (const std::string& ofRank : ranks_.gather(events)) {
    append(all.events, ofRank);
  }
  return all;
}

void SharedBatches::setSequence(const SequenceState& state) {
  if (!areShared(settings_, ranks_)) {
    session_.setSequenceState(state);
    return;
  }
  SequenceState all;
  append(all.states, ranks_.broadcast(bytesOf(state.states)));
  append(all.events, ranks_.broadcast(bytesOf(state.events)));
  const LeafRange mine = leavesOf(ranks_.rank(), ranks_.size(), streams_.size());
  for (std::size_t m = mine.begin; m < mine.end; ++m) {
    streams_[m] = {part(all.states, m, streams_.size()), part(all.events, m, streams_.size())};
  }
}

} // namespace spillway
