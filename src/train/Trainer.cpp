#include "train/Trainer.hpp"

#include "data/Shuffle.hpp"
#include "data/Streams.hpp"
#include "network/IoError.hpp"
#include "network/SettingError.hpp"
#include "parallel/EveryRankError.hpp"
#include "train/AccuracyText.hpp"
#include "train/LearningRate.hpp"
#include "train/MakeBatch.hpp"
#include "train/ProcessMemory.hpp"
#include "train/RunSummary.hpp"
#include "train/SharedPosition.hpp"
#include "train/StartingParameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace spillway {

std::uint32_t updatesPerEpoch(const TrainSettings& settings, const DataSet& data) {
  const std::uint32_t numSamples = data.numSamples(Split::Train);
  if (settings.batchSize > numSamples) {
    throw SettingError(
        "train.batchSize",
        fmt::format("train.batchSize = {} is more than the {} training samples of {}; "
                    "it must be 1 to {}",
                    settings.batchSize, numSamples, data.info().name, numSamples));
  }
  const std::uint32_t all = numSamples / settings.batchSize;
  return settings.maxBatches > 0 ? std::min(all, settings.maxBatches) : all;
}

Trainer::Trainer(const Settings& settings, TrainingSession& session, const DataSet& data,
                 Ranks& ranks, RunFolder* folder, Progress& progress,
                 std::function<bool()> stopRequested)
    : settings_(settings),
      session_(session),
      data_(data),
      ranks_(ranks),
      folder_(folder),
      progress_(progress),
      stopRequested_(std::move(stopRequested)),
      batches_(settings, session, data, ranks),
      updatesPerEpoch_(updatesPerEpoch(settings.train, data)) {
  totalUpdates_ = std::uint64_t{updatesPerEpoch_} * settings.train.epochs;
  if (folder != nullptr) {
    snapshots_.emplace(folder->snapshots(), settings.train.keepSnapshots);
  }
}

void Trainer::log(const std::string& message) const {
  if (folder_ != nullptr) {
    folder_->log(message);
  }
}

// Every rank has the same loss and weights, so every rank comes here or none does.
void Trainer::fail(const std::string& message) const {
  const std::string all = fmt::format("{}: lower learningRate.peak (now {}) or set "
                                      "optimiser.clipNorm; the snapshots before it are intact",
                                      message, settings_.learningRate.peak);
  if (ranks_.size() > 1) {
    throw EveryRankError(all);
  }
  throw UserError(all);
}

std::optional<Snapshot> Trainer::restore() {
  std::vector<std::string> damaged;
  if (folder_ == nullptr) {
    return std::nullopt;
  }
  std::optional<Snapshot> newest = snapshots_->loadNewest(settings_.network, damaged);
  for (const std::string& line : damaged) {
    progress_.warn(newest ? line + "; using the one before" : line);
    log(line);
  }
  if (!newest && !damaged.empty()) {
    throw IoError(
        fmt::format("{}: none of its {} snapshots is intact, so the run cannot be resumed; "
                    "it is left as it is",
                    folder_->path().string(), damaged.size()));
  }
  return newest;
}

TrainOutcome Trainer::run() {
  started_ = recorded_ = Clock::now();
  if (std::optional<Snapshot> newest = restore()) {
    position_ = std::move(*newest);
    log(fmt::format("resumed after update {}", position_.update));
    if (position_.update < totalUpdates_) {
      progress_.line(
          fmt::format("resuming after update {} of {}", position_.update, totalUpdates_));
    }
  } else if (ranks_.isFirst()) {
    position_.parameters = startingParameters(settings_);
    position_.optimiser = session_.optimiserState();
    log("started");
  }
  sharePosition(ranks_, settings_.network, position_);
  session_.setParameters(position_.parameters);
  session_.setOptimiserState(position_.optimiser);
  if (carriesState(settings_, data_) && position_.batchInEpoch > 0) {
    batches_.setSequence(position_.sequence);
  }
  position_.parameters = {};
  position_.optimiser = {};
  position_.sequence = {};
  if (folder_ != nullptr) {
    metrics_.emplace(*folder_, settings_.network, data_.info().numSteps, position_.numRecords,
                     position_.update);
    if (settings_.train.tensorboard) {
      tensorboard_.emplace(folder_->path() / "tensorboard");
    }
  }
  outcome_.end = TrainEnd::Finished;
  if (isConcluded()) {
    progress_.line(fmt::format("already finished: all {} updates are done; a higher train.epochs "
                               "would go on",
                               totalUpdates_));
  } else {
    if (folder_ != nullptr) {
      removeSummary(*folder_); // of fewer epochs
    }
    while (position_.epoch < settings_.train.epochs && outcome_.end == TrainEnd::Finished) {
      trainEpoch();
    }
    if (outcome_.end == TrainEnd::Finished) {
      conclude();
    }
  }
  outcome_.lastEpoch = position_.endedEpoch;
  outcome_.lastValidation = position_.validation;
  outcome_.lastTest = position_.test;
  outcome_.update = position_.update;
  outcome_.seconds = secondsTrained();
  outcome_.bestTestAccuracy = position_.bestTestAccuracy;
  log(fmt::format("{} after update {}",
                  outcome_.end == TrainEnd::Finished ? "finished" : "interrupted",
                  position_.update));
  return outcome_;
}

void Trainer::trainEpoch() {
  const std::uint32_t numSamples = data_.numSamples(Split::Train);
  const std::vector<std::uint32_t> order =
      carriesState(settings_, data_)
          ? streamedOrder(numSamples, settings_.train.batchSize,
                          numSamples / settings_.train.batchSize)
          : shuffledOrder(numSamples, settings_.train.seed, position_.epoch);
  const std::uint32_t batchSize = settings_.train.batchSize;
  position_.endedEpoch = {};
  position_.validation = position_.test = std::nullopt;
  while (position_.batchInEpoch < updatesPerEpoch_) {
    const bool epochDone = position_.batchInEpoch + 1 == updatesPerEpoch_;
    const bool stop = trainBatch(
        std::span(order).subspan(position_.batchInEpoch * batchSize, batchSize), epochDone);
    ++position_.batchInEpoch;
    ++position_.update;
    const std::uint64_t update = position_.update;
    if (update % settings_.train.logEvery == 0) {
      record(MetricsKind::Train, position_.sinceRecord,
             learningRate(settings_.learningRate, update - 1, updatesPerEpoch_, totalUpdates_));
    }
    if (stop) {
      save();
      outcome_.end = TrainEnd::Interrupted;
      return;
    }
    const std::uint32_t every = settings_.train.snapshotEvery;
    if (!epochDone && every > 0 && update % every == 0) {
      save();
    }
  }
  finishEpoch();
}

bool Trainer::trainBatch(std::span<const std::uint32_t> samples, bool lastOfEpoch) {
  const double rate =
      learningRate(settings_.learningRate, position_.update, updatesPerEpoch_, totalUpdates_);
  const UpdateResult update =
      batches_.train({.samples = samples,
                      .epoch = position_.epoch,
                      .update = position_.update,
                      .continues = carriesState(settings_, data_) && position_.batchInEpoch > 0,
                      .learningRate = rate},
                     [&] { return !lastOfEpoch && stopRequested_(); });
  if (!std::isfinite(update.result.loss)) {
    fail(fmt::format("the loss is {} at update {}", update.result.loss, position_.update + 1));
  }
  position_.epochSoFar.add(update.result, samples.size(), update.numDroppedEvents);
  position_.sinceRecord.add(update.result, samples.size(), update.numDroppedEvents);
  progress_.update({.epoch = position_.epoch + 1,
                    .numEpochs = settings_.train.epochs,
                    .update = position_.update + 1,
                    .numUpdates = totalUpdates_,
                    .loss = position_.epochSoFar.loss(),
                    .accuracy = position_.epochSoFar.hasClasses()
                                    ? std::optional(position_.epochSoFar.accuracy())
                                    : std::nullopt,
                    .samplesPerSecond = static_cast<double>(position_.sinceRecord.numSamples) /
                                        secondsSinceRecord()});
  return update.stop;
}

// An evaluation may take long: the epoch is saved before it, as one whose updates are done, and a
// run that ends in between evaluates again.
void Trainer::finishEpoch() {
  const std::uint64_t epoch = position_.epoch + 1;
  const std::uint32_t every = settings_.train.evaluateEvery;
  const bool last = epoch == settings_.train.epochs;
  const bool evaluates = last || (every > 0 && epoch % every == 0);
  if (evaluates) {
    save();
  }
  position_.endedEpoch = position_.epochSoFar;
  record(MetricsKind::Epoch, position_.endedEpoch, std::nullopt);
  std::string line =
      fmt::format("epoch {}/{}  train loss {:.4f}{}", epoch, settings_.train.epochs,
                  position_.endedEpoch.loss(), accuracyText(position_.endedEpoch, " "));
  if (evaluates) {
    line += evaluate(last);
    if (outcome_.end == TrainEnd::Interrupted) {
      return;
    }
  }
  position_.epoch = epoch;
  position_.batchInEpoch = 0;
  position_.epochSoFar = {};
  save();
  progress_.line(line + "  " + formatDuration(secondsTrained()));
  if (ranks_.any(!last && stopRequested_())) {
    outcome_.end = TrainEnd::Interrupted;
  }
}

// Where samples are held out, the test data is looked at once, at the end.
std::string Trainer::evaluate(bool last) {
  std::string line;
  const auto evaluateOn = [&](Split split, MetricsKind kind, const char* name) {
    const std::optional<RunningMean> mean = batches_.evaluate(split, stopRequested_);
    if (!mean) {
      outcome_.end = TrainEnd::Interrupted;
      return mean;
    }
    record(kind, *mean, std::nullopt);
    line += fmt::format("  {} loss {:.4f}{}", name, mean->loss(), accuracyText(*mean, " "));
    if (settings_.network.readsWords()) {
      line += fmt::format(" perplexity {:.2f}", std::exp(mean->loss()));
    }
    return mean;
  };
  const bool heldOut = data_.numSamples(Split::Validation) > 0;
  if (heldOut && !position_.validation) {
    position_.validation = evaluateOn(Split::Validation, MetricsKind::Validation, "validation");
  }
  if (outcome_.end == TrainEnd::Finished && (last || !heldOut) &&
      data_.numSamples(Split::Test) > 0 && !position_.test) {
    position_.test = evaluateOn(Split::Test, MetricsKind::Test, "test");
    position_.bestTestAccuracy =
        std::max(position_.bestTestAccuracy, position_.test ? position_.test->accuracy() : 0.0);
  }
  return line;
}

// Collective, as only rank 0 has the folder.
bool Trainer::isConcluded() {
  return ranks_.any(folder_ != nullptr && position_.update == totalUpdates_ &&
                    summarisedUpdates(*folder_) == totalUpdates_);
}

// The last snapshot is on disk by now, so a summary never speaks of a run without one. After an
// interruption at the end of what has become the last epoch, that is still to be evaluated.
void Trainer::conclude() {
  const std::string line = evaluate(true);
  if (outcome_.end == TrainEnd::Interrupted) {
    return;
  }
  if (!line.empty()) {
    save();
    progress_.line("after the last epoch" + line);
  }
  if (folder_ != nullptr) {
    writeSummary(*folder_, settings_, standing(), ranks_.size(), session_.deviceName());
  }
}

void Trainer::record(MetricsKind kind, const RunningMean& mean, std::optional<double> rate) {
  MetricsRecord record{.kind = kind,
                       .update = position_.update,
                       .epoch = (position_.update + updatesPerEpoch_ - 1) / updatesPerEpoch_,
                       .mean = mean,
                       .learningRate = rate,
                       .seconds = secondsTrained(),
                       .samplesPerSecond = std::nullopt,
                       .reduceShare = std::nullopt,
                       .peakMemoryBytes = peakMemoryBytes()};
  if (kind == MetricsKind::Train) {
    record.samplesPerSecond = static_cast<double>(mean.numSamples) / secondsSinceRecord();
    if (ranks_.size() > 1 || session_.numReplicas() > 1) {
      const double sitting = std::chrono::duration<double>(Clock::now() - recorded_).count();
      record.reduceShare = (batches_.reduceSeconds() - reduceRecorded_) / sitting;
    }
  }
  if (metrics_) {
    metrics_->write(record);
  }
  if (tensorboard_) {
    tensorboard_->write(record);
  }
  if (kind == MetricsKind::Train) {
    position_.sinceRecord = {};
    position_.secondsSinceRecord = 0.0;
    recorded_ = Clock::now();
    reduceRecorded_ = batches_.reduceSeconds();
  }
}

void Trainer::save() {
  Snapshot snapshot = standing();
  snapshot.parameters = finiteParameters();
  if (carriesState(settings_, data_) && position_.batchInEpoch > 0) {
    snapshot.sequence = batches_.sequence();
  }
  if (!snapshots_) {
    return;
  }
  snapshot.optimiser = session_.optimiserState();
  outcome_.snapshot = snapshots_->save(snapshot);
}

ParameterSet Trainer::finiteParameters() const {
  ParameterSet parameters = session_.parameters();
  for (const ParameterTensor& tensor : parameters) {
    if (const std::string found = firstNotFinite(tensor); !found.empty()) {
      fail(fmt::format("after update {} {} {}", position_.update, tensor.name, found));
    }
  }
  return parameters;
}

double Trainer::secondsSinceRecord() const {
  return position_.secondsSinceRecord +
         std::chrono::duration<double>(Clock::now() - recorded_).count();
}

double Trainer::secondsTrained() const {
  return position_.secondsTrained + std::chrono::duration<double>(Clock::now() - started_).count();
}

Snapshot Trainer::standing() const {
  Snapshot now = position_;
  now.secondsSinceRecord = secondsSinceRecord();
  now.numRecords = metrics_ ? metrics_->numRecords() : 0;
  now.secondsTrained = secondsTrained();
  now.reduceSeconds += batches_.reduceSeconds();
  const TransferCounts transfers = session_.transfers();
  now.transfers.numTransfers += transfers.numTransfers;
  now.transfers.numStalls += transfers.numStalls;
  now.transfers.stallSeconds += transfers.stallSeconds;
  now.peakMemoryBytes = std::max(now.peakMemoryBytes, peakMemoryBytes());
  return now;
}

} // namespace spillway
