// Worker cycles of the element-wise operators. Per vector of 64 bits where the machine has a vector
// instruction, otherwise per element; the figures are those PopLibs measured for its own codelets
// (popopsCycleEstimators.hpp), rounded.
#pragma once

#include "WorkerRange.hpp"

#include <popops/ExprOp.hpp>

#include <cstdint>
#include <type_traits>

namespace popops {

constexpr std::uint64_t kUnaryPrologue = 20, kBinaryPrologue = 29, kInPlacePrologue = 58;

template <class T>
std::uint64_t unaryCyclesPerVector(expr::UnaryOpType op) {
  using Op = expr::UnaryOpType;
  const std::uint64_t width = kVectorWidth<T>;
  switch (op) {
  case Op::EXPONENT:
  case Op::EXPONENT2:
  case Op::RSQRT:
  case Op::INVERSE:
    return 4 * width;
  case Op::TANH:
  case Op::SIGMOID:
  case Op::LOGARITHM:
    return 7 * width;
  case Op::EXPONENT_MINUS_ONE:
  case Op::LOGARITHM_ONE_PLUS:
    return 25 * width;
  case Op::SQRT:
    return std::is_integral<T>::value ? 110 * width : 6 * width;
  case Op::CBRT:
  case Op::ERF:
  case Op::GELU_ERF:
    return 40 * width;
  case Op::ASIN:
  case Op::TAN:
  case Op::SIN:
  case Op::COS:
    return 2300 * width; // software
  case Op::CEIL:
  case Op::FLOOR:
  case Op::ROUND:
  case Op::TRUNC:
  case Op::NEARBY_INT:
    return 5 * width;
  case Op::IS_FINITE:
  case Op::IS_INF:
  case Op::IS_NAN:
  case Op::LOGICAL_NOT:
    return 4 * width;
  default:
    return 3;
  }
}

template <class T>
std::uint64_t binaryCyclesPerVector(expr::BinaryOpType op) {
  using Op = expr::BinaryOpType;
  const std::uint64_t width = kVectorWidth<T>;
  switch (op) {
  case Op::ADD:
  case Op::SUBTRACT:
  case Op::MULTIPLY:
  case Op::MAXIMUM:
  case Op::MINIMUM:
  case Op::BITWISE_AND:
  case Op::BITWISE_OR:
  case Op::BITWISE_XOR:
  case Op::BITWISE_XNOR:
    return 3;
  case Op::DIVIDE:
  case Op::REMAINDER:
    return (std::is_integral<T>::value ? 270 : 4) * width;
  case Op::POWER:
    return 312 * width;
  case Op::ATAN2:
    return 2300 * width;
  case Op::VARIANCE_TO_INV_STD_DEV:
  case Op::INV_STD_DEV_TO_VARIANCE:
    return 6 * width;
  case Op::EQUAL:
  case Op::NOT_EQUAL:
  case Op::GREATER_THAN:
  case Op::GREATER_THAN_EQUAL:
  case Op::LESS_THAN:
  case Op::LESS_THAN_EQUAL:
    return sizeof(T) == 4 ? 7 : 9; // 14 for 4 floats, 9 for 4 halves
  default:
    return 4 * width;
  }
}

} // namespace popops
