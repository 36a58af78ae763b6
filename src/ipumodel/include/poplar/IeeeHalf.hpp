// IEEE binary16 on the host: a value that rounds to nearest even when made from a wider one.
#pragma once

#include <poplar/StdIncludes.hpp>

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

} // namespace poplar
