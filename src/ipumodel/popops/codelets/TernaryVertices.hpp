// Select and clamp. An operand has the length of its region, or one element.
#pragma once

#include "ElementOps.hpp"
#include "WorkerRange.hpp"

#include <poplar/Vertex.hpp>

namespace popops {

using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

// Worker cycles per element (PopLibs, select).
constexpr std::uint64_t kTernaryCycles = 5;

template <class T, class A, class B, class C>
void selectRegion(const A& a, const B& b, const C& condition, T* out, WorkerRange r) {
  const bool oneA = a.size() == 1, oneB = b.size() == 1, oneC = condition.size() == 1;
  for (unsigned i = r.begin; i < r.end; ++i)
    out[i] = condition[oneC ? 0 : i] ? a[oneA ? 0 : i] : b[oneB ? 0 : i];
}

template <class T, class A, class B, class C>
void clampRegion(const A& x, const B& low, const C& high, T* out, WorkerRange r) {
  const bool oneX = x.size() == 1, oneLow = low.size() == 1, oneHigh = high.size() == 1;
  for (unsigned i = r.begin; i < r.end; ++i)
    out[i] = elementops::clamp<T>(x[oneX ? 0 : i], low[oneLow ? 0 : i], high[oneHigh ? 0 : i]);
}

template <class T>
class Select1D : public MultiVertex {
public:
  Input<Vector<T>> in1;
  Input<Vector<T>> in2;
  Input<Vector<bool>> in3;
  Output<Vector<T>> out;

  bool compute(unsigned worker) {
    selectRegion<T>(in1, in2, in3, &out[0],
                    workerRange(out.size(), kVectorWidth<T>, worker, numWorkers()));
    return true;
  }
  std::uint64_t estimateCycles() const {
    return kLaunchCycles + numWorkers() * (20 + kTernaryCycles * kVectorWidth<T> *
                                                    vectorsPerWorker<T>(out.size(), numWorkers()));
  }
};

template <class T>
class Select2D : public poplar::Vertex {
public:
  Vector<Input<Vector<T>>> in1;
  Vector<Input<Vector<T>>> in2;
  Vector<Input<Vector<bool>>> in3;
  Vector<Output<Vector<T>>> out;

  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      selectRegion<T>(in1[i], in2[i], in3[i], &out[i][0],
                      {0, static_cast<unsigned>(out[i].size())});
    return true;
  }
  std::uint64_t estimateCycles() const {
    std::uint64_t cycles = 20;
    for (unsigned i = 0; i < out.size(); ++i)
      cycles += 10 + kTernaryCycles * out[i].size();
    return cycles;
  }
};

template <class T>
class Clamp1D : public MultiVertex {
public:
  Input<Vector<T>> in1;
  Input<Vector<T>> in2;
  Input<Vector<T>> in3;
  Output<Vector<T>> out;

  bool compute(unsigned worker) {
    clampRegion<T>(in1, in2, in3, &out[0],
                   workerRange(out.size(), kVectorWidth<T>, worker, numWorkers()));
    return true;
  }
  std::uint64_t estimateCycles() const {
    return kLaunchCycles + numWorkers() * (20 + kTernaryCycles * kVectorWidth<T> *
                                                    vectorsPerWorker<T>(out.size(), numWorkers()));
  }
};

template <class T>
class Clamp2D : public poplar::Vertex {
public:
  Vector<Input<Vector<T>>> in1;
  Vector<Input<Vector<T>>> in2;
  Vector<Input<Vector<T>>> in3;
  Vector<Output<Vector<T>>> out;

  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      clampRegion<T>(in1[i], in2[i], in3[i], &out[i][0], {0, static_cast<unsigned>(out[i].size())});
    return true;
  }
  std::uint64_t estimateCycles() const {
    std::uint64_t cycles = 20;
    for (unsigned i = 0; i < out.size(); ++i)
      cycles += 10 + kTernaryCycles * out[i].size();
    return cycles;
  }
};

} // namespace popops
