// One update over micro-batches, and evaluation over batches, both shared out over ranks. What
// comes out depends on the micro-batches alone: not on how many ranks share them.
#pragma once

#include "config/Settings.hpp"
#include "data/DataSet.hpp"
#include "network/GradientUse.hpp"
#include "parallel/SharedSum.hpp"
#include "train/Rounds.hpp"
#include "train/RunningMean.hpp"

#include <chrono>
#include <functional>
#include <optional>
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
  // REQUIRES: a session made for sharingOf(settings, ranks), if it is to train.
  SharedBatches(const Settings& settings, TrainingSession& session, const DataSet& data,
                Ranks& ranks);

  // Collective. `stopRequested` is asked once, when this rank has done its part.
  UpdateResult train(const UpdateRequest& request, const std::function<bool()>& stopRequested);
  // Collective: every sample once; the last batch is filled up with kNoSample. Nothing where some
  // rank wants to stop, which each is asked before every batch.
  std::optional<RunningMean> evaluate(Split split, const std::function<bool()>& stopRequested);

  // Collective: what a batch that continues goes on from, of all micro-batches in order.
  SequenceState sequence();
  void setSequence(const SequenceState& state); // REQUIRES: rank 0's is whole

  // In collectives, waiting for other ranks included.
  double reduceSeconds() const { return std::chrono::duration<double>(reduceTime_).count(); }
  // What becomes of the gradients of a session for these settings.
  static GradientSharing sharingOf(const Settings& settings, const Ranks& ranks);

private:
  UpdateResult trainMicroBatches(const UpdateRequest& request,
                                 const std::function<bool()>& stopRequested);
  bool isShared() const { return ranks_.size() > 1 || streams_.size() > 1; }
  struct Evaluation;
  Evaluation begin(Split split) const;
  // Cells first, first + 1, ..., below end, one on each replica.
  void evaluateCells(Evaluation& task, std::size_t first, std::size_t end);
  std::vector<EventBatch> makeMine(const UpdateRequest& request) const; // this rank's micro-batches
  void takeGradients(const Round& round); // of the micro-batches that just ran
  // Batches whose carried states, if they have any, are kept with their micro-batches'; by replica,
  // some without.
  template <class Run>
  std::vector<BatchResult> runStreams(const std::vector<std::size_t>& microBatches, bool continues,
                                      std::vector<SequenceState>& streams, const Run& run);
  template <class Collective>
  auto timed(const Collective& collective);

  const Settings& settings_;
  TrainingSession& session_;
  const DataSet& data_;
  Ranks& ranks_;
  bool carries_;
  std::vector<SequenceState> streams_; // by micro-batch: what it goes on from
  SharedSum sum_;
  std::vector<Round> rounds_; // of an update
  std::chrono::steady_clock::duration reduceTime_{};
};

// Throws SettingError where there are more ranks and replicas than micro-batches to share out.
void requireWorkForAll(const Settings& settings, std::uint32_t numRanks);

} // namespace spillway
