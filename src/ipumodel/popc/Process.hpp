// Runs another program and collects what it printed.
#pragma once

#include <string>
#include <vector>

namespace ipumodel::popc {

struct ProcessResult {
  int exitCode = 0;   // 128 + signal when it was killed
  std::string output; // standard output and standard error, as they came
};

// Throws poplar::poplar_error when the program cannot be started.
ProcessResult runProcess(const std::vector<std::string>& command);

} // namespace ipumodel::popc
