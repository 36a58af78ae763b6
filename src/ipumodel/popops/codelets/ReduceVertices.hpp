// Reductions: of the rows of a matrix, of its columns, and of scattered pieces.
#pragma once

#include "ElementOps.hpp"
#include "WorkerRange.hpp"

#include <poplar/Vertex.hpp>
#include <popops/OperationDef.hpp>

namespace popops {

using poplar::InOut;
using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

// Sums of half are kept in float.
template <class T>
using Accumulator = std::conditional_t<std::is_same_v<T, bool>, bool, elementops::Wide<T>>;

template <class A>
A identityOf(Operation op) {
  switch (op) {
  case Operation::MUL:
    return A(1);
  case Operation::LOGICAL_AND:
    return A(true);
  default:
    return A(0);
  }
}

// LOG_ADD of x and y is log(exp(x) + exp(y)).
template <class A>
A logAdd(A x, A y) {
  if constexpr (std::is_floating_point_v<A>) {
    const A high = x > y ? x : y, low = x > y ? y : x;
    return std::isinf(high) ? high : high + std::log1p(std::exp(low - high));
  } else {
    return x;
  }
}

template <class A>
A combine(Operation op, A acc, A x) {
  switch (op) {
  case Operation::ADD:
    return static_cast<A>(acc + x);
  case Operation::SQUARE_ADD:
    return static_cast<A>(acc + x * x);
  case Operation::MUL:
    return static_cast<A>(acc * x);
  case Operation::MIN:
    return x < acc ? x : acc;
  case Operation::MAX:
    return acc < x ? x : acc;
  case Operation::LOGICAL_AND:
    return static_cast<A>(acc && x);
  case Operation::LOGICAL_OR:
    return static_cast<A>(acc || x);
  case Operation::LOG_ADD:
    return logAdd(acc, x);
  }
  return acc;
}

// The first element starts the accumulator (squared where squares are summed).
template <class A>
A startFrom(Operation op, A x) {
  return op == Operation::SQUARE_ADD ? static_cast<A>(x * x) : x;
}

// The four lanes make the sum of a long row independent of itself, so that it runs as fast as the
// memory; their order is fixed.
template <class T, class A>
A addRow(const T* in, unsigned n, bool square) {
  A lane[4] = {};
  unsigned i = 0;
  for (; i + 4 <= n; i += 4)
    for (unsigned k = 0; k < 4; ++k) {
      const A x = static_cast<A>(in[i + k]);
      lane[k] = static_cast<A>(lane[k] + (square ? x * x : x));
    }
  for (; i < n; ++i) {
    const A x = static_cast<A>(in[i]);
    lane[0] = static_cast<A>(lane[0] + (square ? x * x : x));
  }
  return static_cast<A>((lane[0] + lane[1]) + (lane[2] + lane[3]));
}

template <class T, class A>
A reduceRow(Operation op, const T* in, unsigned n) {
  if constexpr (!std::is_same_v<A, bool>) {
    if (op == Operation::ADD || op == Operation::SQUARE_ADD)
      return addRow<T, A>(in, n, op == Operation::SQUARE_ADD);
  }
  A acc = startFrom(op, static_cast<A>(in[0]));
  for (unsigned i = 1; i < n; ++i)
    acc = combine(op, acc, static_cast<A>(in[i]));
  return acc;
}

// out[r] from in[r * length ...]. A single row keeps one worker busy; the graph splits long ones.
template <class In, class Out>
class ReduceRows : public MultiVertex {
public:
  Input<Vector<In>> in;
  Output<Vector<Out>> out;
  unsigned length;
  unsigned char op;

  bool compute(unsigned worker) {
    for (unsigned r = worker; r < out.size(); r += numWorkers())
      out[r] = static_cast<Out>(
          reduceRow<In, Accumulator<In>>(static_cast<Operation>(op), &in[0] + r * length, length));
    return true;
  }
  std::uint64_t estimateCycles() const {
    const std::uint64_t rows = (out.size() + numWorkers() - 1) / numWorkers();
    return kLaunchCycles + numWorkers() * (17 + rows * (6 + vectorsPerWorker<In>(length, 1)));
  }
};

// out[c] from in[p * out.size() + c] over all p. Workers share the columns.
template <class In, class Out>
class ReduceColumns : public MultiVertex {
public:
  Input<Vector<In>> in;
  Output<Vector<Out>> out;
  unsigned char op;

  bool compute(unsigned worker) {
    using A = Accumulator<In>;
    const unsigned width = out.size(), partials = in.size() / width;
    const auto o = static_cast<Operation>(op);
    const auto r = workerRange(width, kVectorWidth<Out>, worker, numWorkers());
    constexpr unsigned kBlock = 64;
    for (unsigned begin = r.begin; begin < r.end; begin += kBlock) {
      const unsigned n = r.end - begin < kBlock ? r.end - begin : kBlock;
      A acc[kBlock];
      for (unsigned i = 0; i < n; ++i)
        acc[i] = startFrom(o, static_cast<A>(in[begin + i]));
      for (unsigned p = 1; p < partials; ++p)
        addPartial(o, acc, &in[0] + p * width + begin, n);
      for (unsigned i = 0; i < n; ++i)
        out[begin + i] = static_cast<Out>(acc[i]);
    }
    return true;
  }
  std::uint64_t estimateCycles() const {
    const std::uint64_t partials = in.size() / out.size();
    return kLaunchCycles + numWorkers() * (16 + vectorsPerWorker<In>(out.size(), numWorkers()) *
                                                    (11 + partials - 1));
  }

private:
  static void addPartial(Operation op, Accumulator<In>* acc, const In* x, unsigned n) {
    using A = Accumulator<In>;
    if (op == Operation::ADD && !std::is_same_v<A, bool>) {
      for (unsigned i = 0; i < n; ++i)
        acc[i] = static_cast<A>(acc[i] + static_cast<A>(x[i]));
    } else {
      for (unsigned i = 0; i < n; ++i)
        acc[i] = combine(op, acc[i], static_cast<A>(x[i]));
    }
  }
};

// out[i] from numPieces[i] pieces of `in`, in order.
template <class In, class Out>
class ReducePieces : public poplar::Vertex {
public:
  Vector<Input<Vector<In>>> in;
  Output<Vector<Out>> out;
  Vector<unsigned> numPieces;
  unsigned char op;

  bool compute() {
    using A = Accumulator<In>;
    const auto o = static_cast<Operation>(op);
    // Squares are taken within a piece; pieces are then added.
    const auto between = o == Operation::SQUARE_ADD ? Operation::ADD : o;
    unsigned piece = 0;
    for (unsigned i = 0; i < out.size(); ++i) {
      A acc = reduceRow<In, A>(o, &in[piece][0], in[piece].size());
      const unsigned end = piece + numPieces[i];
      for (++piece; piece < end; ++piece)
        acc = combine(between, acc, reduceRow<In, A>(o, &in[piece][0], in[piece].size()));
      out[i] = static_cast<Out>(acc);
    }
    return true;
  }
  std::uint64_t estimateCycles() const {
    std::uint64_t cycles = 17 + 8 * out.size();
    for (unsigned i = 0; i < in.size(); ++i)
      cycles += 6 + vectorsPerWorker<In>(in[i].size(), 1);
    return cycles;
  }
};

// out = scale * in, or out (op) scale * in with `update`.
template <class In, class Out>
class ReduceFinish : public MultiVertex {
public:
  Input<Vector<In>> in;
  InOut<Vector<Out>> out;
  Input<float> scale;
  bool update;
  unsigned char op;

  bool compute(unsigned worker) {
    using A = elementops::Wide<Out>;
    const auto o = static_cast<Operation>(op) == Operation::SQUARE_ADD ? Operation::ADD
                                                                       : static_cast<Operation>(op);
    const auto r = workerRange(out.size(), kVectorWidth<Out>, worker, numWorkers());
    for (unsigned i = r.begin; i < r.end; ++i) {
      const A x = scaled<A>(in[i]);
      out[i] = static_cast<Out>(update ? combine(o, static_cast<A>(out[i]), x) : x);
    }
    return true;
  }
  std::uint64_t estimateCycles() const {
    return kLaunchCycles +
           numWorkers() * (25 + 4 * vectorsPerWorker<Out>(out.size(), numWorkers()));
  }

private:
  template <class A>
  A scaled(In x) const {
    const float s = *scale;
    if (s == 1.0f)
      return static_cast<A>(x);
    return static_cast<A>(s * static_cast<float>(x));
  }
};

} // namespace popops
