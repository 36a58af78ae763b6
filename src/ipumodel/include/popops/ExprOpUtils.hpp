// Names of the operators of element-wise expressions.
#pragma once

#include <popops/ExprOp.hpp>

#include <iosfwd>

namespace popops {
namespace expr {
namespace ostream_ext {

std::ostream& operator<<(std::ostream& os, const UnaryOpType& t);
std::ostream& operator<<(std::ostream& os, const BinaryOpType& t);
std::ostream& operator<<(std::ostream& os, const TernaryOpType& t);

} // namespace ostream_ext
} // namespace expr
} // namespace popops
