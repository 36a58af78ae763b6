// Sigmoid and hyperbolic tangent on rows, from one exponential.
#pragma once

#include "maths/Rows.hpp"

namespace spillway {

// Relative error below 2e-7 for |x| < 87; beyond, the value at 87.
template <unsigned W>
inline Row<W> expRow(Row<W> x) {
  constexpr float kRound = 12582912.0f; // 1.5 * 2^23: adding it leaves the nearest whole number
  const Row<W> limit(87.0f);
  x = x > limit ? limit : x;
  x = x < -limit ? -limit : x;
  const Row<W> shifted = x * 1.44269504088896341f + kRound;
  const Row<W> whole = shifted - kRound;
  const Row<W> f = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
  // Cephes' polynomial for e^f on |f| < ln(2)/2.
  Row<W> p = f * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * f + 8.3334519073e-3f;
  p = p * f + 4.1665795894e-2f;
  p = p * f + 1.6666665459e-1f;
  p = p * f + 5.0000001201e-1f;
  p = p * (f * f) + f + 1.0f;
  const RowMask<W> exponent = __builtin_bit_cast(RowMask<W>, shifted) << 23; // the rest shifts out
  return __builtin_bit_cast(Row<W>, __builtin_bit_cast(RowMask<W>, p) + exponent);
}

template <unsigned W>
inline Row<W> sigmoidRow(Row<W> x) {
  return 1.0f / (1.0f + expRow<W>(-x));
}

template <unsigned W>
inline Row<W> tanhRow(Row<W> x) {
  return 1.0f - 2.0f / (1.0f + expRow<W>(2.0f * x));
}

} // namespace spillway
