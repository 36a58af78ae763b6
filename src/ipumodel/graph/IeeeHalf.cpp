#include "graph/HalfBits.hpp"

#include <poplar/IeeeHalf.hpp>

#include <bit>

namespace ipumodel {

std::uint16_t halfBits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) // NaN: keep it quiet, and its leading payload
    return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  if (magnitude >= 0x477ff000u) // 65520 and above round to infinity
    return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) { // below 2^-14: subnormal
    const unsigned exponent = magnitude >> 23;
    if (exponent < 102) // below 2^-25: zero
      return static_cast<std::uint16_t>(sign);
    const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    const unsigned shift = 126 - exponent;
    const std::uint32_t half = mantissa >> shift;
    const std::uint32_t rest = mantissa & ((1u << shift) - 1);
    const std::uint32_t middle = 1u << (shift - 1);
    const bool up = rest > middle || (rest == middle && (half & 1u));
    return static_cast<std::uint16_t>(sign | (half + up));
  }
  const std::uint32_t rebiased = magnitude - 0x38000000u;
  const std::uint32_t rounded = rebiased + 0xfffu + ((rebiased >> 13) & 1u);
  return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

float halfToFloat(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0x1f)
    return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) { // zero or subnormal: mantissa * 2^-24
    const float value = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -value : value;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

} // namespace ipumodel

namespace poplar {

IeeeHalf::IeeeHalf(float value) : bits_(ipumodel::halfBits(value)) {}
IeeeHalf::operator float() const {
  return ipumodel::halfToFloat(bits_);
}

} // namespace poplar
