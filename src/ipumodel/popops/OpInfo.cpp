#include "popops/OpInfo.hpp"

#include <popops/ElementWise.hpp>
#include <popops/ExprOpUtils.hpp>
#include <poputil/exceptions.hpp>

#include <ostream>
#include <string>

namespace popops {
namespace {

using B = expr::BinaryOpType;
using U = expr::UnaryOpType;

// In the order of the enumerations.
constexpr const char* kUnaryNames[] = {"ABSOLUTE",
                                       "ASIN",
                                       "BITWISE_NOT",
                                       "CBRT",
                                       "CEIL",
                                       "COS",
                                       "COUNT_LEADING_ZEROS",
                                       "ERF",
                                       "EXPONENT",
                                       "EXPONENT_MINUS_ONE",
                                       "EXPONENT2",
                                       "FLOOR",
                                       "GELU_ERF",
                                       "INVERSE",
                                       "IS_FINITE",
                                       "IS_INF",
                                       "IS_NAN",
                                       "LOGARITHM",
                                       "LOGARITHM_ONE_PLUS",
                                       "LOGICAL_NOT",
                                       "NEARBY_INT",
                                       "NEGATE",
                                       "POPCOUNT",
                                       "RELU",
                                       "ROUND",
                                       "RSQRT",
                                       "SIGMOID",
                                       "SIGNUM",
                                       "SIN",
                                       "SQRT",
                                       "SQUARE",
                                       "TAN",
                                       "TANH",
                                       "TRUNC"};
constexpr const char* kBinaryNames[] = {"ADD",
                                        "ATAN2",
                                        "BITWISE_AND",
                                        "BITWISE_OR",
                                        "BITWISE_XOR",
                                        "BITWISE_XNOR",
                                        "DIVIDE",
                                        "EQUAL",
                                        "GREATER_THAN_EQUAL",
                                        "GREATER_THAN",
                                        "INV_STD_DEV_TO_VARIANCE",
                                        "LESS_THAN_EQUAL",
                                        "LOGICAL_AND",
                                        "LOGICAL_OR",
                                        "LESS_THAN",
                                        "MAXIMUM",
                                        "MINIMUM",
                                        "MULTIPLY",
                                        "NOT_EQUAL",
                                        "POWER",
                                        "REMAINDER",
                                        "SHIFT_LEFT",
                                        "SHIFT_RIGHT",
                                        "SHIFT_RIGHT_SIGN_EXTEND",
                                        "SUBTRACT",
                                        "VARIANCE_TO_INV_STD_DEV"};
constexpr const char* kTernaryNames[] = {"CLAMP", "SELECT"};

static_assert(std::size(kUnaryNames) == static_cast<std::size_t>(U::TRUNC) + 1);
static_assert(std::size(kBinaryNames) == static_cast<std::size_t>(B::VARIANCE_TO_INV_STD_DEV) + 1);

enum class Operands { Real, Integer, Number, Bool, Any };

Operands operandsOf(U op) {
  switch (op) {
  case U::ABSOLUTE:
  case U::NEGATE:
  case U::RELU:
  case U::SIGNUM:
  case U::SQRT:
  case U::SQUARE:
    return Operands::Number;
  case U::BITWISE_NOT:
  case U::COUNT_LEADING_ZEROS:
  case U::POPCOUNT:
    return Operands::Integer;
  case U::LOGICAL_NOT:
    return Operands::Bool;
  default:
    return Operands::Real;
  }
}

Operands operandsOf(B op) {
  switch (op) {
  case B::ATAN2:
  case B::INV_STD_DEV_TO_VARIANCE:
  case B::VARIANCE_TO_INV_STD_DEV:
    return Operands::Real;
  case B::BITWISE_AND:
  case B::BITWISE_OR:
  case B::BITWISE_XOR:
  case B::BITWISE_XNOR:
  case B::SHIFT_LEFT:
  case B::SHIFT_RIGHT:
  case B::SHIFT_RIGHT_SIGN_EXTEND:
    return Operands::Integer;
  case B::LOGICAL_AND:
  case B::LOGICAL_OR:
    return Operands::Bool;
  case B::EQUAL:
  case B::NOT_EQUAL:
  case B::GREATER_THAN:
  case B::GREATER_THAN_EQUAL:
  case B::LESS_THAN:
  case B::LESS_THAN_EQUAL:
    return Operands::Any;
  default:
    return Operands::Number;
  }
}

template <class Op>
poplar::Type checkedResult(Op op, const poplar::Type& type) {
  const auto operands = operandsOf(op);
  const bool isBool = type == poplar::BOOL;
  const bool legal = operands == Operands::Any || (operands == Operands::Bool && isBool) ||
                     (operands == Operands::Real && isReal(type)) ||
                     (operands == Operands::Integer && !isReal(type) && !isBool) ||
                     (operands == Operands::Number && !isBool);
  if (!legal)
    throw poputil::poplibs_error(std::string("Element-wise operator ") + opName(op) +
                                 " does not take operands of type " +
                                 type.toString().cloneAsString());
  return givesBool(op) ? poplar::BOOL : type;
}

} // namespace

const char* opName(U op) {
  return kUnaryNames[static_cast<std::size_t>(op)];
}
const char* opName(B op) {
  return kBinaryNames[static_cast<std::size_t>(op)];
}
const char* opName(expr::TernaryOpType op) {
  return kTernaryNames[static_cast<std::size_t>(op)];
}

bool isReal(const poplar::Type& type) {
  return type == poplar::FLOAT || type == poplar::HALF;
}

bool givesBool(U op) {
  return op == U::IS_FINITE || op == U::IS_INF || op == U::IS_NAN || op == U::LOGICAL_NOT;
}
bool givesBool(B op) {
  const auto operands = operandsOf(op);
  return operands == Operands::Any || operands == Operands::Bool;
}

poplar::Type resultType(U op, const poplar::Type& type) {
  return checkedResult(op, type);
}
poplar::Type resultType(B op, const poplar::Type& type) {
  return checkedResult(op, type);
}

namespace expr::ostream_ext {

std::ostream& operator<<(std::ostream& os, const UnaryOpType& t) {
  return os << opName(t);
}
std::ostream& operator<<(std::ostream& os, const BinaryOpType& t) {
  return os << opName(t);
}
std::ostream& operator<<(std::ostream& os, const TernaryOpType& t) {
  return os << opName(t);
}

} // namespace expr::ostream_ext

} // namespace popops

namespace poputil {

template <>
poplar::ProfileValue toProfileValue(const popops::expr::UnaryOpType& op) {
  return poplar::ProfileValue(popops::opName(op));
}
template <>
poplar::ProfileValue toProfileValue(const popops::expr::BinaryOpType& op) {
  return poplar::ProfileValue(popops::opName(op));
}
template <>
poplar::ProfileValue toProfileValue(const popops::expr::TernaryOpType& op) {
  return poplar::ProfileValue(popops::opName(op));
}

} // namespace poputil
