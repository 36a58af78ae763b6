#include "cli/CheckFiles.hpp"

#include "cli/Prepare.hpp"
#include "data/BatchBuilder.hpp"
#include "data/BatchFile.hpp"
#include "data/OpenDataSet.hpp"
#include "data/ParameterFile.hpp"
#include "network/IoError.hpp"
#include "network/SettingError.hpp"
#include "network/UserError.hpp"
#include "network/Validate.hpp"
#include "train/MakeBatch.hpp"
#include "train/StartingParameters.hpp"

#include <fmt/format.h>

#include <numeric>

namespace spillway {
namespace {

// What the loss compares at: samples, or their steps.
std::size_t numRows(const EventBatch& batch, const NetworkSpec& network) {
  const bool perStep = network.readout.reduction == ReadoutReduction::PerStep;
  return std::size_t{perStep ? batch.numSteps : 1} * batch.numSamples;
}

// The number of outputs, where the configuration leaves it open: of the weights or the targets that
// are given, else of the data set.
std::uint32_t outputsOf(const Settings& settings, const std::string& weightsFile,
                        const EventBatch& batch) {
  const NetworkSpec& network = settings.network;
  if (network.readout.numOutputs != 0) {
    return network.readout.numOutputs;
  }
  if (network.readout.kind == ReadoutKind::SpikeCount) {
    return network.layers.back().size;
  }
  if (!weightsFile.empty()) {
    const bool words = network.readsWords();
    const auto shape = Hdf5Reader(weightsFile).shape(words ? "embedding/weight" : "readout/weight");
    if (shape.size() == 2) {
      return static_cast<std::uint32_t>(shape[words ? 0 : 1]);
    }
  }
  if (network.loss.kind == LossKind::MeanSquared && !batch.targets.empty()) {
    return static_cast<std::uint32_t>(batch.targets.size() / numRows(batch, network));
  }
  try {
    return openDataSet(settings.data)->info().numOutputs;
  } catch (const IoError& error) {
    throw UserError(std::string("the number of outputs is not known: give --set "
                                "readout.outputs=N or --weights; the data set cannot be asked: ") +
                    error.what());
  }
}

// Throws UserError unless the batch has what the loss compares with, per sample or per step.
void requireAnswers(const EventBatch& batch, const NetworkSpec& network, const std::string& file) {
  const bool squared = network.loss.kind == LossKind::MeanSquared;
  const bool perStep = network.readout.reduction == ReadoutReduction::PerStep;
  const std::size_t needed = numRows(batch, network) * (squared ? network.readout.numOutputs : 1);
  const std::size_t has = squared ? batch.targets.size() : batch.labels.size();
  if (has != needed) {
    throw UserError(fmt::format("{}: {} has {} values; loss.kind and readout.reduction ask for {}, "
                                "those of every {}",
                                file, squared ? "batch/targets" : "batch/labels", has, needed,
                                perStep ? "step and sample" : "sample"));
  }
  for (const std::int32_t label : batch.labels) {
    if (label >= static_cast<std::int64_t>(network.readout.numOutputs)) {
      throw UserError(fmt::format("{}: batch/labels has {}; the network's {} outputs are labelled "
                                  "0 to {}",
                                  file, label, network.readout.numOutputs,
                                  network.readout.numOutputs - 1));
    }
  }
}

// Throws UserError unless the states a batch brings are those of the network's layers and readout.
void requireCarried(const EventBatch& batch, const NetworkSpec& network, const std::string& file) {
  const CarriedStates& carried = batch.carried;
  if (carried.empty()) {
    return;
  }
  if (!network.isGated()) {
    throw UserError(file + ": batch/carried: spiking layers begin at 0; gated layers alone go on");
  }
  if (carried.layers.size() != network.layers.size()) {
    throw UserError(fmt::format("{}: batch/carried has {} layers; the network has {}", file,
                                carried.layers.size(), network.layers.size()));
  }
  const auto require = [&](const std::string& name, std::size_t size, std::size_t units) {
    if (size != units * batch.numSamples) {
      throw UserError(fmt::format("{}: batch/carried/{} has {} columns; it must have {}", file,
                                  name, size / batch.numSamples, units));
    }
  };
  for (std::size_t l = 0; l < carried.layers.size(); ++l) {
    require(fmt::format("layer{}", l), carried.layers[l].size(), network.layers[l].size);
  }
  if (!carried.readout.empty() || !network.readsWords()) {
    require("readout", carried.readout.size(),
            network.readsWords() ? 0 : network.readout.numOutputs);
  }
}

EventBatch batchFromFile(Settings& settings, const std::string& weightsFile,
                         const std::string& batchFile) {
  NetworkSpec& network = settings.network;
  const bool words = network.readsWords();
  EventBatch batch = readBatch(Hdf5Reader(batchFile), words ? 1 : network.maxInputEvents,
                               network.isGated() && !words ? Values::Keep : Values::Drop);
  network.readout.numOutputs = outputsOf(settings, weightsFile, batch);
  const std::uint32_t ids = words ? network.readout.numOutputs : network.numInputs;
  if (ids != 0 && ids != batch.numInputs) {
    const char* key = words ? "readout.outputs" : "network.inputs";
    throw SettingError(key,
                       fmt::format("{} = {}, but {} has {}", key, ids, batchFile, batch.numInputs));
  }
  network.numInputs = words ? network.layers.back().size : batch.numInputs;
  validate(network);
  settings.data.numSteps = batch.numSteps;
  settings.train.batchSize = batch.numSamples;
  if (network.loss.kind != LossKind::MeanSquared) {
    batch.targets.clear(); // a file may hold both
  } else if (batch.targets.empty()) {
    labelsToTargets(batch, network.readout.numOutputs);
  } else {
    batch.labels.clear();
  }
  requireAnswers(batch, network, batchFile);
  requireCarried(batch, network, batchFile);
  return batch;
}

EventBatch batchFromData(Config& config) {
  const std::unique_ptr<DataSet> data = openData(config);
  Settings& settings = config.settings;
  const std::uint32_t count = settings.train.batchSize;
  if (count > data->numSamples(Split::Train)) {
    throw SettingError("train.batchSize",
                       fmt::format("train.batchSize = {} is more than the {} training samples",
                                   count, data->numSamples(Split::Train)));
  }
  std::vector<std::uint32_t> samples(count);
  std::iota(samples.begin(), samples.end(), 0u);
  settings.data.numSteps = data->info().numSteps;
  return makeBatch(settings, *data, Split::Train, samples, 0);
}

} // namespace

CheckCase makeCheckCase(Config config, const std::string& weightsFile,
                        const std::string& batchFile) {
  CheckCase task;
  TrainSettings& train = config.settings.train;
  train.batchSize = train.numAtOnce(); // one micro-batch stands for all
  train.microBatch = 0;
  task.batch = withPlaces(config.origins, [&] {
    return batchFile.empty() ? batchFromData(config)
                             : batchFromFile(config.settings, weightsFile, batchFile);
  });
  task.settings = std::move(config.settings);
  task.origins = std::move(config.origins);
  if (!weightsFile.empty()) {
    task.settings.train.weights = weightsFile;
  }
  task.parameters = startingParameters(task.settings);
  return task;
}

} // namespace spillway
