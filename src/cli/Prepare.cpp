#include "cli/Prepare.hpp"

#include "cli/OpenSession.hpp"
#include "data/OpenDataSet.hpp"
#include "network/IoError.hpp"
#include "network/Validate.hpp"
#include "train/HostMemory.hpp"
#include "train/ScheduleFor.hpp"
#include "train/StartingParameters.hpp"
#include "train/Trainer.hpp"

#include <fmt/format.h>

namespace spillway {
namespace fs = std::filesystem;

Config loadTarget(const fs::path& path, const std::vector<std::string>& overrides,
                  std::ostream& out) {
  std::error_code error;
  const bool isRun = fs::is_directory(path, error);
  if (isRun && !fs::exists(path / "config.cfg", error) && !error) {
    throw IoError(path.string() + " is not a run folder: it has no config.cfg");
  }
  Config config = loadConfig(isRun ? path / "config.cfg" : path, overrides);
  for (const std::string& note : config.notes) {
    out << "note: " << note << "\n";
  }
  return config;
}

namespace {

void fit(std::uint32_t& size, std::uint32_t data, const char* key, const DataSetInfo& info) {
  if (size == 0) {
    size = data;
  } else if (size != data) {
    throw SettingError(
        key, fmt::format("{} = {} does not fit the data set {}, which has {}; leave it at 0", key,
                         size, info.name, data));
  }
}

std::unique_ptr<DataSet> openFitting(Settings& settings) {
  DataSettings dataSettings = settings.data;
  dataSettings.batchMemoryBytes = batchMemoryOf(settings);
  std::unique_ptr<DataSet> data = openDataSet(dataSettings);
  const DataSetInfo info = data->info();
  NetworkSpec& network = settings.network;
  if (network.readsWords()) {
    if (info.numInputs != info.numOutputs || !info.sequential) {
      throw SettingError("readout.kind",
                         fmt::format("readout.kind = tied needs a text; {} is none", info.name));
    }
    fit(network.numInputs, network.layers.back().size, "network.inputs", info);
  } else {
    fit(network.numInputs, info.numInputs, "network.inputs", info);
  }
  fit(network.readout.numOutputs, info.numOutputs, "readout.outputs", info);
  settings.data.numSteps = info.numSteps;
  const bool perStep = network.readout.reduction == ReadoutReduction::PerStep;
  if (info.labelPerStep != perStep) {
    throw SettingError(
        "readout.reduction",
        fmt::format("the data set {} has a label per {}: readout.reduction must {}be step",
                    info.name, info.labelPerStep ? "step" : "sample",
                    info.labelPerStep ? "" : "not "));
  }
  if (info.targets && network.loss.kind != LossKind::MeanSquared) {
    throw SettingError(
        "loss.kind",
        fmt::format("the samples of {} have targets: loss.kind must be meanSquared", info.name));
  }
  if (info.valued && !network.isGated()) {
    throw SettingError(
        "data.encoding",
        fmt::format("the events of {} carry values, which only layers of the kinds egru "
                    "and gru take",
                    info.name));
  }
  validate(network);
  return data;
}

} // namespace

std::unique_ptr<DataSet> openData(Config& config) {
  return withPlaces(config.origins, [&] { return openFitting(config.settings); });
}

std::unique_ptr<DataSet> openTrainingData(Config& config) {
  std::unique_ptr<DataSet> data = openData(config);
  withPlaces(config.origins, [&] { return updatesPerEpoch(config.settings.train, *data); });
  return data;
}

std::vector<std::string> checkTrainable(Config config) {
  std::vector<std::string> notes;
  const Settings& settings = config.settings;
  try {
    openTrainingData(config);
  } catch (const IoError& error) {
    return {std::string("not checked against the data: ") + error.what()};
  }
  if (!settings.train.weights.empty()) {
    try {
      startingParameters(settings);
    } catch (const IoError& error) {
      notes.push_back(std::string("train.weights not checked: ") + error.what());
    }
  }
  withPlaces(config.origins,
             [&] { requireRunnable(sessionRequest(settings, scheduleFor(settings).schedule)); });
  return notes;
}

} // namespace spillway
