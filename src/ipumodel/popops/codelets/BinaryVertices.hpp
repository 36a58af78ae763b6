// Binary operators and comparisons. The second operand of a 1-D vertex may be shorter than the
// output: element j meets in2[((phase + j) / repeat) % in2.size()], which covers a scalar (one
// element), a vector along the inner dimensions (repeat 1) and one along outer ones. `swapped` puts
// that operand on the left.
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

enum class Kind { Arithmetic, Comparison };

template <Kind kind, class T, class Out>
void anyKernel(expr::BinaryOpType op, const T* a, const T* b, Out* out, unsigned n) {
  if constexpr (kind == Kind::Arithmetic)
    binaryKernel(op, a, b, out, n);
  else
    compareKernel(op, a, b, out, n);
}

// One worker's part of `n` elements.
template <Kind kind, class T, class Out>
void binaryPart(expr::BinaryOpType op, const T* a, const T* b, unsigned sizeOfB, unsigned repeat,
                unsigned phase, bool swapped, Out* out, unsigned n, WorkerRange r) {
  if (!r.size())
    return;
  if (sizeOfB == n && repeat == 1 && phase == 0) {
    if (swapped)
      anyKernel<kind>(op, b + r.begin, a + r.begin, out + r.begin, r.size());
    else
      anyKernel<kind>(op, a + r.begin, b + r.begin, out + r.begin, r.size());
    return;
  }
  broadcastSecond(a, b, sizeOfB, repeat, phase, r.begin, r.end,
                  [&](const T* x, const T* y, unsigned at, unsigned count) {
                    if (swapped)
                      anyKernel<kind>(op, y, x, out + at, count);
                    else
                      anyKernel<kind>(op, x, y, out + at, count);
                  });
}

template <class T>
std::uint64_t binaryTileCycles(expr::BinaryOpType op, std::uint64_t n, std::uint64_t sizeOfB,
                               std::uint64_t prologue, unsigned numWorkers) {
  const auto vectors = vectorsPerWorker<T>(n, numWorkers);
  const auto perVector = binaryCyclesPerVector<T>(op);
  if (sizeOfB == n)
    return kLaunchCycles + numWorkers * (prologue + perVector * vectors);
  return kLaunchCycles +
         numWorkers * (kUnaryPrologue + (perVector > 2 ? perVector - 1 : 2) * vectors);
}

template <class T, class Regions>
std::uint64_t binaryWorkerCycles(expr::BinaryOpType op, const Regions& regions) {
  std::uint64_t cycles = kUnaryPrologue;
  for (unsigned i = 0; i < regions.size(); ++i)
    cycles += 13 + binaryCyclesPerVector<T>(op) * vectorsPerWorker<T>(regions[i].size(), 1);
  return cycles;
}

template <Kind kind, class T, class Out>
void binaryRegion(expr::BinaryOpType op, const T* a, const T* b, unsigned sizeOfB, bool swapped,
                  Out* out, unsigned n) {
  binaryPart<kind>(op, a, b, sizeOfB, 1, 0, swapped, out, n, {0, n});
}

template <class T>
class BinaryOp1D : public MultiVertex {
public:
  Input<Vector<T>> in1;
  Input<Vector<T>> in2;
  Output<Vector<T>> out;
  unsigned repeat;
  unsigned phase;
  unsigned char op;
  bool swapped;

  bool compute(unsigned worker) {
    binaryPart<Kind::Arithmetic>(static_cast<expr::BinaryOpType>(op), &in1[0], &in2[0], in2.size(),
                                 repeat, phase, swapped, &out[0], out.size(),
                                 workerRange(out.size(), kVectorWidth<T>, worker, numWorkers()));
    return true;
  }
  std::uint64_t estimateCycles() const {
    return binaryTileCycles<T>(static_cast<expr::BinaryOpType>(op), out.size(), in2.size(),
                               kBinaryPrologue, numWorkers());
  }
};

template <class T>
class BinaryOp1DInPlace : public MultiVertex {
public:
  InOut<Vector<T>> inOut;
  Input<Vector<T>> in2;
  unsigned repeat;
  unsigned phase;
  unsigned char op;
  bool swapped;

  bool compute(unsigned worker) {
    binaryPart<Kind::Arithmetic>(static_cast<expr::BinaryOpType>(op),
                                 static_cast<const T*>(&inOut[0]), &in2[0], in2.size(), repeat,
                                 phase, swapped, &inOut[0], inOut.size(),
                                 workerRange(inOut.size(), kVectorWidth<T>, worker, numWorkers()));
    return true;
  }
  std::uint64_t estimateCycles() const {
    return binaryTileCycles<T>(static_cast<expr::BinaryOpType>(op), inOut.size(), in2.size(),
                               kInPlacePrologue, numWorkers());
  }
};

template <class T>
class Compare1D : public MultiVertex {
public:
  Input<Vector<T>> in1;
  Input<Vector<T>> in2;
  Output<Vector<bool>> out;
  unsigned repeat;
  unsigned phase;
  unsigned char op;
  bool swapped;

  bool compute(unsigned worker) {
    binaryPart<Kind::Comparison>(static_cast<expr::BinaryOpType>(op), &in1[0], &in2[0], in2.size(),
                                 repeat, phase, swapped, &out[0], out.size(),
                                 workerRange(out.size(), 4, worker, numWorkers()));
    return true;
  }
  std::uint64_t estimateCycles() const {
    return binaryTileCycles<T>(static_cast<expr::BinaryOpType>(op), out.size(), in2.size(),
                               kBinaryPrologue, numWorkers());
  }
};

// In 2-D vertices an operand of a region has its length, or one element.
template <class T>
class BinaryOp2D : public poplar::Vertex {
public:
  Vector<Input<Vector<T>>> in1;
  Vector<Input<Vector<T>>> in2;
  Vector<Output<Vector<T>>> out;
  unsigned char op;
  bool swapped;

  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      binaryRegion<Kind::Arithmetic>(static_cast<expr::BinaryOpType>(op), &in1[i][0], &in2[i][0],
                                     in2[i].size(), swapped, &out[i][0], out[i].size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return binaryWorkerCycles<T>(static_cast<expr::BinaryOpType>(op), out);
  }
};

template <class T>
class BinaryOp2DInPlace : public poplar::Vertex {
public:
  Vector<InOut<Vector<T>>> inOut;
  Vector<Input<Vector<T>>> in2;
  unsigned char op;
  bool swapped;

  bool compute() {
    for (unsigned i = 0; i < inOut.size(); ++i)
      binaryRegion<Kind::Arithmetic>(static_cast<expr::BinaryOpType>(op),
                                     static_cast<const T*>(&inOut[i][0]), &in2[i][0], in2[i].size(),
                                     swapped, &inOut[i][0], inOut[i].size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return binaryWorkerCycles<T>(static_cast<expr::BinaryOpType>(op), inOut);
  }
};

template <class T>
class Compare2D : public poplar::Vertex {
public:
  Vector<Input<Vector<T>>> in1;
  Vector<Input<Vector<T>>> in2;
  Vector<Output<Vector<bool>>> out;
  unsigned char op;
  bool swapped;

  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      binaryRegion<Kind::Comparison>(static_cast<expr::BinaryOpType>(op), &in1[i][0], &in2[i][0],
                                     in2[i].size(), swapped, &out[i][0], out[i].size());
    return true;
  }
  std::uint64_t estimateCycles() const {
    return binaryWorkerCycles<T>(static_cast<expr::BinaryOpType>(op), out);
  }
};

} // namespace popops
