// The pseudo-derivative of the spike with respect to x = potential - threshold (docs/numerics.md).
#pragma once

#include "maths/Rows.hpp"

namespace spillway {

// Keep equal to spillway::SurrogateKind.
enum class SurrogateShape : unsigned { Superspike, Triangle, Box, Arctan };

struct SurrogateConstants {
  SurrogateShape shape;
  float inverseWidth;
  float scale;
};

template <unsigned W>
inline Row<W> surrogateRow(Row<W> x, const SurrogateConstants& c) {
  const Row<W> y = (x < 0.0f ? -x : x) * c.inverseWidth;
  switch (c.shape) {
  case SurrogateShape::Superspike:
    return c.scale / ((1.0f + y) * (1.0f + y));
  case SurrogateShape::Triangle:
    return y < 1.0f ? c.scale * (1.0f - y) : Row<W>(0.0f);
  case SurrogateShape::Box:
    return y < 1.0f ? Row<W>(c.scale) : Row<W>(0.0f);
  case SurrogateShape::Arctan: {
    const Row<W> z = 1.57079632679489662f * y;
    return c.scale / (1.0f + z * z);
  }
  }
  return Row<W>(0.0f);
}

inline float surrogate(float x, const SurrogateConstants& c) {
  return surrogateRow<1>(Row<1>(x), c)[0];
}

} // namespace spillway
