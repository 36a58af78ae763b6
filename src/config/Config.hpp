// Settings from a file and the command line, checked.
#pragma once

#include "config/ConfigFile.hpp"
#include "config/Settings.hpp"

#include <filesystem>
#include <map>
#include <string>
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

// The same for assignments already read; later ones override earlier ones.
Config resolve(const std::vector<Assignment>& assignments);

// What one key alone cannot show: contradictions, each with its place.
// An unused key is a contradiction where both keys stand in files, and a note where the command
// line chose the variant that does not use it.
struct Findings {
  std::vector<std::string> problems, notes;
};
Findings crossCheck(const Settings& settings, const Origins& origins);

// Every key with its value, as a .cfg file that loads to the same settings.
std::string formatConfig(const Settings& settings);

} // namespace spillway
