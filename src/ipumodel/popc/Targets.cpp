#include "popc/Targets.hpp"

#include <poplar/exceptions.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace ipumodel::popc {
namespace {

std::string_view trimmed(std::string_view text, std::string_view characters) {
  const std::size_t begin = text.find_first_not_of(characters);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(characters) - begin + 1);
}

std::vector<std::string> namesInJson(std::string_view list) {
  const nlohmann::json json = nlohmann::json::parse(list, nullptr, false);
  if (!json.is_array())
    throw poplar::poplar_error("'" + std::string(list) + "' is not a list of targets");
  std::vector<std::string> names;
  for (const nlohmann::json& target : json)
    names.push_back(target.is_object()   ? target.value("arch", target.value("name", ""))
                    : target.is_string() ? target.get<std::string>()
                                         : target.dump());
  return names;
}

std::vector<std::string> namesBetweenCommas(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (const std::string_view name = trimmed(list.substr(0, comma), " \t\n"); !name.empty())
      names.emplace_back(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

// "ipu2:cpp" asks for codelets without assembly, which is what every target has here.
bool isKnown(std::string_view name) {
  if (name.ends_with(":cpp"))
    name.remove_suffix(4);
  return std::find(kTargets.begin(), kTargets.end(), name) != kTargets.end();
}

} // namespace

void checkTargets(std::string_view list) {
  const std::string_view bare = trimmed(list, " \t\n'"); // build scripts quote JSON
  const std::vector<std::string> names =
      bare.starts_with('[') ? namesInJson(bare) : namesBetweenCommas(bare);
  if (names.empty())
    throw poplar::poplar_error("no target in '" + std::string(list) + "'");
  for (const std::string& name : names)
    if (!isKnown(name)) {
      std::string known;
      for (const std::string_view target : kTargets)
        known += ' ' + std::string(target);
      throw poplar::poplar_error("unknown target '" + name + "'; the targets are" + known);
    }
}

} // namespace ipumodel::popc
