#include "config/ConfigError.hpp"

namespace spillway {
namespace {

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

} // namespace

ConfigError::ConfigError(std::vector<std::string> problems)
    : UserError(join(problems)), problems_(std::move(problems)) {}

} // namespace spillway
