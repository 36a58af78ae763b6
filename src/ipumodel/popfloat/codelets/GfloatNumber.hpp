// Numbers of a format of few bits: rounding to it, packing and unpacking. In double, which holds
// every FLOAT and all that is between two of them exactly enough to round once.
#pragma once

#include <popfloat/experimental/GfloatExpr.hpp>

#include <cmath>

namespace popfloat {
namespace experimental {

struct GfloatFormat {
  int mantissaBits;
  int exponentBits;
  int bias;
  bool hasDenorms;
  bool hasInfsAndNans;

  // One byte each for the bits of mantissa and exponent and for the bias; flags above them.
  explicit GfloatFormat(unsigned packed)
      : mantissaBits(static_cast<int>(packed & 255u)),
        exponentBits(static_cast<int>(packed >> 8 & 255u)),
        bias(static_cast<signed char>(packed >> 16 & 255u)),
        hasDenorms(packed >> 24 & 1u),
        hasInfsAndNans(packed >> 25 & 1u) {}
  static unsigned pack(unsigned mantissaBits, unsigned exponentBits, int bias, bool hasDenorms,
                       bool hasInfsAndNans) {
    return mantissaBits | exponentBits << 8 | (static_cast<unsigned>(bias) & 255u) << 16 |
           static_cast<unsigned>(hasDenorms) << 24 | static_cast<unsigned>(hasInfsAndNans) << 25;
  }

  int smallestExponent() const { return 1 - bias; } // of a normal number
  int lastField() const { return (1 << exponentBits) - 1; }
  int largestField() const { return lastField() - (hasInfsAndNans && exponentBits > 0 ? 1 : 0); }
  bool denormsCount() const { return hasDenorms || largestField() == 0; }
  double largest() const {
    const double fraction = std::ldexp(1.0, -mantissaBits);
    return largestField() == 0 ? std::ldexp(1.0 - fraction, smallestExponent())
                               : std::ldexp(2.0 - fraction, largestField() - bias);
  }
  // What numbers of this size are multiples of. REQUIRES: magnitude > 0.
  double stepAt(double magnitude) const {
    if (!denormsCount() && magnitude < std::ldexp(1.0, smallestExponent()))
      return std::ldexp(1.0, smallestExponent());
    const int exponent = std::ilogb(magnitude);
    return std::ldexp(1.0, (exponent < smallestExponent() ? smallestExponent() : exponent) -
                               mantissaBits);
  }
};

// A whole number beside `quotient` >= 0, by a mode that needs no chance.
inline double roundMagnitude(double quotient, RoundType mode, bool isNegative) {
  switch (mode) {
  case RoundType::RN:
    return std::rint(quotient);
  case RoundType::RA:
    return std::floor(quotient + 0.5);
  case RoundType::RU:
    return isNegative ? std::floor(quotient) : std::ceil(quotient);
  case RoundType::RD:
    return isNegative ? std::ceil(quotient) : std::floor(quotient);
  default:
    return std::floor(quotient);
  }
}

// round(quotient, isNegative) is a whole number beside quotient.
template <class Round>
inline double quantise(const GfloatFormat& format, double x, bool nanoo, const Round& round) {
  if (x == 0.0 || std::isnan(x) || std::isinf(x))
    return x;
  const double magnitude = std::fabs(x);
  const double step = format.stepAt(magnitude);
  double result = step * round(magnitude / step, x < 0);
  if (result > format.largest())
    result = nanoo ? std::nan("") : format.largest();
  return std::copysign(result, x);
}

// REQUIRES: a number of the format, an infinity or NaN.
inline unsigned packNumber(const GfloatFormat& format, double x) {
  const unsigned sign = (std::signbit(x) ? 1u : 0u) << (format.exponentBits + format.mantissaBits);
  const auto bits = [&](int field, double mantissa) {
    return sign | static_cast<unsigned>(field) << format.mantissaBits |
           static_cast<unsigned>(mantissa);
  };
  if (std::isnan(x))
    return bits(format.lastField(), std::ldexp(1.0, format.mantissaBits - 1));
  if (std::isinf(x))
    return bits(format.lastField(), 0);
  const double magnitude = std::fabs(x);
  if (magnitude < std::ldexp(1.0, format.smallestExponent()) || format.exponentBits == 0)
    return bits(0, std::ldexp(magnitude, format.mantissaBits - format.smallestExponent()));
  const int exponent = std::ilogb(magnitude);
  if (exponent + format.bias > format.lastField())
    return bits(format.lastField(), std::ldexp(1.0, format.mantissaBits) - 1);
  return bits(exponent + format.bias, std::ldexp(magnitude, format.mantissaBits - exponent) -
                                          std::ldexp(1.0, format.mantissaBits));
}

inline double unpackNumber(const GfloatFormat& format, unsigned bits) {
  const unsigned mantissa = bits & ((1u << format.mantissaBits) - 1);
  const int field = static_cast<int>(bits >> format.mantissaBits) & format.lastField();
  const bool isNegative = bits >> (format.mantissaBits + format.exponentBits) & 1u;
  double magnitude;
  if (field > format.largestField())
    magnitude = mantissa == 0 ? static_cast<double>(INFINITY) : std::nan("");
  else if (field == 0)
    magnitude = format.denormsCount()
                    ? std::ldexp(mantissa, format.smallestExponent() - format.mantissaBits)
                    : 0.0;
  else
    magnitude = std::ldexp(mantissa + std::ldexp(1.0, format.mantissaBits),
                           field - format.bias - format.mantissaBits);
  return std::copysign(magnitude, isNegative ? -1.0 : 1.0);
}

} // namespace experimental
} // namespace popfloat
