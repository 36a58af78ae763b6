// IEEE binary16 on the host: a value that rounds to nearest even when made from a wider one.
#pragma once

#ifdef __POPC__
#include <poplar/HalfFloat.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#else
#include <poplar/StdIncludes.hpp>
#endif

namespace poplar {

class IeeeHalf {
public:
  constexpr IeeeHalf() : bits_(0) {}
  IeeeHalf(float value);

  static IeeeHalf fromBits(std::uint16_t bits) {
    IeeeHalf half;
    half.bits_ = bits;
    return half;
  }
  std::uint16_t bit16() const { return bits_; }
  operator float() const;

  bool isInf() const { return (bits_ & 0x7fff) == 0x7c00; }
  bool isNaN() const { return (bits_ & 0x7fff) > 0x7c00; }

private:
  std::uint16_t bits_;
};

#ifdef __POPC__ // a codelet is not linked with the library
inline IeeeHalf::IeeeHalf(float value) {
  const half rounded = static_cast<half>(value);
  std::memcpy(&bits_, &rounded, sizeof bits_);
}
inline IeeeHalf::operator float() const {
  half value;
  std::memcpy(&value, &bits_, sizeof value);
  return static_cast<float>(value);
}
#endif

} // namespace poplar
