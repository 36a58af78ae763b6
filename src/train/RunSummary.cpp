#include "train/RunSummary.hpp"

#include "train/DurableFile.hpp"
#include "train/IoError.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace spillway {

void writeSummary(const RunFolder& folder, const Settings& settings, const Snapshot& end,
                  unsigned numRanks, const std::string& deviceName) {
  const RunningMean test = end.test.value_or(RunningMean{});
  const auto accuracyOf = [](const RunningMean& mean) {
    return mean.hasClasses() ? nlohmann::ordered_json(mean.accuracy()) : nullptr;
  };
  nlohmann::ordered_json json{
      {"updates", end.update},
      {"epochs", settings.train.epochs},
      {"seconds", end.secondsTrained},
      {"remoteTransfers", end.transfers.numTransfers},
      {"remoteStalls", end.transfers.numStalls},
      {"remoteStallSeconds", end.transfers.stallSeconds},
      {"secondsPerUpdate", end.secondsTrained / static_cast<double>(end.update)},
      {"ranks", numRanks},
      {"microBatches", settings.train.numMicroBatches()},
      {"reduceSeconds", end.reduceSeconds},
      {"trainLoss", end.endedEpoch.loss()},
      {"trainAccuracy", accuracyOf(end.endedEpoch)},
      {"testLoss", end.test ? nlohmann::ordered_json(test.loss()) : nullptr},
      {"testAccuracy", accuracyOf(test)},
      {"bestTestAccuracy",
       test.hasClasses() ? nlohmann::ordered_json(end.bestTestAccuracy) : nullptr},
      {"peakMemoryBytes", end.peakMemoryBytes},
      {"device", deviceName}};
  if (settings.network.readsWords() && end.test) {
    json["testPerplexity"] = std::exp(test.loss());
  }
  if (end.validation) {
    json["validationLoss"] = end.validation->loss();
    json["validationAccuracy"] = accuracyOf(*end.validation);
  }
  writeDurably(folder.summary(), json.dump(2) + "\n");
}

std::optional<std::uint64_t> summarisedUpdates(const RunFolder& folder) {
  if (!isThere(folder.summary())) {
    return std::nullopt;
  }
  const auto json = nlohmann::json::parse(readWhole(folder.summary()), nullptr, false);
  if (!json.is_object() || !json.contains("updates") || !json["updates"].is_number_unsigned()) {
    return std::nullopt;
  }
  return json["updates"].get<std::uint64_t>();
}

void removeSummary(const RunFolder& folder) {
  std::error_code error;
  std::filesystem::remove(folder.summary(), error);
  if (error) {
    throw IoError("cannot remove " + folder.summary().string() + ": " + error.message());
  }
}

} // namespace spillway
