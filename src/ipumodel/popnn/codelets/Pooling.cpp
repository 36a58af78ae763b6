// Pooling over windows of a slice of one plane, and its gradients.
#include "PoolGeometry.hpp"

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

struct Geometry {
  PoolDim d[3];

  template <class Numbers>
  explicit Geometry(const Numbers& numbers) {
    for (unsigned i = 0; i != 3; ++i) {
      const auto* n = &numbers[i * kPoolNumbersPerDim];
      d[i] = {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]};
    }
  }
  int inIndex(const int* at) const {
    return ((at[0] - d[0].inBegin) * d[1].inSize + at[1] - d[1].inBegin) * d[2].inSize + at[2] -
           d[2].inBegin;
  }
  int outIndex(const int* at) const {
    return ((at[0] - d[0].outBegin) * d[1].outSize + at[1] - d[1].outBegin) * d[2].outSize + at[2] -
           d[2].outBegin;
  }
  int numIn() const { return d[0].inSize * d[1].inSize * d[2].inSize; }
  int numOut() const { return d[0].outSize * d[1].outSize * d[2].outSize; }
  int kernelSize() const { return d[0].kernel * d[1].kernel * d[2].kernel; }
  void inAt(int i, int* at) const {
    at[2] = i % d[2].inSize + d[2].inBegin;
    at[1] = i / d[2].inSize % d[1].inSize + d[1].inBegin;
    at[0] = i / d[2].inSize / d[1].inSize + d[0].inBegin;
  }
  void outAt(int i, int* at) const {
    at[2] = i % d[2].outSize + d[2].outBegin;
    at[1] = i / d[2].outSize % d[1].outSize + d[1].outBegin;
    at[0] = i / d[2].outSize / d[1].outSize + d[0].outBegin;
  }
};

// Calls f(position) for each element of the field in the window of output element `out`.
template <class F>
inline void forWindow(const Geometry& g, const int* out, const F& f) {
  int low[3], high[3], at[3];
  for (unsigned i = 0; i != 3; ++i) {
    const int begin = g.d[i].windowBegin(out[i]);
    low[i] = begin < 0 ? 0 : begin;
    high[i] = begin + g.d[i].kernel < g.d[i].field ? begin + g.d[i].kernel : g.d[i].field;
  }
  for (at[0] = low[0]; at[0] < high[0]; ++at[0])
    for (at[1] = low[1]; at[1] < high[1]; ++at[1])
      for (at[2] = low[2]; at[2] < high[2]; ++at[2])
        f(at);
}

// Calls f(output element) for each window of the slice that contains input element `in`.
template <class F>
inline void forWindowsOf(const Geometry& g, const int* in, const F& f) {
  int at[3];
  for (at[0] = g.d[0].firstWindow(in[0]); at[0] <= g.d[0].lastWindow(in[0]); ++at[0])
    for (at[1] = g.d[1].firstWindow(in[1]); at[1] <= g.d[1].lastWindow(in[1]); ++at[1])
      for (at[2] = g.d[2].firstWindow(in[2]); at[2] <= g.d[2].lastWindow(in[2]); ++at[2])
        f(at);
}

inline int share(int n, unsigned worker, unsigned numWorkers) {
  return static_cast<int>(static_cast<unsigned>(n) * worker / numWorkers);
}

// The slowest worker visits that many elements; a visit is a load, an operation and the index (3
// instructions), an element another 12 for its coordinates and the store.
inline std::uint64_t poolCycles(int elements, int visitsPerElement, unsigned numWorkers) {
  const auto n = (static_cast<unsigned>(elements) + numWorkers - 1) / numWorkers;
  return 11 + numWorkers * (20ull + n * (12ull + 3ull * static_cast<unsigned>(visitsPerElement)));
}

template <class T>
class Pool : public MultiVertex {
public:
  Input<Vector<T, VectorLayout::ONE_PTR>> in;
  Output<Vector<T, VectorLayout::ONE_PTR>> out;
  Vector<int, VectorLayout::ONE_PTR> geometry;
  unsigned char type;

  bool compute(unsigned worker) {
    const Geometry g(geometry);
    const auto kind = static_cast<PoolingType>(type);
    const int end = share(g.numOut(), worker + 1, numWorkers());
    for (int o = share(g.numOut(), worker, numWorkers()); o < end; ++o) {
      int at[3];
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
    const Geometry g(geometry);
    return poolCycles(g.numOut(), g.kernelSize(), numWorkers());
  }
};
template class Pool<float>;
template class Pool<half>;

// The slice of the input is wider than what is written: whole windows are needed to count maxima.
template <class T>
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
    const Geometry g(geometry);
    const int end = share(numWritten, worker + 1, numWorkers());
    for (int i = share(numWritten, worker, numWorkers()); i < end; ++i) {
      int at[3];
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
    const Geometry g(geometry);
    return poolCycles(numWritten, (scaled ? 2 : 1) * g.kernelSize(), numWorkers());
  }
};
template class MaxPoolGradient<float>;
template class MaxPoolGradient<half>;

template <class T>
class SumPoolGradient : public MultiVertex {
public:
  Input<Vector<T, VectorLayout::ONE_PTR>> pooledGradient;
  Output<Vector<T, VectorLayout::ONE_PTR>> out;
  Vector<int, VectorLayout::ONE_PTR> geometry;
  bool average;

  bool compute(unsigned worker) {
    const Geometry g(geometry);
    const int end = share(g.numIn(), worker + 1, numWorkers());
    for (int i = share(g.numIn(), worker, numWorkers()); i < end; ++i) {
      int at[3];
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
    const Geometry g(geometry);
    return poolCycles(g.numIn(), g.kernelSize(), numWorkers());
  }
};
template class SumPoolGradient<float>;
template class SumPoolGradient<half>;

} // namespace popnn
