// Mistakes in a configuration, each on a line of its own: place, key, what is legal.
#pragma once

#include "network/UserError.hpp"

#include <string>
#include <vector>

namespace spillway {

// Where a value came from; line 0 is the command line.
struct Origin {
  std::string source; // a file's path, or "--set"
  int line = 0;
  int depth = 0; // of includes; the command line's is -1: it comes last

  bool fromCommandLine() const { return line == 0; }
  std::string text() const {
    return fromCommandLine() ? source : source + ":" + std::to_string(line);
  }
};

class ConfigError : public UserError {
public:
  explicit ConfigError(std::vector<std::string> problems);
  const std::vector<std::string>& problems() const { return problems_; }

private:
  std::vector<std::string> problems_;
};

} // namespace spillway
