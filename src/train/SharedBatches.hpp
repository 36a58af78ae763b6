// One update over micro-batches, and evaluation over batches, both shared out over ranks. What
// comes out depends on the micro-batches alone: not on how many ranks share them.
#pragma once

#include "config/Settings.hpp"
#include "data/DataSet.hpp"
#include "parallel/SharedSum.hpp"
#include "train/RunningMean.hpp"

#include <chrono>
#include <functional>
#include <span>

namespace spillway {

struct UpdateRequest {
  std::span<const std::uint32_t> samples; // the whole batch, in order
  std::uint64_t epoch = 0;
  std::uint64_t update = 0; // done before
  bool continues = false;   // goes on from where the last batch ended
  double learningRate = 0.0;
};

struct UpdateResult {
  BatchResult result; // of the whole batch
  std::uint64_t numDroppedEvents = 0;
  bool stop = false; // some rank wants to
};

class SharedBatches {
public:
  // REQUIRES: where there are several micro-batches or ranks, a session made for shared gradients,
  // if it is to train.
  SharedBatches(const Settings& settings, TrainingSession& session, const DataSet& data,
                Ranks& ranks);

  // Collective. `stopRequested` is asked once, when this rank has done its part.
  UpdateResult train(const UpdateRequest& request, const std::function<bool()>& stopRequested);
  // Collective: every sample once; the last batch is filled up with kNoSample. Where targets are
  // learnt, what is not full is left out, since a filler's target would count.
  RunningMean evaluate(Split split);

  // Collective: what a batch that continues goes on from, of all micro-batches in order.
  SequenceState sequence();
  void setSequence(const SequenceState& state); // REQUIRES: rank 0's is whole

  // In collectives, waiting for other ranks included.
  double reduceSeconds() const { return std::chrono::duration<double>(reduceTime_).count(); }
  // Whether sessions for these settings need shared gradients.
  static bool areShared(const Settings& settings, const Ranks& ranks);

private:
  UpdateResult trainMicroBatches(const UpdateRequest& request,
                                 const std::function<bool()>& stopRequested);
  // A batch whose carried state, if it has any, is kept with the micro-batch's.
  template <class Run>
  BatchResult runStream(std::size_t microBatch, const EventBatch& batch,
                        std::vector<SequenceState>& streams, const Run& run);
  template <class Collective>
  auto timed(const Collective& collective);

  const Settings& settings_;
  TrainingSession& session_;
  const DataSet& data_;
  Ranks& ranks_;
  bool carries_;
  std::vector<SequenceState> streams_; // by micro-batch: what it goes on from
  std::chrono::steady_clock::duration reduceTime_{};
};

// Throws SettingError where there are more ranks than micro-batches to share out.
void requireWorkForAll(const TrainSettings& settings, const Ranks& ranks);

} // namespace spillway
