// half: IEEE 754 binary16. Arithmetic promotes to float; storing rounds to nearest even.
#ifndef poplar_HalfFloat_hpp
#define poplar_HalfFloat_hpp

#if defined(__POPC__)

#include <limits>

typedef __fp16 half;

namespace poplar {
using ::half;
}

namespace std {
template <>
class numeric_limits<half> {
public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool is_iec559 = true;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = false;
  static constexpr float_round_style round_style = round_to_nearest;
  static constexpr int radix = 2;
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr int min_exponent = -13;
  static constexpr int max_exponent = 16;
  static constexpr int min_exponent10 = -4;
  static constexpr int max_exponent10 = 4;

  static constexpr half min() noexcept { return half(0x1p-14f); }
  static constexpr half max() noexcept { return half(65504.0f); }
  static constexpr half lowest() noexcept { return half(-65504.0f); }
  static constexpr half epsilon() noexcept { return half(0x1p-10f); }
  static constexpr half denorm_min() noexcept { return half(0x1p-24f); }
  static constexpr half round_error() noexcept { return half(0.5f); }
  static constexpr half infinity() noexcept { return half(__builtin_inff()); }
  static constexpr half quiet_NaN() noexcept { return half(__builtin_nanf("")); }
  static constexpr half signaling_NaN() noexcept { return half(__builtin_nanf("")); }
};
} // namespace std

#else

#include <poplar/IeeeHalf.hpp>

namespace poplar {

// Host code that shares a file with codelets sees the host's type of the same values.
typedef IeeeHalf half;

inline half& operator+=(half& x, float y) {
  return x = half(x + y);
}
inline half& operator-=(half& x, float y) {
  return x = half(x - y);
}
inline half& operator*=(half& x, float y) {
  return x = half(x * y);
}
inline half& operator/=(half& x, float y) {
  return x = half(x / y);
}

} // namespace poplar

using poplar::half;

#endif

#endif
