// What a collective does with the data of the replicas.
#pragma once

#include <iosfwd>

namespace gcl {

/// LOCAL keeps the replica's own data.
enum class CollectiveOperator {
  ADD,
  MEAN,
  MUL,
  MIN,
  MAX,
  LOGICAL_AND,
  LOGICAL_OR,
  SQUARE_ADD,
  LOCAL
};

std::ostream& operator<<(std::ostream& os, const CollectiveOperator& op);
std::istream& operator>>(std::istream& is, CollectiveOperator& op);

} // namespace gcl
