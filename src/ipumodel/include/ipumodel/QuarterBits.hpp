// Numbers of eight bits, on the host and in codelets: a sign, an exponent, two or three bits of
// mantissa, times a power of two that is kept beside them. Both formats have numbers below their
// smallest normal one, no infinities, and one NaN where other formats have minus zero.
#ifndef ipumodel_QuarterBits_hpp
#define ipumodel_QuarterBits_hpp

namespace ipumodel {

struct QuarterFormat {
  int mantissaBits, bias, maxExponent; // of the stored exponent
};

constexpr QuarterFormat quarterFormat(bool hasThreeMantissaBits) {
  return hasThreeMantissaBits ? QuarterFormat{3, 8, 15} : QuarterFormat{2, 16, 31};
}

constexpr unsigned char kQuarterNaN = 0x80;

// How format and scale share a byte: the format above, the scale in six bits below.
inline unsigned char packQuarterMetadata(bool hasThreeMantissaBits, int scale) {
  return static_cast<unsigned char>((hasThreeMantissaBits ? 0 : 0x80) | (scale & 0x3f));
}
inline bool quarterHasThreeMantissaBits(unsigned char metadata) {
  return (metadata & 0x80) == 0;
}
inline int quarterScale(unsigned char metadata) {
  return (metadata & 0x3f) - ((metadata & 0x20) ? 64 : 0);
}

// To the nearest, ties to even; too large ones become the largest, infinities NaN.
inline unsigned char toQuarter(double value, unsigned char metadata) {
  if (!(__builtin_fabs(value) < __builtin_inf()))
    return kQuarterNaN;
  const QuarterFormat format = quarterFormat(quarterHasThreeMantissaBits(metadata));
  const double magnitude = __builtin_ldexp(__builtin_fabs(value), -quarterScale(metadata));
  int exponent = 1 - format.bias;
  if (magnitude >= __builtin_ldexp(1.0, exponent)) {
    __builtin_frexp(magnitude, &exponent);
    --exponent;
  }
  const int hidden = 1 << format.mantissaBits;
  if (exponent + format.bias > format.maxExponent)
    return static_cast<unsigned char>(value < 0 ? 0xff : 0x7f);
  auto steps = static_cast<int>(
      __builtin_nearbyint(__builtin_ldexp(magnitude, format.mantissaBits - exponent)));
  if (steps == 2 * hidden) {
    steps = hidden;
    ++exponent;
  }
  if (exponent + format.bias > format.maxExponent)
    return static_cast<unsigned char>(value < 0 ? 0xff : 0x7f);
  const int bits = steps < hidden ? steps : ((exponent + format.bias) * hidden) + (steps - hidden);
  return static_cast<unsigned char>(bits == 0 || value > 0 ? bits : bits | 0x80);
}

inline double fromQuarter(unsigned char bits, unsigned char metadata) {
  if (bits == kQuarterNaN)
    return __builtin_nan("");
  const QuarterFormat format = quarterFormat(quarterHasThreeMantissaBits(metadata));
  const int hidden = 1 << format.mantissaBits;
  const int stored = (bits & 0x7f) / hidden, mantissa = (bits & 0x7f) % hidden;
  const double magnitude = __builtin_ldexp(stored == 0 ? mantissa : hidden + mantissa,
                                           (stored == 0 ? 1 : stored) - format.bias -
                                               format.mantissaBits + quarterScale(metadata));
  return (bits & 0x80) ? -magnitude : magnitude;
}

} // namespace ipumodel

#endif
