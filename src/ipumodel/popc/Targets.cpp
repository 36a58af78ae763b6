#include "popc/Targets.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <string>

namespace ipumodel::popc {

void checkTargets(std::string_view list) {
  std::string name;
  bool any = false;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c != ',') {
      if (std::string_view("[]\" '\t\n").find(c) == std::string_view::npos)
        name += c;
      continue;
    }
    if (name.empty())
      continue;
    if (std::find(kTargets.begin(), kTargets.end(), name) == kTargets.end()) {
      std::string known;
      for (const std::string_view target : kTargets)
        known += ' ' + std::string(target);
      throw poplar::poplar_error("unknown target '" + name + "'; the targets are" + known);
    }
    any = true;
    name.clear();
  }
  if (!any)
    throw poplar::poplar_error("no target in '" + std::string(list) + "'");
}

} // namespace ipumodel::popc
