// half: IEEE 754 binary16. Arithmetic promotes to float; storing rounds to nearest even.
#ifndef poplar_HalfFloat_hpp
#define poplar_HalfFloat_hpp

#if defined(__POPC__)

typedef __fp16 half;

namespace poplar {
using ::half;
}

#else

#include <cstdint>
#include <cstring>

namespace poplar {
namespace detail {

inline float bitsToFloat(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline std::uint32_t floatToBits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float halfBitsToFloat(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u) // infinity or NaN
    return bitsToFloat(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  // Shifting leaves the exponent 112 too small; the product corrects it, subnormals included.
  const float scaled = bitsToFloat(magnitude << 13) * bitsToFloat((127u + 112u) << 23);
  return bitsToFloat(sign | floatToBits(scaled));
}

inline std::uint16_t floatToHalfBits(float value) {
  const std::uint32_t bits = floatToBits(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) // NaN stays NaN
    return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
  if (magnitude >= 0x477ff000u) // rounds past the largest half, 65504
    return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) { // subnormal: the FPU rounds at the weight of half's last bit
    const float rounded = bitsToFloat(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (floatToBits(rounded) - floatToBits(0.5f)));
  }
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

} // namespace detail

// The host's stand-in for the device type of the same name.
class half {
public:
  half() = default;
  half(float value) : bits_(detail::floatToHalfBits(value)) {}
  operator float() const { return detail::halfBitsToFloat(bits_); }

  half& operator+=(float value) { return *this = half(*this + value); }
  half& operator-=(float value) { return *this = half(*this - value); }
  half& operator*=(float value) { return *this = half(*this * value); }
  half& operator/=(float value) { return *this = half(*this / value); }

private:
  std::uint16_t bits_;
};

} // namespace poplar

using poplar::half;

#endif

#endif
