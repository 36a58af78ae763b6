// Which units zoneout holds and which recurrent weights dropconnect leaves out (docs/egru.md,
// "Masks"): a hash of the batch's key, the layer and the element.
#pragma once

#include <cstdint>

namespace spillway::reference {

// Uniform in [0, 1), a multiple of 2^-32.
inline double maskUniform(std::uint32_t key, std::uint32_t stream, std::uint32_t element) {
  std::uint32_t x = element * 0x9E3779B9u + (key ^ (stream * 0x85EBCA6Bu));
  x = (x ^ (x >> 16)) * 0x7FEB352Du;
  x = (x ^ (x >> 15)) * 0x846CA68Bu;
  x ^= x >> 16;
  return static_cast<double>(x) / 4294967296.0;
}

// What an element is multiplied with where a fraction p of them is dropped.
inline double maskScale(double p, std::uint32_t key, std::uint32_t stream, std::uint32_t element) {
  if (p == 0.0) {
    return 1.0;
  }
  return maskUniform(key, stream, element) >= p ? 1.0 / (1.0 - p) : 0.0;
}

} // namespace spillway::reference
