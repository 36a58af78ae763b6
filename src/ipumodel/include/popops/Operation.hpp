// The operations of reductions, with names.
#pragma once

#include <popops/OperationDef.hpp>

#include <iosfwd>

namespace popops {

std::istream& operator>>(std::istream& is, Operation& op);
std::ostream& operator<<(std::ostream& os, const Operation& op);

} // namespace popops
