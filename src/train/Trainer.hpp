// The training loop: epochs of shuffled batches, evaluation, records, snapshots, resumption.
#pragma once

#include "config/Settings.hpp"
#include "data/DataSet.hpp"
#include "train/Metrics.hpp"
#include "train/Progress.hpp"
#include "train/RunFolder.hpp"
#include "train/SharedBatches.hpp"
#include "train/Snapshot.hpp"
#include "train/TensorBoard.hpp"

#include <chrono>
#include <functional>
#include <optional>

namespace spillway {

enum class TrainEnd { Finished, Interrupted };

struct TrainOutcome {
  TrainEnd end = TrainEnd::Finished;
  std::uint64_t update = 0;
  double seconds = 0.0; // over all sittings
  RunningMean lastEpoch;
  std::optional<RunningMean> lastValidation, lastTest; // after it
  double bestTestAccuracy = 0.0;
  std::filesystem::path snapshot; // the last one
};

// Batches per epoch, train.maxBatches regarded. Throws UserError when there are fewer training
// samples than a batch takes.
std::uint32_t updatesPerEpoch(const TrainSettings& settings, const DataSet& data);

class Trainer {
public:
  // REQUIRES: settings.network has its inputs and outputs; session and data fit it. The folder's
  // snapshots decide where to begin: after the newest intact one, or at update 0. Rank 0 has the
  // folder, the others none. `stopRequested` is asked after every update, and before every batch
  // of an evaluation.
  Trainer(const Settings& settings, TrainingSession& session, const DataSet& data, Ranks& ranks,
          RunFolder* folder, Progress& progress, std::function<bool()> stopRequested);

  // Collective. Throws UserError when loss or weights are no longer finite (EveryRankError where
  // there are several), IoError when the folder can no longer be written (what was written stays
  // whole).
  TrainOutcome run();

private:
  using Clock = std::chrono::steady_clock;

  std::optional<Snapshot> restore();
  void trainEpoch();
  bool trainBatch(std::span<const std::uint32_t> samples, bool lastOfEpoch); // whether to stop
  void finishEpoch();
  // What is not evaluated yet; returns what is to be said of it. Where it is interrupted, the run
  // stands where it was last saved.
  std::string evaluate(bool last);
  void conclude();
  bool isConcluded();
  void record(MetricsKind kind, const RunningMean& mean, std::optional<double> rate);
  void save();
  void log(const std::string& message) const;
  [[noreturn]] void fail(const std::string& message) const;
  ParameterSet finiteParameters() const;
  Snapshot standing() const; // position_ with the totals of all sittings
  double secondsTrained() const;
  double secondsSinceRecord() const;

  const Settings& settings_;
  TrainingSession& session_;
  const DataSet& data_;
  Ranks& ranks_;
  RunFolder* folder_;
  Progress& progress_;
  std::function<bool()> stopRequested_;
  std::optional<SnapshotStore> snapshots_; // where there is a folder
  SharedBatches batches_;
  std::uint32_t updatesPerEpoch_ = 0;
  std::uint64_t totalUpdates_ = 0;

  // Parameters, optimiser and sequence are filled only when restoring and saving; the totals over
  // all sittings are those of the sittings before.
  Snapshot position_;
  std::optional<MetricsWriter> metrics_;
  std::optional<TensorBoardWriter> tensorboard_;
  Clock::time_point started_, recorded_; // began this sitting; last wrote a record in it
  double reduceRecorded_ = 0.0;          // SharedBatches::reduceSeconds() at the last record
  TrainOutcome outcome_;
};

} // namespace spillway
