// Random numbers as a pure function of (seed, stream, index): Philox 4x32 with 10 rounds (Salmon et
// al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011). A value never depends on what was
// drawn before it, so results are the same in any order and on any number of threads.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>

namespace spillway {

using PhiloxBlock = std::array<std::uint32_t, 4>;

inline PhiloxBlock philox4x32(PhiloxBlock counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

class CounterRandom {
public:
  // The stream is named by any number of integers, e.g. {purpose, epoch, sample}.
  CounterRandom(std::uint64_t seed, std::initializer_list<std::uint64_t> stream)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {
    for (std::uint64_t part : stream) {
      stream_ = mix(stream_ + part);
    }
  }

  std::uint64_t bits(std::uint64_t index) const {
    const PhiloxBlock block =
        philox4x32({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                    static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32)},
                   key_);
    return block[0] | std::uint64_t{block[1]} << 32;
  }

  // In [0, 1), a multiple of 2^-53.
  double uniform(std::uint64_t index) const {
    return static_cast<double>(bits(index) >> 11) * 0x1p-53;
  }

  // In [0, bound). REQUIRES: 0 < bound < 2^32 (the bias is then below 2^-32).
  std::uint64_t below(std::uint64_t index, std::uint64_t bound) const {
    return ((bits(index) >> 32) * bound) >> 32;
  }

  // Mean 0, standard deviation 1 (Box-Muller; uses the indices 2*index and 2*index+1).
  double normal(std::uint64_t index) const {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform(2 * index)));
    return radius * std::cos(2.0 * std::numbers::pi * uniform(2 * index + 1));
  }

private:
  // SplitMix64's finaliser: a bijection that spreads neighbouring stream names apart.
  static std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  }

  std::array<std::uint32_t, 2> key_;
  std::uint64_t stream_ = 0;
};

} // namespace spillway
