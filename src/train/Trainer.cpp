#include "train/Trainer.hpp"

#include "data/Shuffle.hpp"
#include "data/Streams.hpp"
#include "network/IoError.hpp"
#include "network/SettingError.hpp"
#include "parallel/EveryRankError.hpp"
#include "train/LearningRate.hpp"
#include "train/MakeBatch.hpp"
#include "train/ProcessMemory.hpp"
#include "train/SharedPosition.hpp"
#include "train/StartingParameters.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

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
    progress_.line(line + "; using the one before");
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
    progress_.line(
        position_.update < totalUpdates_
            ? fmt::format("resuming after update {} of {}", position_.update, totalUpdates_)
            : fmt::format("already finished: all {} updates are done; a higher "
                          "train.epochs would go on",
                          totalUpdates_));
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
    metrics_.emplace(*folder_, settings_.network, data_.info().numSteps, position_.update);
    if (settings_.train.tensorboard) {
      tensorboard_.emplace(folder_->path() / "tensorboard");
    }
  }
  outcome_.end = TrainEnd::Finished;
  while (position_.epoch < settings_.train.epochs && outcome_.end == TrainEnd::Finished) {
    trainEpoch();
  }
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
                    .accuracy = position_.epochSoFar.accuracy(),
                    .samplesPerSecond = static_cast<double>(position_.sinceRecord.numSamples) /
                                        secondsSinceRecord()});
  return update.stop;
}

// Evaluation and summary come before the snapshot, so that a run killed in between does them again;
// without its snapshot it is not finished.
void Trainer::finishEpoch() {
  finiteParameters(); // before a summary could call the run finished
  outcome_.lastEpoch = position_.epochSoFar;
  record(MetricsKind::Epoch, position_.epochSoFar, std::nullopt);
  const std::uint64_t epoch = position_.epoch + 1;
  const std::uint32_t every = settings_.train.evaluateEvery;
  const bool last = epoch == settings_.train.epochs;
  std::string line =
      fmt::format("epoch {}/{}  train loss {:.4f} accuracy {:.2f} %", epoch, settings_.train.epochs,
                  outcome_.lastEpoch.loss(), 100.0 * outcome_.lastEpoch.accuracy());
  if (last || (every > 0 && epoch % every == 0)) {
    line += evaluateEpoch(last);
  }
  if (last) {
    writeSummary();
  }
  position_.epoch = epoch;
  position_.batchInEpoch = 0;
  position_.epochSoFar = {};
  try {
    save();
  } catch (...) {
    if (last && folder_ != nullptr) {
      std::error_code ignored;
      std::filesystem::remove(folder_->summary(), ignored);
    }
    throw;
  }
  progress_.line(line + "  " + formatDuration(secondsTrained()));
  std::uint64_t stop = !last && stopRequested_() ? 1 : 0;
  ranks_.sum({&stop, 1});
  if (stop != 0) {
    outcome_.end = TrainEnd::Interrupted;
  }
}

// Where samples are held out, the test data is looked at once, at the end.
std::string Trainer::evaluateEpoch(bool last) {
  std::string line;
  const auto evaluateOn = [&](Split split, MetricsKind kind, const char* name) {
    const RunningMean mean = batches_.evaluate(split);
    record(kind, mean, std::nullopt);
    line += fmt::format("  {} loss {:.4f} accuracy {:.2f} %", name, mean.loss(),
                        100.0 * mean.accuracy());
    if (settings_.network.readsWords()) {
      line += fmt::format(" perplexity {:.2f}", std::exp(mean.loss()));
    }
    return mean;
  };
  const bool heldOut = data_.numSamples(Split::Validation) > 0;
  if (heldOut) {
    outcome_.lastValidation = evaluateOn(Split::Validation, MetricsKind::Validation, "validation");
  }
  if ((last || !heldOut) && data_.numSamples(Split::Test) > 0) {
    outcome_.lastTest = evaluateOn(Split::Test, MetricsKind::Test, "test");
    position_.bestTestAccuracy = std::max(position_.bestTestAccuracy, outcome_.lastTest.accuracy());
  }
  return line;
}

void Trainer::record(MetricsKind kind, const RunningMean& mean, std::optional<double> rate) {
  MetricsRecord record{.kind = kind,
                       .update = position_.update,
                       .epoch = position_.epoch + 1,
                       .mean = mean,
                       .learningRate = rate,
                       .seconds = secondsTrained(),
                       .samplesPerSecond = std::nullopt,
                       .reduceShare = std::nullopt,
                       .peakMemoryBytes = peakMemoryBytes()};
  if (kind == MetricsKind::Train) {
    record.samplesPerSecond = static_cast<double>(mean.numSamples) / secondsSinceRecord();
    if (ranks_.size() > 1) {
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
  Snapshot snapshot = position_;
  snapshot.parameters = finiteParameters();
  if (carriesState(settings_, data_) && position_.batchInEpoch > 0) {
    snapshot.sequence = batches_.sequence();
  }
  if (!snapshots_) {
    return;
  }
  snapshot.secondsTrained = secondsTrained();
  snapshot.secondsSinceRecord = secondsSinceRecord();
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

void Trainer::writeSummary() const {
  if (folder_ == nullptr) {
    return;
  }
  const double seconds = secondsTrained();
  const TransferCounts transfers = session_.transfers();
  nlohmann::ordered_json json{{"updates", position_.update},
                              {"epochs", settings_.train.epochs},
                              {"seconds", seconds},
                              {"remoteTransfers", transfers.numTransfers},
                              {"remoteStalls", transfers.numStalls},
                              {"remoteStallSeconds", transfers.stallSeconds},
                              {"secondsPerUpdate", seconds / static_cast<double>(position_.update)},
                              {"ranks", ranks_.size()},
                              {"microBatches", settings_.train.numMicroBatches()},
                              {"reduceSeconds", batches_.reduceSeconds()},
                              {"trainLoss", outcome_.lastEpoch.loss()},
                              {"trainAccuracy", outcome_.lastEpoch.accuracy()},
                              {"testLoss", outcome_.lastTest.loss()},
                              {"testAccuracy", outcome_.lastTest.accuracy()},
                              {"bestTestAccuracy", position_.bestTestAccuracy},
                              {"peakMemoryBytes", peakMemoryBytes()},
                              {"device", session_.deviceName()}};
  if (settings_.network.readsWords()) {
    json["testPerplexity"] = std::exp(outcome_.lastTest.loss());
  }
  if (outcome_.lastValidation.numSamples > 0) {
    json["validationLoss"] = outcome_.lastValidation.loss();
    json["validationAccuracy"] = outcome_.lastValidation.accuracy();
  }
  writeDurably(folder_->summary(), json.dump(2) + "\n");
}

} // namespace spillway
