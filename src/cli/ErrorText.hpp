// What an error is to the user.
#pragma once

#include "cli/ExitCode.hpp"

#include <exception>
#include <string>

namespace spillway {

struct ErrorText {
  ExitCode code = ExitCode::Failed;
  std::string text;
};

ErrorText errorText(const std::exception& error);

// On standard error, after what was printed before.
void printError(const std::string& text);

} // namespace spillway
