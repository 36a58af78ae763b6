#include "train/SharedBatches.hpp"

#include "config/WorkForAll.hpp"
#include "data/BatchBuilder.hpp"
#include "data/Streams.hpp"
#include "network/SettingError.hpp"
#include "train/MakeBatch.hpp"
#include "train/SharedResult.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace spillway {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

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

GradientSharing SharedBatches::sharingOf(const Settings& settings, const Ranks& ranks) {
  const std::uint32_t numMicro = settings.train.numMicroBatches();
  if (ranks.size() == 1 && numMicro == 1) {
    return {GradientUse::Unread};
  }
  return {settings.machine.sumsOnDevice() ? GradientUse::OnDevice : GradientUse::OnHost, numMicro};
}

SharedBatches::SharedBatches(const Settings& settings, TrainingSession& session,
                             const DataSet& data, Ranks& ranks)
    : settings_(settings),
      session_(session),
      data_(data),
      ranks_(ranks),
      carries_(carriesState(settings, data)),
      streams_(settings.train.numMicroBatches()),
      sum_(ranks, streams_.size()),
      rounds_(session.sumsOnDevice() ? roundsOfReplicas(ranks.rank(), ranks.size(),
                                                        session.numReplicas(), streams_.size())
                                     : roundsInTurn(sum_.mine(), session.numReplicas())) {}

void requireWorkForAll(const Settings& settings, std::uint32_t numRanks) {
  if (const std::string lack = lackOfWork(settings, numRanks); !lack.empty()) {
    throw SettingError("train.microBatch", lack);
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
std::vector<BatchResult>
SharedBatches::runStreams(const std::vector<std::size_t>& microBatches, bool continues,
                          std::vector<SequenceState>& streams, const Run& run) {
  if (streams.size() == 1) { // the session itself keeps it
    return run();
  }
  if (continues) {
    std::vector<SequenceState> states(session_.numReplicas());
    for (std::size_t r = 0; r < microBatches.size(); ++r) {
      if (microBatches[r] != kNone) {
        states[r] = streams[microBatches[r]];
      }
    }
    session_.setSequenceStates(states);
  }
  std::vector<BatchResult> results = run();
  if (carries_) {
    std::vector<SequenceState> states = session_.sequenceStates();
    for (std::size_t r = 0; r < microBatches.size(); ++r) {
      if (microBatches[r] != kNone) {
        streams[microBatches[r]] = std::move(states[r]);
      }
    }
  }
  return results;
}

UpdateResult SharedBatches::train(const UpdateRequest& request,
                                  const std::function<bool()>& stopRequested) {
  if (isShared()) {
    return trainMicroBatches(request, stopRequested);
  }
  EventBatch batch = makeBatch(settings_, data_, Split::Train, request.samples, request.epoch);
  batch.continues = request.continues;
  const BatchResult result = session_.train(batch, request.learningRate);
  return {result, batch.numDroppedEvents, stopRequested()};
}

std::vector<EventBatch> SharedBatches::makeMine(const UpdateRequest& request) const {
  const std::size_t numAtOnce = settings_.train.numAtOnce();
  const LeafRange mine = sum_.mine();
  std::vector<EventBatch> batches;
  for (std::size_t m = mine.begin; m < mine.end; ++m) {
    EventBatch batch = makeBatch(settings_, data_, Split::Train,
                                 request.samples.subspan(m * numAtOnce, numAtOnce), request.epoch);
    batch.maskKey = maskKeyOf(batch.maskKey, request.update, m);
    batch.continues = request.continues;
    batches.push_back(std::move(batch));
  }
  return batches;
}

void SharedBatches::takeGradients(const Round& round) {
  if (session_.sumsOnDevice()) {
    std::vector<KeptShare> kept;
    for (const Turn& turn : round) {
      kept.push_back(turn.kept);
    }
    session_.keepGradients(kept);
    return;
  }
  std::vector<std::vector<float>> gradients(round.size());
  std::vector<float*> to(round.size(), nullptr);
  for (std::size_t r = 0; r < round.size(); ++r) {
    if (round[r].leaf) {
      gradients[r] = sum_.buffer(session_.numGradients());
      to[r] = gradients[r].data();
    }
  }
  session_.readGradients(to);
  for (std::size_t r = 0; r < round.size(); ++r) {
    if (round[r].leaf) {
      sum_.add(*round[r].leaf, std::move(gradients[r]));
    }
  }
}

UpdateResult SharedBatches::trainMicroBatches(const UpdateRequest& request,
                                              const std::function<bool()>& stopRequested) {
  const std::vector<EventBatch> batches = makeMine(request);
  std::uint64_t labels = 0;
  for (const EventBatch& batch : batches) {
    labels += numLabels(batch, settings_.network.readout.numOutputs);
  }
  timed([&] { ranks_.sum({&labels, 1}); });

  SharedResults results(streams_.size(), settings_.network.layers.size());
  const LeafRange mine = sum_.mine();
  for (const Round& round : rounds_) {
    TrainingSession::Batches run(round.size(), nullptr);
    std::vector<std::size_t> leaves(round.size(), kNone);
    for (std::size_t r = 0; r < round.size(); ++r) {
      if (round[r].leaf) {
        leaves[r] = *round[r].leaf;
        run[r] = &batches[leaves[r] - mine.begin];
      }
    }
    const auto ran = runStreams(leaves, request.continues, streams_,
                                [&] { return session_.differentiateShares(run, labels); });
    for (std::size_t r = 0; r < round.size(); ++r) {
      if (run[r] != nullptr) {
        results.set(leaves[r], {ran[r], run[r]->numSamples, run[r]->numDroppedEvents});
      }
    }
    takeGradients(round);
  }
  std::uint64_t stop = stopRequested() ? 1 : 0;
  timed([&] {
    results.share(ranks_);
    ranks_.sum({&stop, 1});
    if (session_.sumsOnDevice()) {
      session_.sumGradients();
    } else {
      sum_.finish();
    }
  });
  if (!session_.sumsOnDevice()) {
    session_.writeGradients(sum_.total());
  }
  session_.update(request.learningRate);
  UpdateResult sum = sumOf(results);
  sum.stop = stop != 0;
  return sum;
}

// Cell k * M + m is micro-batch m of batch k.
struct SharedBatches::Evaluation {
  Split split;
  std::vector<std::uint32_t> order; // samples of all cells, one after the other, and kNoSample
  std::vector<SequenceState> streams;
  SharedResults results;
};

SharedBatches::Evaluation SharedBatches::begin(Split split) const {
  const std::uint32_t batchSize = settings_.train.batchSize;
  const std::uint32_t numSamples = data_.numSamples(split);
  const std::uint32_t numBatches = (numSamples + batchSize - 1) / batchSize;
  std::vector<std::uint32_t> order;
  if (carries_) {
    order = streamedOrder(numSamples, batchSize, numBatches);
  } else {
    order.assign(std::size_t{numBatches} * batchSize, kNoSample);
    std::iota(order.begin(), order.begin() + numSamples, 0u);
  }
  return {split, std::move(order), std::vector<SequenceState>(streams_.size()),
          SharedResults(numBatches * streams_.size(), settings_.network.layers.size())};
}

void SharedBatches::evaluateCells(Evaluation& task, std::size_t first, std::size_t end) {
  const std::size_t numAtOnce = settings_.train.numAtOnce();
  const std::size_t numMicro = streams_.size();
  const std::size_t numReplicas = session_.numReplicas();
  const bool continues = carries_ && first >= numMicro;
  std::vector<EventBatch> batches(numReplicas);
  TrainingSession::Batches used(numReplicas, nullptr);
  std::vector<std::size_t> microBatches(numReplicas, kNone), counts(numReplicas);
  for (std::size_t r = 0; r < numReplicas && first + r < end; ++r) {
    const auto samples = std::span(task.order).subspan((first + r) * numAtOnce, numAtOnce);
    counts[r] =
        numAtOnce - static_cast<std::size_t>(std::count(samples.begin(), samples.end(), kNoSample));
    if (counts[r] == 0) {
      continue;
    }
    batches[r] = makeBatch(settings_, data_, task.split, samples, 0);
    batches[r].continues = continues;
    used[r] = &batches[r];
    microBatches[r] = (first + r) % numMicro;
  }
  if (std::count(used.begin(), used.end(), nullptr) == std::ssize(used)) {
    return;
  }
  const auto ran = runStreams(microBatches, continues, task.streams,
                              [&] { return session_.evaluateEach(used); });
  for (std::size_t r = 0; r < numReplicas; ++r) {
    if (used[r] != nullptr) {
      task.results.set(first + r, {ran[r], counts[r], used[r]->numDroppedEvents});
    }
  }
}

// Where batches go on from one another, a rank has the same micro-batch of all of them; else any
// cells. Ranks with fewer cells than others ask as often as those whether to stop.
std::optional<RunningMean> SharedBatches::evaluate(Split split,
                                                   const std::function<bool()>& stopRequested) {
  Evaluation task = begin(split);
  SharedResults& results = task.results;
  const std::size_t numShared = carries_ ? streams_.size() : results.size();
  const LeafRange mine = leavesOf(ranks_.rank(), ranks_.size(), numShared);
  const std::size_t most = (numShared + ranks_.size() - 1) / ranks_.size();
  for (std::size_t done = 0; done < most; done += session_.numReplicas()) {
    for (std::size_t row = 0; row < results.size(); row += numShared) {
      if (timed([&] { return ranks_.any(stopRequested()); })) {
        return std::nullopt;
      }
      if (mine.begin + done < mine.end) {
        evaluateCells(task, row + mine.begin + done, row + mine.end);
      }
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
  if (!isShared()) {
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
  if (!isShared()) {
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
