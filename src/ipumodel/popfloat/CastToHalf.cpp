#include <poplar/IeeeHalf.hpp>

#include <popfloat/experimental/CastToHalf.hpp>

namespace popfloat::experimental {
namespace {

constexpr std::uint16_t kSign = 0x8000;
constexpr std::uint16_t kLargest = 0x7bff; // 65504
constexpr std::uint16_t kQuietNan = 0x7e00;

} // namespace

std::uint16_t singleToHalf(float value, bool enNanoo) {
  const poplar::IeeeHalf half(value);
  if (!half.isInf())
    return half.bit16();
  return static_cast<std::uint16_t>((half.bit16() & kSign) | (enNanoo ? kQuietNan : kLargest));
}

float halfToSingle(std::uint16_t ihalf) {
  return poplar::IeeeHalf::fromBits(ihalf);
}

} // namespace popfloat::experimental
