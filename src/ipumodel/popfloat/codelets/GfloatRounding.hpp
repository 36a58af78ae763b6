// How casts to formats of few bits round, at random included.
#pragma once

#include "GfloatNumber.hpp"

#include <ipu_builtins.h>

namespace popfloat {
namespace experimental {

// How a vertex rounds: enumerations as numbers, and the figures of the noise.
struct Rounding {
  RoundType mode;
  SRDensityType density;
  unsigned numBits;
  float offset, scale, low, high, probability;

  double operator()(double quotient, bool isNegative) const {
    if (mode != RoundType::SR && mode != RoundType::SX)
      return roundMagnitude(quotient, mode, isNegative);
    const double whole = std::floor(quotient);
    if (quotient == whole)
      return whole;
    return mode == RoundType::SR ? std::floor(quotient + uniform()) : noisy(quotient, whole);
  }

private:
  static double uniform() { return (static_cast<double>(__builtin_ipu_urand32()) + 0.5) * 0x1p-32; }
  static double normal() { // Box and Muller
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }
  double clipped(double noise) const { return noise < low ? low : noise > high ? high : noise; }
  bool isInside(double noise) const { return noise >= low && noise <= high; }

  double laplace() const {
    const double u = uniform() - 0.5;
    return offset - scale * std::copysign(std::log(1.0 - 2.0 * std::fabs(u)), u);
  }
  double logistic() const {
    const double u = uniform();
    return offset + scale * std::log(u / (1.0 - u));
  }
  double logitNormal() const { return 1.0 / (1.0 + std::exp(-(offset + scale * normal()))); }

  // Draws again until the noise is within its bounds, for as long as that is likely to help.
  template <class Draw>
  double truncated(const Draw& draw) const {
    constexpr int kMostDraws = 100;
    double noise = draw();
    for (int i = 0; i != kMostDraws && !isInside(noise); ++i)
      noise = draw();
    return clipped(noise);
  }

  double noisy(double quotient, double whole) const {
    switch (density) {
    case SRDensityType::UNIFORM:
      return std::floor(quotient + low + (high - low) * uniform());
    case SRDensityType::BERNOULLI:
      return uniform() < probability ? whole : whole + 1;
    case SRDensityType::LOGIT_NORMAL:
      return std::floor(quotient + clipped(logitNormal()));
    case SRDensityType::TRUNCATED_LOGIT_NORMAL:
      return std::floor(quotient + truncated([&] { return logitNormal(); }));
    case SRDensityType::NORMAL:
      return std::floor(quotient + clipped(offset + scale * normal()) + 0.5);
    case SRDensityType::TRUNCATED_NORMAL:
      return std::floor(quotient + truncated([&] { return offset + scale * normal(); }) + 0.5);
    case SRDensityType::LAPLACE:
      return std::floor(quotient + clipped(laplace()) + 0.5);
    case SRDensityType::TRUNCATED_LAPLACE:
      return std::floor(quotient + truncated([&] { return laplace(); }) + 0.5);
    case SRDensityType::LOGISTIC:
      return std::floor(quotient + clipped(logistic()) + 0.5);
    case SRDensityType::TRUNCATED_LOGISTIC:
      return std::floor(quotient + truncated([&] { return logistic(); }) + 0.5);
    case SRDensityType::INVALID:
      break;
    }
    const double places = std::ldexp(1.0, numBits < 24 ? static_cast<int>(numBits) : 24);
    return std::floor(quotient + std::floor(uniform() * places) / places);
  }
};

// Of a vertex, which has these as fields.
template <class Vertex>
Rounding roundingOf(const Vertex& vertex) {
  return {static_cast<RoundType>(vertex.mode),
          static_cast<SRDensityType>(vertex.density),
          vertex.numBits,
          vertex.offset,
          vertex.scale,
          vertex.low,
          vertex.high,
          vertex.probability};
}

} // namespace experimental
} // namespace popfloat
