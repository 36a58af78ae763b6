// Loops over contiguous elements, one for each operator, chosen once per call.
#pragma once

#include "ElementOps.hpp"

namespace popops {

// The output may be the very array of an input, never a shifted one.
template <class In, class Out, class F>
void forEach(const In* in, Out* out, unsigned n, F f) {
#pragma clang loop vectorize(assume_safety)
  for (unsigned i = 0; i < n; ++i)
    out[i] = f(in[i]);
}
template <class In, class Out, class F>
void forEach(const In* a, const In* b, Out* out, unsigned n, F f) {
#pragma clang loop vectorize(assume_safety)
  for (unsigned i = 0; i < n; ++i)
    out[i] = f(a[i], b[i]);
}

template <expr::UnaryOpType op, class T>
void unaryLoop(const T* in, T* out, unsigned n) {
  forEach(in, out, n, [](T x) { return elementops::unary<op>(x); });
}
template <expr::BinaryOpType op, class T>
void binaryLoop(const T* a, const T* b, T* out, unsigned n) {
  forEach(a, b, out, n, [](T x, T y) { return elementops::binary<op>(x, y); });
}
template <expr::BinaryOpType op, class T>
void compareLoop(const T* a, const T* b, bool* out, unsigned n) {
  forEach(a, b, out, n, [](T x, T y) { return elementops::compare<op>(x, y); });
}
template <expr::UnaryOpType op, class T>
void testLoop(const T* in, bool* out, unsigned n) {
  forEach(in, out, n, [](T x) { return elementops::unaryTest<op>(x); });
}

template <class T>
void unaryKernel(expr::UnaryOpType op, const T* in, T* out, unsigned n) {
  using Op = expr::UnaryOpType;
  switch (op) {
  case Op::ABSOLUTE:
    return unaryLoop<Op::ABSOLUTE>(in, out, n);
  case Op::NEGATE:
    return unaryLoop<Op::NEGATE>(in, out, n);
  case Op::SIGNUM:
    return unaryLoop<Op::SIGNUM>(in, out, n);
  case Op::SQUARE:
    return unaryLoop<Op::SQUARE>(in, out, n);
  case Op::SQRT:
    return unaryLoop<Op::SQRT>(in, out, n);
  case Op::RELU:
    return unaryLoop<Op::RELU>(in, out, n);
  default:
    break;
  }
  if constexpr (elementops::kIsReal<T>) {
    switch (op) {
    case Op::ASIN:
      return unaryLoop<Op::ASIN>(in, out, n);
    case Op::CBRT:
      return unaryLoop<Op::CBRT>(in, out, n);
    case Op::CEIL:
      return unaryLoop<Op::CEIL>(in, out, n);
    case Op::COS:
      return unaryLoop<Op::COS>(in, out, n);
    case Op::ERF:
      return unaryLoop<Op::ERF>(in, out, n);
    case Op::EXPONENT:
      return unaryLoop<Op::EXPONENT>(in, out, n);
    case Op::EXPONENT_MINUS_ONE:
      return unaryLoop<Op::EXPONENT_MINUS_ONE>(in, out, n);
    case Op::EXPONENT2:
      return unaryLoop<Op::EXPONENT2>(in, out, n);
    case Op::FLOOR:
      return unaryLoop<Op::FLOOR>(in, out, n);
    case Op::GELU_ERF:
      return unaryLoop<Op::GELU_ERF>(in, out, n);
    case Op::INVERSE:
      return unaryLoop<Op::INVERSE>(in, out, n);
    case Op::LOGARITHM:
      return unaryLoop<Op::LOGARITHM>(in, out, n);
    case Op::LOGARITHM_ONE_PLUS:
      return unaryLoop<Op::LOGARITHM_ONE_PLUS>(in, out, n);
    case Op::NEARBY_INT:
      return unaryLoop<Op::NEARBY_INT>(in, out, n);
    case Op::ROUND:
      return unaryLoop<Op::ROUND>(in, out, n);
    case Op::RSQRT:
      return unaryLoop<Op::RSQRT>(in, out, n);
    case Op::SIGMOID:
      return unaryLoop<Op::SIGMOID>(in, out, n);
    case Op::SIN:
      return unaryLoop<Op::SIN>(in, out, n);
    case Op::TAN:
      return unaryLoop<Op::TAN>(in, out, n);
    case Op::TANH:
      return unaryLoop<Op::TANH>(in, out, n);
    case Op::TRUNC:
      return unaryLoop<Op::TRUNC>(in, out, n);
    default:
      return;
    }
  } else {
    switch (op) {
    case Op::BITWISE_NOT:
      return unaryLoop<Op::BITWISE_NOT>(in, out, n);
    case Op::COUNT_LEADING_ZEROS:
      return unaryLoop<Op::COUNT_LEADING_ZEROS>(in, out, n);
    case Op::POPCOUNT:
      return unaryLoop<Op::POPCOUNT>(in, out, n);
    default:
      return;
    }
  }
}

template <class T>
void binaryKernel(expr::BinaryOpType op, const T* a, const T* b, T* out, unsigned n) {
  using Op = expr::BinaryOpType;
  switch (op) {
  case Op::ADD:
    return binaryLoop<Op::ADD>(a, b, out, n);
  case Op::SUBTRACT:
    return binaryLoop<Op::SUBTRACT>(a, b, out, n);
  case Op::MULTIPLY:
    return binaryLoop<Op::MULTIPLY>(a, b, out, n);
  case Op::DIVIDE:
    return binaryLoop<Op::DIVIDE>(a, b, out, n);
  case Op::REMAINDER:
    return binaryLoop<Op::REMAINDER>(a, b, out, n);
  case Op::MAXIMUM:
    return binaryLoop<Op::MAXIMUM>(a, b, out, n);
  case Op::MINIMUM:
    return binaryLoop<Op::MINIMUM>(a, b, out, n);
  case Op::POWER:
    return binaryLoop<Op::POWER>(a, b, out, n);
  default:
    break;
  }
  if constexpr (elementops::kIsReal<T>) {
    switch (op) {
    case Op::ATAN2:
      return binaryLoop<Op::ATAN2>(a, b, out, n);
    case Op::INV_STD_DEV_TO_VARIANCE:
      return binaryLoop<Op::INV_STD_DEV_TO_VARIANCE>(a, b, out, n);
    case Op::VARIANCE_TO_INV_STD_DEV:
      return binaryLoop<Op::VARIANCE_TO_INV_STD_DEV>(a, b, out, n);
    default:
      return;
    }
  } else {
    switch (op) {
    case Op::BITWISE_AND:
      return binaryLoop<Op::BITWISE_AND>(a, b, out, n);
    case Op::BITWISE_OR:
      return binaryLoop<Op::BITWISE_OR>(a, b, out, n);
    case Op::BITWISE_XOR:
      return binaryLoop<Op::BITWISE_XOR>(a, b, out, n);
    case Op::BITWISE_XNOR:
      return binaryLoop<Op::BITWISE_XNOR>(a, b, out, n);
    case Op::SHIFT_LEFT:
      return binaryLoop<Op::SHIFT_LEFT>(a, b, out, n);
    case Op::SHIFT_RIGHT:
      return binaryLoop<Op::SHIFT_RIGHT>(a, b, out, n);
    case Op::SHIFT_RIGHT_SIGN_EXTEND:
      return binaryLoop<Op::SHIFT_RIGHT_SIGN_EXTEND>(a, b, out, n);
    default:
      return;
    }
  }
}

template <class T>
void compareKernel(expr::BinaryOpType op, const T* a, const T* b, bool* out, unsigned n) {
  using Op = expr::BinaryOpType;
  switch (op) {
  case Op::EQUAL:
    return compareLoop<Op::EQUAL>(a, b, out, n);
  case Op::NOT_EQUAL:
    return compareLoop<Op::NOT_EQUAL>(a, b, out, n);
  case Op::GREATER_THAN_EQUAL:
    return compareLoop<Op::GREATER_THAN_EQUAL>(a, b, out, n);
  case Op::GREATER_THAN:
    return compareLoop<Op::GREATER_THAN>(a, b, out, n);
  case Op::LESS_THAN_EQUAL:
    return compareLoop<Op::LESS_THAN_EQUAL>(a, b, out, n);
  case Op::LESS_THAN:
    return compareLoop<Op::LESS_THAN>(a, b, out, n);
  case Op::LOGICAL_AND:
    return compareLoop<Op::LOGICAL_AND>(a, b, out, n);
  case Op::LOGICAL_OR:
    return compareLoop<Op::LOGICAL_OR>(a, b, out, n);
  default:
    return;
  }
}

template <class T>
void testKernel(expr::UnaryOpType op, const T* in, bool* out, unsigned n) {
  using Op = expr::UnaryOpType;
  if constexpr (elementops::kIsReal<T>) {
    switch (op) {
    case Op::IS_FINITE:
      return testLoop<Op::IS_FINITE>(in, out, n);
    case Op::IS_INF:
      return testLoop<Op::IS_INF>(in, out, n);
    case Op::IS_NAN:
      return testLoop<Op::IS_NAN>(in, out, n);
    default:
      break;
    }
  }
  return testLoop<Op::LOGICAL_NOT>(in, out, n);
}

// f(a, b, out, n) over pieces in which the second operand is contiguous: operand element j is
// b[((phase + j) / repeat) % period].
template <class T, class F>
void broadcastSecond(const T* a, const T* b, unsigned period, unsigned repeat, unsigned phase,
                     unsigned begin, unsigned end, F f) {
  constexpr unsigned kSplat = 64;
  T splat[kSplat];
  for (unsigned j = begin; j < end;) {
    const unsigned position = phase + j;
    const unsigned index = (position / repeat) % period;
    if (repeat == 1 && period > 1) {
      const unsigned n = period - index < end - j ? period - index : end - j;
      f(a + j, b + index, j, n);
      j += n;
    } else {
      // One value for the rest of its repeats; for ever, if there is but one.
      const unsigned same = period == 1 ? end - j : repeat - position % repeat;
      const unsigned stop = same < end - j ? j + same : end;
      const unsigned fill = stop - j < kSplat ? stop - j : kSplat;
      for (unsigned i = 0; i < fill; ++i)
        splat[i] = b[index];
      while (j < stop) {
        const unsigned n = stop - j < kSplat ? stop - j : kSplat;
        f(a + j, static_cast<const T*>(splat), j, n);
        j += n;
      }
    }
  }
}

} // namespace popops
