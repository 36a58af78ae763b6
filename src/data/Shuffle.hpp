// The order in which an epoch visits the samples.
#pragma once

#include "network/CounterRandom.hpp"

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace spillway {

// A permutation of 0 .. size-1 that depends on (seed, epoch) alone.
inline std::vector<std::uint32_t> shuffledOrder(std::uint32_t size, std::uint64_t seed,
                                                std::uint64_t epoch) {
  constexpr std::uint64_t kShuffle = 0x73687566;
  const CounterRandom random(seed, {kShuffle, epoch});
  std::vector<std::uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t i = size; i > 1; --i) {
    std::swap(order[i - 1], order[random.below(i, i)]);
  }
  return order;
}

} // namespace spillway
