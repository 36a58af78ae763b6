// Reads .cfg files: Boost.ProgramOptions' INI form with sections and # comments, plus
// `include = other.cfg` before the first section (relative to the including file, repeatable).
#pragma once

#include "config/ConfigError.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace spillway {

struct Assignment {
  std::string key; // "section.name"
  std::string value;
  Origin origin;
};

// All assignments, those of an included file before the including one's, so that a later one
// overrides. Throws ConfigError for a file that cannot be read, lines that are none, duplicate keys
// within one file, and files that include one another.
std::vector<Assignment> readConfigFile(const std::filesystem::path& file);

// `a.b=v` from the command line.
Assignment parseOverride(const std::string& text);

} // namespace spillway
