// Fill a region with one value; convert a region to another type.
#pragma once

#include "ElementOps.hpp"
#include "WorkerRange.hpp"

#include <poplar/Vertex.hpp>

namespace popops {

using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

template <class T>
class Fill1D : public MultiVertex {
public:
  Output<Vector<T>> out;
  T in;

  bool compute(unsigned worker) {
    const auto r = workerRange(out.size(), kVectorWidth<T>, worker, numWorkers());
    for (unsigned i = r.begin; i < r.end; ++i)
      out[i] = in;
    return true;
  }
  std::uint64_t estimateCycles() const {
    return kLaunchCycles + numWorkers() * (23 + vectorsPerWorker<T>(out.size(), numWorkers()));
  }
};

template <class T>
class Fill2D : public poplar::Vertex {
public:
  Vector<Output<Vector<T>>> out;
  T in;

  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      for (unsigned j = 0; j < out[i].size(); ++j)
        out[i][j] = in;
    return true;
  }
  std::uint64_t estimateCycles() const {
    std::uint64_t cycles = 8;
    for (unsigned i = 0; i < out.size(); ++i)
      cycles += 15 + vectorsPerWorker<T>(out[i].size(), 1);
    return cycles;
  }
};

// Vectors of the wider type that one worker converts, at two cycles each (PopLibs, Cast1D).
template <class From, class To>
std::uint64_t castVectors(std::uint64_t n, unsigned numWorkers) {
  return sizeof(From) > sizeof(To) ? vectorsPerWorker<From>(n, numWorkers)
                                   : vectorsPerWorker<To>(n, numWorkers);
}

template <class From, class To>
void castElements(const From* in, To* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    out[i] = elementops::convert<To>(in[i]);
}

template <class From, class To>
class Cast1D : public MultiVertex {
public:
  Input<Vector<From>> in;
  Output<Vector<To>> out;

  bool compute(unsigned worker) {
    const auto r = workerRange(out.size(), 4, worker, numWorkers());
    if (r.size())
      castElements(&in[0] + r.begin, &out[0] + r.begin, r.size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return 12 + numWorkers() * (18 + 19 + castVectors<From, To>(out.size(), numWorkers()));
  }
};

template <class From, class To>
class Cast2D : public poplar::Vertex {
public:
  Vector<Input<Vector<From>>> in;
  Vector<Output<Vector<To>>> out;

  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      castElements(&in[i][0], &out[i][0], out[i].size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    std::uint64_t cycles = 18;
    for (unsigned i = 0; i < out.size(); ++i)
      cycles += 19 + castVectors<From, To>(out[i].size(), 1);
    return cycles;
  }
};

} // namespace popops
