#include "nir/NodeValues.hpp"

#include "network/UserError.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace spillway::nir {

void refuse(const std::string& name, const Node& node, const std::string& why) {
  throw UserError(fmt::format("node {} ({}): {}", name, node.type, why));
}

const NumberArray& numbers(const std::string& name, const Node& node, const std::string& field) {
  const auto found = node.numbers.find(field);
  if (found == node.numbers.end() || found->second.values.empty()) {
    refuse(name, node, field + " is missing");
  }
  return found->second;
}

double shared(const std::string& name, const Node& node, const std::string& field) {
  const std::vector<double>& values = numbers(name, node, field).values;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      refuse(name, node, fmt::format("{} holds {}", field, value));
    }
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*low != *high) {
    refuse(name, node,
           fmt::format("{} differs between its neurons ({:g} to {:g}); here all neurons of a layer "
                       "share one",
                       field, *low, *high));
  }
  return *low;
}

bool same(double a, double b) {
  return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
}

} // namespace spillway::nir
