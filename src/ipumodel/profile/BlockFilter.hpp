// Which executions an engine shows one by one as blocks (lightweight profiling).
#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>

namespace ipumodel {

struct BlockFilter {
  std::optional<std::regex> blocks;   // Block programs whose whole name matches; none: no block
  std::optional<std::regex> programs; // the same for steps that are in no Block of their own
  bool transfers = false;             // stream and remote copies, on the tiles that take part
  std::uint32_t tile = 0;             // of each IPU, on which all but transfers are watched

  bool watchesBlock(const std::string& name) const {
    return blocks && std::regex_match(name, *blocks);
  }
  bool watchesProgram(const std::string& name) const {
    return programs && std::regex_match(name, *programs);
  }
};

} // namespace ipumodel
