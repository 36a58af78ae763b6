// A = scaleA * A + scaleB * B, in the wider type, rounded once.
#include "ElementOps.hpp"
#include "WorkerRange.hpp"

#include <poplar/Vertex.hpp>

namespace popops {

using poplar::InOut;
using poplar::Input;
using poplar::MultiVertex;
using poplar::Vector;

template <class A, class B, class S>
void scaledAdd(A* a, const B* b, S scaleA, S scaleB, unsigned n) {
  using W = elementops::Wide<A>;
  const W ka = static_cast<W>(scaleA), kb = static_cast<W>(scaleB);
  if (ka == W(1)) {
    for (unsigned i = 0; i < n; ++i)
      a[i] = static_cast<A>(static_cast<W>(a[i]) + kb * static_cast<W>(b[i]));
  } else {
    for (unsigned i = 0; i < n; ++i)
      a[i] = static_cast<A>(ka * static_cast<W>(a[i]) + kb * static_cast<W>(b[i]));
  }
}

// Worker cycles per vector: 3, and 5 where the types differ (PopLibs, PerformanceEstimation.cpp).
template <class A, class B>
std::uint64_t scaledAddCycles(std::uint64_t vectors) {
  return 25 + (sizeof(A) == sizeof(B) ? 3 : 5) * vectors;
}

// The scales are tensors: plus or minus one times them, as `signOfB` says. With `complementA` the
// factor of A is 1 - scaleA.
template <class A, class B, class S>
class ScaledAdd1D : public MultiVertex {
public:
  InOut<Vector<A>> a;
  Input<Vector<B>> b;
  Input<Vector<S>> scaleA; // one element
  Input<Vector<S>> scaleB;
  int signOfB;
  bool complementA;

  bool compute(unsigned worker) {
    using W = elementops::Wide<S>;
    const auto r = workerRange(a.size(), kVectorWidth<A>, worker, numWorkers());
    const W ka = static_cast<W>(scaleA[0]);
    if (r.size())
      scaledAdd(&a[0] + r.begin, &b[0] + r.begin, complementA ? W(1) - ka : ka,
                static_cast<W>(W(signOfB) * static_cast<W>(scaleB[0])), r.size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return 57 + numWorkers() * scaledAddCycles<A, B>(vectorsPerWorker<A>(a.size(), numWorkers()));
  }
};

template <class A, class B, class S>
class ScaledAdd2D : public poplar::Vertex {
public:
  Vector<InOut<Vector<A>>> a;
  Vector<Input<Vector<B>>> b;
  Vector<Input<Vector<S>>> scaleA; // one element in each, as many as regions
  Vector<Input<Vector<S>>> scaleB;
  int signOfB;
  bool complementA;

  bool compute() {
    using W = elementops::Wide<S>;
    for (unsigned i = 0; i < a.size(); ++i) {
      const W ka = static_cast<W>(scaleA[i][0]);
      scaledAdd(&a[i][0], &b[i][0], complementA ? W(1) - ka : ka,
                static_cast<W>(W(signOfB) * static_cast<W>(scaleB[i][0])), a[i].size());
    }
    return true;
  }
  std::uint64_t estimateCycles() const {
    std::uint64_t cycles = 10;
    for (unsigned i = 0; i < a.size(); ++i)
      cycles += scaledAddCycles<A, B>(vectorsPerWorker<A>(a[i].size(), 1));
    return cycles;
  }
};

// The scales are constants.
template <class A, class B, class S>
class ScaledAddConst1D : public MultiVertex {
public:
  InOut<Vector<A>> a;
  Input<Vector<B>> b;
  S scaleA;
  S scaleB;

  bool compute(unsigned worker) {
    const auto r = workerRange(a.size(), kVectorWidth<A>, worker, numWorkers());
    if (r.size())
      scaledAdd(&a[0] + r.begin, &b[0] + r.begin, scaleA, scaleB, r.size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return 57 + numWorkers() * scaledAddCycles<A, B>(vectorsPerWorker<A>(a.size(), numWorkers()));
  }
};

template <class A, class B, class S>
class ScaledAddConst2D : public poplar::Vertex {
public:
  Vector<InOut<Vector<A>>> a;
  Vector<Input<Vector<B>>> b;
  S scaleA;
  S scaleB;

  bool compute() {
    for (unsigned i = 0; i < a.size(); ++i)
      scaledAdd(&a[i][0], &b[i][0], scaleA, scaleB, a[i].size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    std::uint64_t cycles = 10;
    for (unsigned i = 0; i < a.size(); ++i)
      cycles += scaledAddCycles<A, B>(vectorsPerWorker<A>(a[i].size(), 1));
    return cycles;
  }
};

template class ScaledAdd1D<float, float, float>;
template class ScaledAdd1D<float, float, half>;
template class ScaledAdd1D<float, half, float>;
template class ScaledAdd1D<float, half, half>;
template class ScaledAdd1D<half, float, float>;
template class ScaledAdd1D<half, float, half>;
template class ScaledAdd1D<half, half, float>;
template class ScaledAdd1D<half, half, half>;
template class ScaledAdd1D<int, int, int>;
template class ScaledAdd1D<unsigned int, unsigned int, unsigned int>;

template class ScaledAdd2D<float, float, float>;
template class ScaledAdd2D<float, float, half>;
template class ScaledAdd2D<float, half, float>;
template class ScaledAdd2D<float, half, half>;
template class ScaledAdd2D<half, float, float>;
template class ScaledAdd2D<half, float, half>;
template class ScaledAdd2D<half, half, float>;
template class ScaledAdd2D<half, half, half>;
template class ScaledAdd2D<int, int, int>;
template class ScaledAdd2D<unsigned int, unsigned int, unsigned int>;

template class ScaledAddConst1D<float, float, float>;
template class ScaledAddConst1D<float, half, float>;
template class ScaledAddConst1D<half, float, float>;
template class ScaledAddConst1D<half, half, float>;
template class ScaledAddConst1D<int, int, int>;
template class ScaledAddConst1D<unsigned int, unsigned int, unsigned int>;

template class ScaledAddConst2D<float, float, float>;
template class ScaledAddConst2D<float, half, float>;
template class ScaledAddConst2D<half, float, float>;
template class ScaledAddConst2D<half, half, float>;
template class ScaledAddConst2D<int, int, int>;
template class ScaledAddConst2D<unsigned int, unsigned int, unsigned int>;

} // namespace popops
