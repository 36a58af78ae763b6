// The training loop: epochs of shuffled batches, evaluation, records, snapshots, resumption.
#pragma once

#include "config/Settings.hpp"
#include "data/DataSet.hpp"
#include "train/Metrics.hpp"
#include "train/Progress.hpp"
#include "train/RunFolder.hpp"
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
  RunningMean lastEpoch, lastValidation, lastTest;
  double bestTestAccuracy = 0.0;
  std::filesystem::path snapshot; // the last one
};

// Batches per epoch, train.maxBatches regarded. Throws UserError when there are fewer training
// samples than a batch takes.
std::uint32_t updatesPerEpoch(const TrainSettings& settings, const DataSet& data);

class Trainer {
public:
  // REQUIRES: settings.network has its inputs and outputs; session and data fit it. The folder's
  // snapshots decide where to begin: after the newest intact one, or at update 0.
  // `stopRequested` is asked after every update.
  Trainer(const Settings& settings, TrainingSession& session, const DataSet& data,
          RunFolder& folder, Progress& progress, std::function<bool()> stopRequested);

  // Throws UserError when loss or weights are no longer finite, IoError when the folder can no
  // longer be written (what was written stays whole).
  TrainOutcome run();

private:
  using Clock = std::chrono::steady_clock;

  std::optional<Snapshot> restore();
  void trainEpoch();
  void trainBatch(std::span<const std::uint32_t> samples);
  void finishEpoch();
  std::string evaluateEpoch(bool last); // what is to be said of it
  void record(MetricsKind kind, const RunningMean& mean, std::optional<double> rate);
  void save();
  ParameterSet finiteParameters() const;
  void writeSummary() const;
  double secondsTrained() const;
  double secondsSinceRecord() const;

  const Settings& settings_;
  TrainingSession& session_;
  const DataSet& data_;
  RunFolder& folder_;
  Progress& progress_;
  std::function<bool()> stopRequested_;
  SnapshotStore snapshots_;
  std::uint32_t updatesPerEpoch_ = 0;
  std::uint64_t totalUpdates_ = 0;

  Snapshot position_; // parameters and optimiser are filled only when saving
  std::optional<MetricsWriter> metrics_;
  std::optional<TensorBoardWriter> tensorboard_;
  Clock::time_point started_, recorded_; // began this sitting; last wrote a record in it
  TrainOutcome outcome_;
};

} // namespace spillway
