#include "cli/ShellWord.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace spillway {

std::string shellWord(const std::string& text) {
  constexpr std::string_view kSafe = "/._-+=:,@%";
  const auto isSafe = [&](unsigned char c) {
    return std::isalnum(c) != 0 || kSafe.find(static_cast<char>(c)) != kSafe.npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), isSafe)) {
    return text;
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted + "'";
}

} // namespace spillway
