// The largest of a range of numbers for which something holds that holds up to some number.
#pragma once

#include <algorithm>
#include <cstdint>

namespace spillway::plan {

// The largest n in [low, high) for which `fits(n)`, given that it fits `low` and not `high`.
template <class Fits>
std::uint32_t largestBetween(std::uint32_t low, std::uint32_t high, Fits fits) {
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

// The largest n in [1, limit] for which `fits(n)`; 0 if for none.
template <class Fits>
std::uint32_t largestThatFits(std::uint32_t limit, Fits fits) {
  return largestBetween(0, limit + 1, fits);
}

// The same where asking is dear and a guess in [0, limit] is near: strides that double lead away
// from it.
template <class Fits>
std::uint32_t largestNear(std::uint32_t guess, std::uint32_t limit, Fits fits) {
  std::uint32_t low = guess, high = guess;
  if (guess == 0 || fits(guess)) {
    for (std::uint32_t stride = 1; low == high; stride *= 2) {
      if (low == limit)
        return limit;
      const std::uint32_t next = low + std::min(stride, limit - low);
      high = next;
      if (fits(next))
        low = next;
    }
  } else {
    for (std::uint32_t stride = 1; low == high; stride *= 2) {
      const std::uint32_t next = high - std::min(stride, high);
      low = next;
      if (next != 0 && !fits(next))
        high = next;
    }
  }
  return largestBetween(low, high, fits);
}

} // namespace spillway::plan
