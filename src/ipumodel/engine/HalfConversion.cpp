#include "graph/HalfBits.hpp"

#include <poplar/Target.hpp>

#include <bit>
#include <cmath>
#include <cstring>

namespace poplar {

namespace {

// Rounds to odd, so that the second rounding, to half, is the only one that shows.
float narrowed(double value) {
  const auto nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || !std::isfinite(nearest) ||
      (std::bit_cast<std::uint32_t>(nearest) & 1u))
    return nearest;
  return std::nextafterf(nearest, value > static_cast<double>(nearest) ? INFINITY : -INFINITY);
}

void store(void* dst, std::size_t i, std::uint16_t bits) {
  std::memcpy(static_cast<std::byte*>(dst) + i * sizeof bits, &bits, sizeof bits);
}

std::uint16_t load(const void* src, std::size_t i) {
  std::uint16_t bits;
  std::memcpy(&bits, static_cast<const std::byte*>(src) + i * sizeof bits, sizeof bits);
  return bits;
}

} // namespace

void copyDeviceHalfToFloat(const Target&, const void* src, float* dst, std::size_t numElements) {
  for (std::size_t i = 0; i < numElements; ++i)
    dst[i] = ipumodel::halfToFloat(load(src, i));
}

void copyFloatToDeviceHalf(const Target&, const float* src, void* dst, std::size_t numElements) {
  for (std::size_t i = 0; i < numElements; ++i)
    store(dst, i, ipumodel::halfBits(src[i]));
}

void copyDeviceHalfToDouble(const Target&, const void* src, double* dst, std::size_t numElements) {
  for (std::size_t i = 0; i < numElements; ++i)
    dst[i] = static_cast<double>(ipumodel::halfToFloat(load(src, i)));
}

void copyDoubleToDeviceHalf(const Target&, const double* src, void* dst, std::size_t numElements) {
  for (std::size_t i = 0; i < numElements; ++i)
    store(dst, i, ipumodel::halfBits(narrowed(src[i])));
}

} // namespace poplar
