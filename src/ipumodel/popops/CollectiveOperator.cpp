#include <gcl/CollectiveOperator.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>

namespace gcl {
namespace {

constexpr const char* kNames[] = {"ADD",         "MEAN",       "MUL",        "MIN",  "MAX",
                                  "LOGICAL_AND", "LOGICAL_OR", "SQUARE_ADD", "LOCAL"};

} // namespace

std::ostream& operator<<(std::ostream& os, const CollectiveOperator& op) {
  return os << kNames[static_cast<std::size_t>(op)];
}

std::istream& operator>>(std::istream& is, CollectiveOperator& op) {
  std::string token;
  is >> token;
  const auto* name = std::find(std::begin(kNames), std::end(kNames), token);
  if (name == std::end(kNames))
    throw poputil::poplibs_error("Unknown collective operator '" + token + "'");
  op = static_cast<CollectiveOperator>(name - std::begin(kNames));
  return is;
}

} // namespace gcl
