// Casts between FLOAT or HALF and formats of few bits, element by element.
#include "GfloatNumber.hpp"

#include <poplar/Vertex.hpp>

#include <ipu_builtins.h>

#include <cstdint>

namespace popfloat {
namespace experimental {

using poplar::InOut;
using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;
using poplar::VectorLayout;

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

// Calls f(i) for the share of a worker: whole words, since no two workers may write to one.
template <class F>
inline void forShare(unsigned n, unsigned worker, const F& f) {
  constexpr unsigned kGrain = 4;
  const unsigned grains = (n + kGrain - 1) / kGrain;
  const unsigned end = grains * (worker + 1) / MultiVertex::numWorkers() * kGrain;
  for (unsigned i = grains * worker / MultiVertex::numWorkers() * kGrain; i < end && i < n; ++i)
    f(i);
}

// A launch, a prologue per worker, and about as many instructions for an element as PopLibs' loops
// of two vectors have.
inline std::uint64_t gfloatCycles(unsigned n) {
  const unsigned numWorkers = MultiVertex::numWorkers();
  return 11 + numWorkers * (25ull + 12ull * ((n + numWorkers - 1) / numWorkers));
}

template <class In, class Out>
class Quantise : public MultiVertex {
public:
  Input<Vector<In, VectorLayout::SPAN>> in;
  Output<Vector<Out, VectorLayout::ONE_PTR>> out;
  Input<unsigned> format;
  unsigned mode, density, numBits;
  float offset, scale, low, high, probability;
  bool nanoo;

  bool compute(unsigned worker) {
    const GfloatFormat f(*format);
    const Rounding round{static_cast<RoundType>(mode),
                         static_cast<SRDensityType>(density),
                         numBits,
                         offset,
                         scale,
                         low,
                         high,
                         probability};
    forShare(in.size(), worker, [&](unsigned i) {
      out[i] = static_cast<Out>(
          static_cast<float>(quantise(f, static_cast<float>(in[i]), nanoo, round)));
    });
    return true;
  }
  std::uint64_t estimateCycles() const { return gfloatCycles(in.size()); }
};
template class Quantise<float, float>;
template class Quantise<float, half>;
template class Quantise<half, float>;
template class Quantise<half, half>;

template <class T>
class QuantiseInPlace : public MultiVertex {
public:
  InOut<Vector<T, VectorLayout::SPAN>> in;
  Input<unsigned> format;
  unsigned mode, density, numBits;
  float offset, scale, low, high, probability;
  bool nanoo;

  bool compute(unsigned worker) {
    const GfloatFormat f(*format);
    const Rounding round{static_cast<RoundType>(mode),
                         static_cast<SRDensityType>(density),
                         numBits,
                         offset,
                         scale,
                         low,
                         high,
                         probability};
    forShare(in.size(), worker, [&](unsigned i) {
      in[i] =
          static_cast<T>(static_cast<float>(quantise(f, static_cast<float>(in[i]), nanoo, round)));
    });
    return true;
  }
  std::uint64_t estimateCycles() const { return gfloatCycles(in.size()); }
};
template class QuantiseInPlace<float>;
template class QuantiseInPlace<half>;

template <class In, class Out>
class PackGfloat : public MultiVertex {
public:
  Input<Vector<In, VectorLayout::SPAN>> in;
  Output<Vector<Out, VectorLayout::ONE_PTR>> out;
  Input<unsigned> format;

  bool compute(unsigned worker) {
    const GfloatFormat f(*format);
    forShare(in.size(), worker, [&](unsigned i) {
      out[i] = static_cast<Out>(packNumber(f, static_cast<float>(in[i])));
    });
    return true;
  }
  std::uint64_t estimateCycles() const { return gfloatCycles(in.size()); }
};
template class PackGfloat<float, signed char>;
template class PackGfloat<float, short>;
template class PackGfloat<half, signed char>;
template class PackGfloat<half, short>;

template <class In, class Out>
class UnpackGfloat : public MultiVertex {
public:
  Input<Vector<In, VectorLayout::SPAN>> in;
  Output<Vector<Out, VectorLayout::ONE_PTR>> out;
  Input<unsigned> format;

  bool compute(unsigned worker) {
    const GfloatFormat f(*format);
    forShare(in.size(), worker, [&](unsigned i) {
      out[i] = static_cast<Out>(
          static_cast<float>(unpackNumber(f, static_cast<unsigned>(static_cast<int>(in[i])))));
    });
    return true;
  }
  std::uint64_t estimateCycles() const { return gfloatCycles(in.size()); }
};
template class UnpackGfloat<signed char, float>;
template class UnpackGfloat<signed char, half>;
template class UnpackGfloat<short, float>;
template class UnpackGfloat<short, half>;

} // namespace experimental
} // namespace popfloat
