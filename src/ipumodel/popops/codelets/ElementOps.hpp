// What each element-wise operator does to elements of type T. Also compiled into the codelets that
// are generated for expressions, so it needs nothing but <popops/ExprOp.hpp> and <cmath>.
#pragma once

#include <popops/ExprOp.hpp>

#include <cmath>
#include <type_traits>

namespace popops {
namespace elementops {

// Arithmetic on half is done in float and rounded once, when the result is stored.
template <class T>
using Wide = std::conditional_t<std::is_arithmetic_v<T>, T, float>;
template <class T>
constexpr bool kIsReal = !std::is_integral_v<T>;

template <class T>
T divide(T a, T b) {
  if constexpr (kIsReal<T>) {
    return a / b;
  } else if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) // the quotient of the lowest value would trap on a CPU
      return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
    return b == 0 ? T(0) : static_cast<T>(a / b);
  } else {
    return b == 0 ? T(0) : static_cast<T>(a / b);
  }
}

template <class T>
T remainder(T a, T b) {
  if constexpr (kIsReal<T>)
    return std::fmod(a, b);
  else
    return b == 0 || b == static_cast<T>(-1) ? static_cast<T>(b == 0 ? 0 : a - divide(a, b) * b)
                                             : static_cast<T>(a % b);
}

template <class T>
T shiftLeft(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<U>(b) >= sizeof(T) * 8
             ? T(0)
             : static_cast<T>(static_cast<U>(a) << static_cast<U>(b));
}
template <class T>
T shiftRight(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<U>(b) >= sizeof(T) * 8
             ? T(0)
             : static_cast<T>(static_cast<U>(a) >> static_cast<U>(b));
}
template <class T>
T shiftRightSignExtend(T a, T b) {
  using U = std::make_unsigned_t<T>;
  const bool negative = a < T(0);
  if (static_cast<U>(b) >= sizeof(T) * 8)
    return negative ? static_cast<T>(-1) : T(0);
  return static_cast<T>(a >> b);
}

template <class T>
unsigned countLeadingZeros(T x) {
  using U = std::make_unsigned_t<T>;
  const auto bits = static_cast<unsigned long long>(static_cast<U>(x));
  return bits == 0 ? sizeof(T) * 8
                   : static_cast<unsigned>(__builtin_clzll(bits)) -
                         static_cast<unsigned>(64 - sizeof(T) * 8);
}

template <class T>
T power(T a, T b) {
  if constexpr (kIsReal<T>) {
    return std::pow(a, b);
  } else {
    T result = 1;
    for (T i = 0; i < b; ++i)
      result = static_cast<T>(result * a);
    return result;
  }
}

inline float geluErf(float x) {
  return 0.5f * x * (1.0f + std::erf(x * 0.70710678118654752f));
}

// Operators whose result has the type of the operand.
template <expr::UnaryOpType op, class T>
T unaryWide(T x) {
  using Op = expr::UnaryOpType;
  if constexpr (op == Op::ABSOLUTE) {
    return x < T(0) ? static_cast<T>(-x) : x;
  } else if constexpr (op == Op::NEGATE) {
    return static_cast<T>(-x);
  } else if constexpr (op == Op::SIGNUM) {
    return static_cast<T>((T(0) < x) - (x < T(0)));
  } else if constexpr (op == Op::SQUARE) {
    return static_cast<T>(x * x);
  } else if constexpr (op == Op::RELU) {
    return x > T(0) ? x : T(0);
  } else if constexpr (op == Op::SQRT) {
    return static_cast<T>(std::sqrt(x));
  } else if constexpr (kIsReal<T>) {
    switch (op) {
    case Op::ASIN:
      return std::asin(x);
    case Op::CBRT:
      return std::cbrt(x);
    case Op::CEIL:
      return std::ceil(x);
    case Op::COS:
      return std::cos(x);
    case Op::ERF:
      return std::erf(x);
    case Op::EXPONENT:
      return std::exp(x);
    case Op::EXPONENT_MINUS_ONE:
      return std::expm1(x);
    case Op::EXPONENT2:
      return std::exp2(x);
    case Op::FLOOR:
      return std::floor(x);
    case Op::GELU_ERF:
      return geluErf(x);
    case Op::INVERSE:
      return T(1) / x;
    case Op::LOGARITHM:
      return std::log(x);
    case Op::LOGARITHM_ONE_PLUS:
      return std::log1p(x);
    case Op::NEARBY_INT:
      return std::nearbyint(x);
    case Op::ROUND:
      return std::round(x);
    case Op::RSQRT:
      return T(1) / std::sqrt(x);
    case Op::SIGMOID:
      return T(1) / (T(1) + std::exp(-x));
    case Op::SIN:
      return std::sin(x);
    case Op::TAN:
      return std::tan(x);
    case Op::TANH:
      return std::tanh(x);
    case Op::TRUNC:
      return std::trunc(x);
    default:
      return x;
    }
  } else if constexpr (op == Op::BITWISE_NOT) {
    return static_cast<T>(~x);
  } else if constexpr (op == Op::COUNT_LEADING_ZEROS) {
    return static_cast<T>(countLeadingZeros(x));
  } else if constexpr (op == Op::POPCOUNT) {
    return static_cast<T>(__builtin_popcountll(
        static_cast<unsigned long long>(static_cast<std::make_unsigned_t<T>>(x))));
  } else {
    return x;
  }
}

// A bool result.
template <expr::UnaryOpType op, class T>
bool unaryTestWide(T x) {
  using Op = expr::UnaryOpType;
  if constexpr (op == Op::IS_FINITE)
    return std::isfinite(x);
  else if constexpr (op == Op::IS_INF)
    return std::isinf(x);
  else if constexpr (op == Op::IS_NAN)
    return std::isnan(x);
  else
    return !x; // LOGICAL_NOT
}

template <expr::BinaryOpType op, class T>
T binaryWide(T a, T b) {
  using Op = expr::BinaryOpType;
  if constexpr (op == Op::ADD) {
    return static_cast<T>(a + b);
  } else if constexpr (op == Op::SUBTRACT) {
    return static_cast<T>(a - b);
  } else if constexpr (op == Op::MULTIPLY) {
    return static_cast<T>(a * b);
  } else if constexpr (op == Op::DIVIDE) {
    return divide(a, b);
  } else if constexpr (op == Op::REMAINDER) {
    return remainder(a, b);
  } else if constexpr (op == Op::MAXIMUM) {
    return a < b ? b : a;
  } else if constexpr (op == Op::MINIMUM) {
    return b < a ? b : a;
  } else if constexpr (op == Op::POWER) {
    return power(a, b);
  } else if constexpr (kIsReal<T>) {
    switch (op) {
    case Op::ATAN2:
      return std::atan2(a, b);
    case Op::INV_STD_DEV_TO_VARIANCE:
      return T(1) / (a * a) - b;
    case Op::VARIANCE_TO_INV_STD_DEV:
      return T(1) / std::sqrt(a + b);
    default:
      return a;
    }
  } else {
    switch (op) {
    case Op::BITWISE_AND:
      return static_cast<T>(a & b);
    case Op::BITWISE_OR:
      return static_cast<T>(a | b);
    case Op::BITWISE_XOR:
      return static_cast<T>(a ^ b);
    case Op::BITWISE_XNOR:
      return static_cast<T>(~(a ^ b));
    case Op::SHIFT_LEFT:
      return shiftLeft(a, b);
    case Op::SHIFT_RIGHT:
      return shiftRight(a, b);
    case Op::SHIFT_RIGHT_SIGN_EXTEND:
      return shiftRightSignExtend(a, b);
    default:
      return a;
    }
  }
}

template <expr::BinaryOpType op, class T>
bool compareWide(T a, T b) {
  using Op = expr::BinaryOpType;
  switch (op) {
  case Op::EQUAL:
    return a == b;
  case Op::NOT_EQUAL:
    return a != b;
  case Op::GREATER_THAN_EQUAL:
    return a >= b;
  case Op::GREATER_THAN:
    return a > b;
  case Op::LESS_THAN_EQUAL:
    return a <= b;
  case Op::LESS_THAN:
    return a < b;
  case Op::LOGICAL_AND:
    return a && b;
  case Op::LOGICAL_OR:
    return a || b;
  default:
    return false;
  }
}

template <expr::UnaryOpType op, class T>
T unary(T x) {
  return static_cast<T>(unaryWide<op>(static_cast<Wide<T>>(x)));
}
template <expr::UnaryOpType op, class T>
bool unaryTest(T x) {
  return unaryTestWide<op>(static_cast<Wide<T>>(x));
}
template <expr::BinaryOpType op, class T>
T binary(T a, T b) {
  return static_cast<T>(binaryWide<op>(static_cast<Wide<T>>(a), static_cast<Wide<T>>(b)));
}
template <expr::BinaryOpType op, class T>
bool compare(T a, T b) {
  return compareWide<op>(static_cast<Wide<T>>(a), static_cast<Wide<T>>(b));
}
template <class T>
T clamp(T x, T low, T high) {
  using W = Wide<T>;
  const W atLeast =
      static_cast<W>(x) < static_cast<W>(low) ? static_cast<W>(low) : static_cast<W>(x);
  return static_cast<T>(static_cast<W>(high) < atLeast ? static_cast<W>(high) : atLeast);
}

// Conversion between element types: floating point to integer rounds towards zero and saturates;
// anything not zero is true.
template <class To, class From>
To convert(From x) {
  using W = Wide<From>;
  const auto wide = static_cast<W>(x);
  if constexpr (std::is_same_v<To, bool>) {
    return wide != W(0);
  } else if constexpr (kIsReal<W> && std::is_integral_v<To>) {
    constexpr int digits = static_cast<int>(sizeof(To)) * 8 - (std::is_signed_v<To> ? 1 : 0);
    const W limit = std::ldexp(W(1), digits);
    const To highest =
        static_cast<To>(~(std::is_signed_v<To> ? std::make_unsigned_t<To>(1) << digits : 0));
    if (!(wide == wide))
      return To(0);
    if (wide >= limit)
      return highest;
    if (wide <= (std::is_signed_v<To> ? -limit : W(-1)))
      return std::is_signed_v<To> ? static_cast<To>(-highest - 1) : To(0);
    return static_cast<To>(wide);
  } else {
    return static_cast<To>(static_cast<Wide<To>>(wide));
  }
}

} // namespace elementops
} // namespace popops
