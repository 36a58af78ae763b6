// What passes over gradients and parameters have in common.
#pragma once

#include "maths/Cycles.hpp"

namespace spillway {

// Two loads, a multiply-add and a store per pair of floats.
constexpr unsigned long updateInstructions(unsigned long size, unsigned perPair) {
  return 20 + perPair * ((size / kWorkers + 1) / 2);
}

// A factor of 0 takes out what is not finite, too.
inline float clipped(float gradient, float factor) {
  return factor == 0.0f ? 0.0f : factor * gradient;
}

} // namespace spillway
