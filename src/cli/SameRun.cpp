#include "cli/SameRun.hpp"

#include "cli/OnRanks.hpp"
#include "config/Keys.hpp"
#include "network/UserError.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace spillway {
namespace {

// Whether a key may change between two sittings of a run: it alters no update already made.
bool mayChange(const std::string& key) {
  return key == "train.epochs" || changesNoResult(key);
}

} // namespace

void requireSameRun(const Settings& before, const Settings& now,
                    const std::filesystem::path& folder) {
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

} // namespace spillway
