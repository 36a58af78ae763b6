// Single to half precision and back, on the host.
#pragma once

#include <cstdint>

namespace popfloat {
namespace experimental {

// The bits of the nearest binary16 number, ties to even. What is too large becomes NaN if enNanoo,
// and the largest number otherwise.
std::uint16_t singleToHalf(float value, bool enNanoo = false);
float halfToSingle(std::uint16_t ihalf);

} // namespace experimental
} // namespace popfloat
