#include "cli/SameRun.hpp"

#include "cli/OnRanks.hpp"
#include "config/Keys.hpp"
#include "network/SettingError.hpp"
#include "network/UserError.hpp"
#include "train/RunFolder.hpp"
#include "train/Snapshot.hpp"
#include "train/Trainer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace spillway {
namespace {

namespace fs = std::filesystem;

// Whether a key may change between two sittings of a run: it alters no update already made.
bool mayChange(const std::string& key) {
  return key == "train.epochs" || changesNoResult(key);
}

// Throws SettingError when the run has gone further than it would now end.
void requireNotPast(const fs::path& folder, const Settings& now, const DataSet& data) {
  const std::uint64_t done = SnapshotStore(folder / "snapshots", 1).newestUpdate();
  const std::uint64_t perEpoch = updatesPerEpoch(now.train, data);
  if (done > perEpoch * now.train.epochs) {
    throw SettingError(
        "train.epochs",
        fmt::format("train.epochs = {}, {} updates, but {} has already done {}; it must be at "
                    "least {} to go on, or --folder begins another run",
                    now.train.epochs, perEpoch * now.train.epochs, folder.string(), done,
                    (done + perEpoch - 1) / perEpoch));
  }
}

// Throws UserError, which names every key that differs.
void requireSameSettings(const Settings& before, const Settings& now, const fs::path& folder) {
  std::string changed;
  for (const auto& key : settingsKeys()) {
    if (key.get(before) != key.get(now) && !mayChange(key.name)) {
      changed +=
          fmt::format("\n  {}: {} in the run, {} now", key.name, key.get(before), key.get(now));
    }
  }
  for (std::size_t l = 0; l < std::min(before.network.layers.size(), now.network.layers.size());
       ++l) {
    for (const auto& key : layerKeys()) {
      const std::string old = key.get(before.network.layers[l]);
      const std::string fresh = key.get(now.network.layers[l]);
      if (old != fresh) {
        changed += fmt::format("\n  layer{}.{}: {} in the run, {} now", l, key.name, old, fresh);
      }
    }
  }
  if (!changed.empty()) {
    throw UserError(
        fmt::format("{} cannot be resumed with other settings:{}", folder.string(), changed));
  }
}

} // namespace

void requireSameData(const std::string& now, const fs::path& run) {
  const std::string before = RunFolder::recordedData(run);
  if (!before.empty() && before != now) {
    throw UserError(fmt::format("{} was trained on other data:\n  in the run {}\n  now {}\n"
                                "give it its data back; train --resume --other-data goes on with "
                                "what is there now",
                                run.string(), before, now));
  }
}

void requireContinues(const Config& config, const DataSet& data, const fs::path& run) {
  requireSameSettings(loadConfig(run / "config.cfg", {}).settings, config.settings, run);
  withPlaces(config.origins, [&] { requireNotPast(run, config.settings, data); });
}

} // namespace spillway
