// Pooling over windows of a slice of one plane, and its gradients.
#include "PoolWindows.hpp"

#include <poplar/Vertex.hpp>
#include <popnn/PoolingDef.hpp>

#include <cstdint>
#include <limits>

namespace popnn {

using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;
using poplar::VectorLayout;

inline int share(int n, unsigned worker, unsigned numWorkers) {
  return static_cast<int>(static_cast<unsigned>(n) * worker / numWorkers);
}

// The slowest worker visits that many elements; a visit is a load, an operation and the index (3
// instructions), an element another 12 for its coordinates and the store.
inline std::uint64_t poolCycles(int elements, int visitsPerElement, unsigned numWorkers) {
  const auto n = (static_cast<unsigned>(elements) + numWorkers - 1) / numWorkers;
  return 11 + numWorkers * (20ull + n * (12ull + 3ull * static_cast<unsigned>(visitsPerElement)));
}

template <class T, unsigned Rank>
class Pool : public MultiVertex {
public:
  Input<Vector<T, VectorLayout::ONE_PTR>> in;
  Output<Vector<T, VectorLayout::ONE_PTR>> out;
  Vector<int, VectorLayout::ONE_PTR> geometry;
  unsigned char type;

  bool compute(unsigned worker) {
    const Geometry<Rank> g(geometry);
    const auto kind = static_cast<PoolingType>(type);
    const int end = share(g.numOut(), worker + 1, numWorkers());
    for (int o = share(g.numOut(), worker, numWorkers()); o < end; ++o) {
      int at[Rank];
      g.outAt(o, at);
      float best = kind == PoolingType::MAX ? std::numeric_limits<float>::lowest() : 0.0f;
      int count = 0;
      forWindow(g, at, [&](const int* position) {
        const float x = static_cast<float>(in[g.inIndex(position)]);
        best = kind != PoolingType::MAX ? best + x : x > best ? x : best;
        ++count;
      });
      if (kind == PoolingType::AVG && count != 0)
        best /= static_cast<float>(count);
      out[o] = static_cast<T>(best);
    }
    return true;
  }
  std::uint64_t estimateCycles() const {
    const Geometry<Rank> g(geometry);
    return poolCycles(g.numOut(), g.kernelSize(), numWorkers());
  }
};
template class Pool<float, kFewPoolDims>;
template class Pool<half, kFewPoolDims>;
template class Pool<float, kManyPoolDims>;
template class Pool<half, kManyPoolDims>;

// The slice of the input is wider than what is written: whole windows are needed to count maxima.
template <class T, unsigned Rank>
class MaxPoolGradient : public MultiVertex {
public:
  Input<Vector<T, VectorLayout::ONE_PTR>> in;
  Input<Vector<T, VectorLayout::ONE_PTR>> pooled;
  Input<Vector<T, VectorLayout::ONE_PTR>> pooledGradient;
  Output<Vector<T, VectorLayout::ONE_PTR>> out;
  Vector<int, VectorLayout::ONE_PTR> geometry;
  int firstWritten, numWritten; // elements of the slice of the input
  bool scaled;

  bool compute(unsigned worker) {
    const Geometry<Rank> g(geometry);
    const int end = share(numWritten, worker + 1, numWorkers());
    for (int i = share(numWritten, worker, numWorkers()); i < end; ++i) {
      int at[Rank];
      g.inAt(firstWritten + i, at);
      const float x = static_cast<float>(in[firstWritten + i]);
      float sum = 0;
      forWindowsOf(g, at, [&](const int* window) {
        const int o = g.outIndex(window);
        const float highest = static_cast<float>(pooled[o]);
        if (x != highest)
          return;
        const float gradient = static_cast<float>(pooledGradient[o]);
        if (!scaled) {
          sum += gradient;
          return;
        }
        int count = 0;
        forWindow(g, window, [&](const int* position) {
          count += static_cast<float>(in[g.inIndex(position)]) == highest;
        });
        sum += gradient / static_cast<float>(count);
      });
      out[i] = static_cast<T>(sum);
    }
    return true;
  }
  std::uint64_t estimateCycles() const {
    const Geometry<Rank> g(geometry);
    return poolCycles(numWritten, (scaled ? 2 : 1) * g.kernelSize(), numWorkers());
  }
};
template class MaxPoolGradient<float, kFewPoolDims>;
template class MaxPoolGradient<half, kFewPoolDims>;
template class MaxPoolGradient<float, kManyPoolDims>;
template class MaxPoolGradient<half, kManyPoolDims>;

template <class T, unsigned Rank>
class SumPoolGradient : public MultiVertex {
public:
  Input<Vector<T, VectorLayout::ONE_PTR>> pooledGradient;
  Output<Vector<T, VectorLayout::ONE_PTR>> out;
  Vector<int, VectorLayout::ONE_PTR> geometry;
  bool average;

  bool compute(unsigned worker) {
    const Geometry<Rank> g(geometry);
    const int end = share(g.numIn(), worker + 1, numWorkers());
    for (int i = share(g.numIn(), worker, numWorkers()); i < end; ++i) {
      int at[Rank];
      g.inAt(i, at);
      float sum = 0;
      forWindowsOf(g, at, [&](const int* window) {
        int count = 1;
        if (average) {
          count = 0;
          forWindow(g, window, [&](const int*) { ++count; });
        }
        sum += static_cast<float>(pooledGradient[g.outIndex(window)]) / static_cast<float>(count);
      });
      out[i] = static_cast<T>(sum);
    }
    return true;
  }
  std::uint64_t estimateCycles() const {
    const Geometry<Rank> g(geometry);
    return poolCycles(g.numIn(), g.kernelSize(), numWorkers());
  }
};
template class SumPoolGradient<float, kFewPoolDims>;
template class SumPoolGradient<half, kFewPoolDims>;
template class SumPoolGradient<float, kManyPoolDims>;
template class SumPoolGradient<half, kManyPoolDims>;

} // namespace popnn
