// The pseudo-derivative of the spike with respect to x = potential - threshold (docs/numerics.md).
#pragma once

namespace spillway {

// Keep equal to spillway::SurrogateKind.
enum class SurrogateShape : unsigned { Superspike, Triangle, Box, Arctan };

struct SurrogateConstants {
  SurrogateShape shape;
  float inverseWidth;
  float scale;
};

inline float surrogate(float x, const SurrogateConstants& c) {
  const float y = (x < 0.0f ? -x : x) * c.inverseWidth;
  switch (c.shape) {
  case SurrogateShape::Superspike:
    return c.scale / ((1.0f + y) * (1.0f + y));
  case SurrogateShape::Triangle:
    return y < 1.0f ? c.scale * (1.0f - y) : 0.0f;
  case SurrogateShape::Box:
    return y < 1.0f ? c.scale : 0.0f;
  case SurrogateShape::Arctan: {
    const float z = 1.57079632679489662f * y;
    return c.scale / (1.0f + z * z);
  }
  }
  return 0.0f;
}

} // namespace spillway
