// Sums of probabilities that are given by their logarithms.
#pragma once

#include <cmath>
#include <limits>

namespace popnn {

constexpr float kLogZero = -std::numeric_limits<float>::infinity();

inline float logSum(float a, float b) {
  const float high = a > b ? a : b, low = a > b ? b : a;
  return low == kLogZero ? high : high + std::log1p(std::exp(low - high));
}

} // namespace popnn
