// Unary operators. The 1-D vertices share one contiguous region between the workers; the 2-D ones
// give a worker several regions.
#pragma once

#include "ElementKernels.hpp"
#include "OpCost.hpp"

#include <poplar/Vertex.hpp>

namespace popops {

using poplar::InOut;
using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

template <class T>
std::uint64_t unaryTileCycles(expr::UnaryOpType op, std::uint64_t n, unsigned numWorkers) {
  return kLaunchCycles + numWorkers * (kUnaryPrologue + unaryCyclesPerVector<T>(op) *
                                                            vectorsPerWorker<T>(n, numWorkers));
}

template <class T, class Regions>
std::uint64_t unaryWorkerCycles(expr::UnaryOpType op, const Regions& regions) {
  std::uint64_t cycles = kUnaryPrologue;
  for (unsigned i = 0; i < regions.size(); ++i)
    cycles += 10 + unaryCyclesPerVector<T>(op) * vectorsPerWorker<T>(regions[i].size(), 1);
  return cycles;
}

template <class T>
class UnaryOp1D : public MultiVertex {
public:
  Input<Vector<T>> in;
  Output<Vector<T>> out;
  unsigned char op;

  bool compute(unsigned worker) {
    const auto r = workerRange(out.size(), kVectorWidth<T>, worker, numWorkers());
    if (r.size())
      unaryKernel(static_cast<expr::UnaryOpType>(op), &in[0] + r.begin, &out[0] + r.begin,
                  r.size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return unaryTileCycles<T>(static_cast<expr::UnaryOpType>(op), out.size(), numWorkers());
  }
};

template <class T>
class UnaryOp1DInPlace : public MultiVertex {
public:
  InOut<Vector<T>> inOut;
  unsigned char op;

  bool compute(unsigned worker) {
    const auto r = workerRange(inOut.size(), kVectorWidth<T>, worker, numWorkers());
    if (r.size())
      unaryKernel(static_cast<expr::UnaryOpType>(op), &inOut[0] + r.begin, &inOut[0] + r.begin,
                  r.size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return unaryTileCycles<T>(static_cast<expr::UnaryOpType>(op), inOut.size(), numWorkers());
  }
};

template <class T>
class UnaryOp2D : public poplar::Vertex {
public:
  Vector<Input<Vector<T>>> in;
  Vector<Output<Vector<T>>> out;
  unsigned char op;

  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      unaryKernel(static_cast<expr::UnaryOpType>(op), &in[i][0], &out[i][0], out[i].size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return unaryWorkerCycles<T>(static_cast<expr::UnaryOpType>(op), out);
  }
};

template <class T>
class UnaryOp2DInPlace : public poplar::Vertex {
public:
  Vector<InOut<Vector<T>>> inOut;
  unsigned char op;

  bool compute() {
    for (unsigned i = 0; i < inOut.size(); ++i)
      unaryKernel(static_cast<expr::UnaryOpType>(op), &inOut[i][0], &inOut[i][0], inOut[i].size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return unaryWorkerCycles<T>(static_cast<expr::UnaryOpType>(op), inOut);
  }
};

// Operators with a bool result.
template <class T>
class UnaryTest1D : public MultiVertex {
public:
  Input<Vector<T>> in;
  Output<Vector<bool>> out;
  unsigned char op;

  bool compute(unsigned worker) {
    const auto r = workerRange(out.size(), 4, worker, numWorkers());
    if (r.size())
      testKernel(static_cast<expr::UnaryOpType>(op), &in[0] + r.begin, &out[0] + r.begin, r.size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return unaryTileCycles<T>(static_cast<expr::UnaryOpType>(op), out.size(), numWorkers());
  }
};

template <class T>
class UnaryTest2D : public poplar::Vertex {
public:
  Vector<Input<Vector<T>>> in;
  Vector<Output<Vector<bool>>> out;
  unsigned char op;

  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      testKernel(static_cast<expr::UnaryOpType>(op), &in[i][0], &out[i][0], out[i].size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return unaryWorkerCycles<T>(static_cast<expr::UnaryOpType>(op), out);
  }
};

} // namespace popops
