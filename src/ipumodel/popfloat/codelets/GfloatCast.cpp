// Casts between FLOAT or HALF and formats of few bits, element by element.
#include "GfloatRounding.hpp"

#include <poplar/Vertex.hpp>

#include <cstdint>

namespace popfloat {
namespace experimental {

using poplar::InOut;
using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;
using poplar::VectorLayout;

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
    const Rounding round = roundingOf(*this);
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
    const Rounding round = roundingOf(*this);
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
