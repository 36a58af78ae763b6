// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3, SC
// 2011).
#pragma once

#include <cstdint>

namespace poprand {

struct Philox {
  std::uint32_t key[2];

  // Four words for a counter.
  void operator()(const std::uint32_t counter[4], std::uint32_t out[4]) const {
    std::uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    std::uint32_t k0 = key[0], k1 = key[1];
    for (unsigned round = 0; round < 10; ++round) {
      const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c0,
                          p1 = std::uint64_t{0xCD9E8D57u} * c2;
      c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
      c1 = static_cast<std::uint32_t>(p1);
      c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
      c3 = static_cast<std::uint32_t>(p0);
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
  }
};

// In [0, 1), a multiple of 2^-24.
inline float toUnit(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

} // namespace poprand
