// Settings from a file and the command line, checked.
#pragma once

#include "config/ConfigFile.hpp"
#include "config/Settings.hpp"
#include "network/SettingError.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spillway {

using Origins = std::map<std::string, Origin>; // of the keys that were given

struct Config {
  Settings settings;
  Origins origins;
  std::vector<std::string> notes; // what is legal but likely not meant
};

// Defaults, then the file (unless empty), then each `section.key=value` of `overrides`; an override
// with an empty value takes the key back to its default. Throws ConfigError with every problem
// found: unknown keys with the nearest known one, values of the wrong type or out of range, keys
// that contradict each other.
Config loadConfig(const std::filesystem::path& file, const std::vector<std::string>& overrides);

// The same for assignments already read; later ones override earlier ones. `file` is named where
// something is missing.
Config resolve(const std::vector<Assignment>& assignments, const std::string& file = "");

// What one key alone cannot show: contradictions, each with its place.
// An unused key is a contradiction, but only a note where what does not use it was chosen later: by
// a file that includes the key's, or on the command line.
struct Findings {
  std::vector<std::string> problems;
  std::vector<std::string> unused, notes; // keys, and what to say of each
};
Findings crossCheck(const Settings& settings, const Origins& origins, const std::string& file);

// Whether a layer of this kind has a use for that key of [layer].
bool layerUses(const LayerSpec& layer, std::string_view key);

// The place where `key` was given ("a.cfg:12", "--set ..."), empty where it was not. A layer's key
// may stand in [layer], a layer's size in network.layers.
std::string placeOf(const std::string& key, const Origins& origins);

// What `work` returns; a SettingError on the way is thrown as a ConfigError that says where the key
// was given.
template <class Work>
decltype(auto) withPlaces(const Origins& origins, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const SettingError& error) {
    const std::string place = placeOf(error.key(), origins);
    throw ConfigError({place.empty() ? error.what() : place + ": " + error.what()});
  }
}

// Every key with its value, as a .cfg file that loads to the same settings.
std::string formatConfig(const Settings& settings);

} // namespace spillway
