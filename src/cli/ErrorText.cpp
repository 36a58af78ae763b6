#include "cli/ErrorText.hpp"

#include "network/IoError.hpp"
#include "parallel/EveryRankError.hpp"

#include <iostream>

namespace spillway {

ErrorText errorText(const std::exception& error) {
  if (const auto* known = dynamic_cast<const EveryRankError*>(&error)) {
    return {static_cast<ExitCode>(known->exitCode()), error.what()};
  }
  if (dynamic_cast<const IoError*>(&error) != nullptr) {
    return {ExitCode::InputOutput, error.what()};
  }
  if (dynamic_cast<const UserError*>(&error) != nullptr) {
    return {ExitCode::UserMistake, error.what()};
  }
  return {ExitCode::Failed, std::string("internal error, please report it: ") + error.what()};
}

void printError(const std::string& text) {
  std::cout << std::flush;
  std::cerr << "spillway: " << text << std::endl;
}

} // namespace spillway
