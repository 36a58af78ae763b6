#include "config/Values.hpp"

#include "config/Nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace spillway {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};

constexpr std::array<Unit, 9> kUnits{{{"B", 1.0},
                                      {"kB", 1e3},
                                      {"MB", 1e6},
                                      {"GB", 1e9},
                                      {"TB", 1e12},
                                      {"KiB", 1024.0},
                                      {"MiB", 1048576.0},
                                      {"GiB", 1073741824.0},
                                      {"TiB", 1099511627776.0}}};

} // namespace

bool parseFlag(std::string_view text) {
  for (std::string_view yes : {"true", "yes", "on", "1"}) {
    if (text == yes) {
      return true;
    }
  }
  for (std::string_view no : {"false", "no", "off", "0"}) {
    if (text == no) {
      return false;
    }
  }
  throw std::invalid_argument(mustBeOneOf(text, {"true", "false"}));
}

std::uint64_t parseWhole(std::string_view text, std::uint64_t lowest, std::uint64_t highest) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isNumber = error == std::errc() && end == text.data() + text.size();
  if (!isNumber || value < lowest || value > highest) {
    throw std::invalid_argument(
        fmt::format("must be a whole number from {} to {}", lowest, highest));
  }
  return value;
}

double parseReal(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || std::isnan(value)) {
    throw std::invalid_argument("must be a number");
  }
  return value;
}

std::uint64_t parseBytes(std::string_view text) {
  const std::string expected = "must be a number of bytes, such as 638976, 624KiB or 1.5GB";
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value >= 0.0)) {
    throw std::invalid_argument(expected);
  }
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) {
    unit.remove_prefix(1);
  }
  for (const Unit& known : kUnits) {
    if (unit == known.name || (unit.empty() && known.name == "B")) {
      const double bytes = value * known.bytes;
      if (bytes > 9e18) {
        break;
      }
      return static_cast<std::uint64_t>(std::llround(bytes));
    }
  }
  throw std::invalid_argument(expected);
}

std::string mustBeOneOf(std::string_view word, const std::vector<std::string>& legal) {
  std::string message = fmt::format("must be one of {}", fmt::join(legal, " | "));
  if (const auto guess = nearest(std::string(word), legal)) {
    message += "; did you mean " + *guess + "?";
  }
  return message;
}

std::string formatReal(double value) {
  return fmt::format("{}", value);
}

std::string formatBytes(std::uint64_t bytes) {
  for (std::string_view name : {"GiB", "MiB", "KiB"}) {
    for (const Unit& unit : kUnits) {
      const auto size = static_cast<std::uint64_t>(unit.bytes);
      if (unit.name == name && bytes >= size && bytes % size == 0) {
        return fmt::format("{}{}", bytes / size, name);
      }
    }
  }
  return fmt::format("{}", bytes);
}

} // namespace spillway
