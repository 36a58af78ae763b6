#include "cli/ErrorText.hpp"

#include "network/IoError.hpp"
#include "parallel/EveryRankError.hpp"

#include <poplar/exceptions.hpp>

#include <filesystem>
#include <iostream>
#include <new>

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
  // Remote memory in a file, or a device that does not answer.
  if (dynamic_cast<const poplar::system_runtime_error*>(&error) != nullptr ||
      dynamic_cast<const std::filesystem::filesystem_error*>(&error) != nullptr) {
    return {ExitCode::InputOutput, error.what()};
  }
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return {ExitCode::Failed, "the system has no more memory to give"};
  }
  return {ExitCode::Failed, std::string("internal error, please report it: ") + error.what()};
}

void printError(const std::string& text) {
  std::cout << std::flush;
  // In one piece: where ranks share an output, a launcher puts what others say between pieces.
  std::cerr << "spillway: " + text + "\n" << std::flush;
}

} // namespace spillway
