#include "train/Trainer.hpp"

#include "data/Shuffle.hpp"
#include "data/Streams.hpp"
#include "network/IoError.hpp"
#include "network/SettingError.hpp"
#include "train/Evaluate.hpp"
#include "train/LearningRate.hpp"
#include "train/ProcessMemory.hpp"
#include "train/StartingParameters.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
                 RunFolder& folder, Progress& progress, std::function<bool()> stopRequested)
    : settings_(settings),
      session_(session),
      data_(data),
      folder_(folder),
      progress_(progress),
      stopRequested_(std::move(stopRequested)),
      snapshots_(folder.snapshots(), settings.train.keepSnapshots),
      updatesPerEpoch_(updatesPerEpoch(settings.train, data)) {
  totalUpdates_ = std::uint64_t{updatesPerEpoch_} * settings.train.epochs;
}

std::optional<Snapshot> Trainer::restore() {
  std::vector<std::string> damaged;
  std::optional<Snapshot> newest = snapshots_.loadNewest(settings_.network, damaged);
  for (const std::string& line : damaged) {
    progress_.line(line + "; using the one before");
    folder_.log(line);
  }
  if (!newest && !damaged.empty()) {
    throw IoError(
        fmt::format("{}: none of its {} snapshots is intact, so the run cannot be resumed; "
                    "it is left as it is",
                    folder_.path().string(), damaged.size()));
  }
  return newest;
}

TrainOutcome Trainer::run() {
  started_ = recorded_ = Clock::now();
  if (std::optional<Snapshot> newest = restore()) {
    position_ = std::move(*newest);
    session_.setParameters(position_.parameters);
    session_.setOptimiserState(position_.optimiser);
    session_.setSequenceState(position_.sequence);
    folder_.log(fmt::format("resumed after update {}", position_.update));
    progress_.line(
        position_.update < totalUpdates_
            ? fmt::format("resuming after update {} of {}", position_.update, totalUpdates_)
            : fmt::format("already finished: all {} updates are done; a higher "
                          "train.epochs would go on",
                          totalUpdates_));
  } else {
    session_.setParameters(startingParameters(settings_));
    folder_.log("started");
  }
  metrics_.emplace(folder_, settings_.network, data_.info().numSteps, position_.update);
  if (settings_.train.tensorboard) {
    tensorboard_.emplace(folder_.path() / "tensorboard");
  }
  outcome_.end = TrainEnd::Finished;
  while (position_.epoch < settings_.train.epochs && outcome_.end == TrainEnd::Finished) {
    trainEpoch();
  }
  outcome_.update = position_.update;
  outcome_.seconds = secondsTrained();
  outcome_.bestTestAccuracy = position_.bestTestAccuracy;
  folder_.log(fmt::format("{} after update {}",
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
    trainBatch(std::span(order).subspan(position_.batchInEpoch * batchSize, batchSize));
    ++position_.batchInEpoch;
    ++position_.update;
    const std::uint64_t update = position_.update;
    if (update % settings_.train.logEvery == 0) {
      record(MetricsKind::Train, position_.sinceRecord,
             learningRate(settings_.learningRate, update - 1, updatesPerEpoch_, totalUpdates_));
    }
    const bool epochDone = position_.batchInEpoch == updatesPerEpoch_;
    if (!epochDone && stopRequested_()) {
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

void Trainer::trainBatch(std::span<const std::uint32_t> samples) {
  EventBatch batch = makeBatch(settings_, data_, Split::Train, samples, position_.epoch);
  batch.continues = carriesState(settings_, data_) && position_.batchInEpoch > 0;
  const double rate =
      learningRate(settings_.learningRate, position_.update, updatesPerEpoch_, totalUpdates_);
  const BatchResult result = session_.train(batch, rate);
  if (!std::isfinite(result.loss)) {
    throw UserError(fmt::format("the loss is {} at update {}: lower learningRate.peak (now {}) or "
                                "set optimiser.clipNorm; the snapshots before it are intact",
                                result.loss, position_.update + 1, settings_.learningRate.peak));
  }
  position_.epochSoFar.add(result, samples.size(), batch.numDroppedEvents);
  position_.sinceRecord.add(result, samples.size(), batch.numDroppedEvents);
  progress_.update({.epoch = position_.epoch + 1,
                    .numEpochs = settings_.train.epochs,
                    .update = position_.update + 1,
                    .numUpdates = totalUpdates_,
                    .loss = position_.epochSoFar.loss(),
                    .accuracy = position_.epochSoFar.accuracy(),
                    .samplesPerSecond = static_cast<double>(position_.sinceRecord.numSamples) /
                                        secondsSinceRecord()});
}

// Evaluation and summary come before the snapshot, so that a run killed in between does them again.
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
  save();
  progress_.line(line + "  " + formatDuration(secondsTrained()));
  if (!last && stopRequested_()) {
    outcome_.end = TrainEnd::Interrupted;
  }
}

// Where samples are held out, the test data is looked at once, at the end.
std::string Trainer::evaluateEpoch(bool last) {
  std::string line;
  const auto evaluateOn = [&](Split split, MetricsKind kind, const char* name) {
    const RunningMean mean = evaluate(settings_, session_, data_, split);
    record(kind, mean, std::nullopt);
    line += fmt::format("  {} loss {:.4f} accuracy {:.2f} %", name, mean.loss(),
                        100.0 * mean.accuracy());
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
                       .peakMemoryBytes = peakMemoryBytes()};
  if (kind == MetricsKind::Train) {
    record.samplesPerSecond = static_cast<double>(mean.numSamples) / secondsSinceRecord();
  }
  metrics_->write(record);
  if (tensorboard_) {
    tensorboard_->write(record);
  }
  if (kind == MetricsKind::Train) {
    position_.sinceRecord = {};
    position_.secondsSinceRecord = 0.0;
    recorded_ = Clock::now();
  }
}

void Trainer::save() {
  Snapshot snapshot = position_;
  snapshot.secondsTrained = secondsTrained();
  snapshot.secondsSinceRecord = secondsSinceRecord();
  snapshot.parameters = finiteParameters();
  snapshot.optimiser = session_.optimiserState();
  snapshot.sequence = {};
  if (carriesState(settings_, data_) && position_.batchInEpoch > 0) {
    snapshot.sequence = session_.sequenceState();
  }
  outcome_.snapshot = snapshots_.save(snapshot);
}

ParameterSet Trainer::finiteParameters() const {
  ParameterSet parameters = session_.parameters();
  for (const ParameterTensor& tensor : parameters) {
    if (const std::string found = firstNotFinite(tensor); !found.empty()) {
      throw UserError(fmt::format("after update {} {} {}: lower learningRate.peak (now {}) or set "
                                  "optimiser.clipNorm; the snapshots before it are intact",
                                  position_.update, tensor.name, found,
                                  settings_.learningRate.peak));
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
  const double seconds = secondsTrained();
  const TransferCounts transfers = session_.transfers();
  nlohmann::ordered_json json{{"updates", position_.update},
                              {"epochs", settings_.train.epochs},
                              {"seconds", seconds},
                              {"remoteTransfers", transfers.numTransfers},
                              {"remoteStalls", transfers.numStalls},
                              {"remoteStallSeconds", transfers.stallSeconds},
                              {"secondsPerUpdate", seconds / static_cast<double>(position_.update)},
                              {"trainLoss", outcome_.lastEpoch.loss()},
                              {"trainAccuracy", outcome_.lastEpoch.accuracy()},
                              {"testLoss", outcome_.lastTest.loss()},
                              {"testAccuracy", outcome_.lastTest.accuracy()},
                              {"bestTestAccuracy", position_.bestTestAccuracy},
                              {"peakMemoryBytes", peakMemoryBytes()},
                              {"device", session_.deviceName()}};
  if (outcome_.lastValidation.numSamples > 0) {
    json["validationLoss"] = outcome_.lastValidation.loss();
    json["validationAccuracy"] = outcome_.lastValidation.accuracy();
  }
  writeDurably(folder_.summary(), json.dump(2) + "\n");
}

} // namespace spillway
