// Slices at run-time offsets. `base` has numRows rows, each one vector of a list; every row of a
// tile holds the same columns.
#pragma once

#include "ElementOps.hpp"
#include "WorkerRange.hpp"

#include <poplar/Vertex.hpp>

namespace popops {

using poplar::InOut;
using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

template <class T>
void copyRow(const T* from, T* to, WorkerRange r) {
  for (unsigned i = r.begin; i < r.end; ++i)
    to[i] = from[i];
}

// Worker cycles to copy `rows` rows of `width` elements (PopLibs, dynamicSlice1D).
template <class T>
std::uint64_t sliceCycles(std::uint64_t rows, std::uint64_t width, unsigned numWorkers) {
  return 39 + rows * (24 + 2 * vectorsPerWorker<T>(width, numWorkers));
}

// Offsets out of range count as 0; rows past the end wrap around.
inline unsigned sourceRow(unsigned offset, unsigned i, unsigned numRows) {
  const unsigned row = (offset < numRows ? offset : 0) + i;
  return row < numRows ? row : row - numRows;
}

// out[i] = base[offset + i], in one region of `width` columns each; base and out are matrices.
template <class T>
class DynamicSlice1D : public MultiVertex {
public:
  Input<unsigned> offset;
  Input<Vector<T>> base;
  Output<Vector<T>> out;
  unsigned width;

  bool compute(unsigned worker) {
    const unsigned numRows = base.size() / width;
    const auto r = workerRange(width, kVectorWidth<T>, worker, numWorkers());
    for (unsigned i = 0; i < out.size() / width; ++i)
      copyRow(&base[0] + sourceRow(*offset, i, numRows) * width, &out[0] + i * width, r);
    return true;
  }
  std::uint64_t estimateCycles() const {
    return 25 + numWorkers() * sliceCycles<T>(out.size() / width, width, numWorkers());
  }
};

// The same for rows that lie apart. `columns` regions make a row: base[row * columns + c].
template <class T>
class DynamicSlice2D : public MultiVertex {
public:
  Input<unsigned> offset;
  Vector<Input<Vector<T>>> base;
  Vector<Output<Vector<T>>> out;
  unsigned columns;

  bool compute(unsigned worker) {
    const unsigned numRows = base.size() / columns;
    for (unsigned i = 0; i < out.size() / columns; ++i)
      for (unsigned c = 0; c < columns; ++c) {
        auto& to = out[i * columns + c];
        copyRow(&base[sourceRow(*offset, i, numRows) * columns + c][0], &to[0],
                workerRange(to.size(), kVectorWidth<T>, worker, numWorkers()));
      }
    return true;
  }
  std::uint64_t estimateCycles() const {
    std::uint64_t cycles = 0;
    for (unsigned i = 0; i < out.size(); ++i)
      cycles += 24 + 2 * vectorsPerWorker<T>(out[i].size(), numWorkers());
    return 25 + numWorkers() * (39 + cycles);
  }
};

template <class T>
class DynamicUpdate1D : public MultiVertex {
public:
  Input<unsigned> offset;
  InOut<Vector<T>> base;
  Input<Vector<T>> in;
  unsigned width;

  bool compute(unsigned worker) {
    const unsigned numRows = base.size() / width;
    const auto r = workerRange(width, kVectorWidth<T>, worker, numWorkers());
    for (unsigned i = 0; i < in.size() / width; ++i)
      copyRow(&in[0] + i * width, &base[0] + sourceRow(*offset, i, numRows) * width, r);
    return true;
  }
  std::uint64_t estimateCycles() const {
    return 25 + numWorkers() * sliceCycles<T>(in.size() / width, width, numWorkers());
  }
};

template <class T>
class DynamicUpdate2D : public MultiVertex {
public:
  Input<unsigned> offset;
  Vector<InOut<Vector<T>>> base;
  Vector<Input<Vector<T>>> in;
  unsigned columns;

  bool compute(unsigned worker) {
    const unsigned numRows = base.size() / columns;
    for (unsigned i = 0; i < in.size() / columns; ++i)
      for (unsigned c = 0; c < columns; ++c) {
        const auto& from = in[i * columns + c];
        copyRow(&from[0], &base[sourceRow(*offset, i, numRows) * columns + c][0],
                workerRange(from.size(), kVectorWidth<T>, worker, numWorkers()));
      }
    return true;
  }
  std::uint64_t estimateCycles() const {
    std::uint64_t cycles = 0;
    for (unsigned i = 0; i < in.size(); ++i)
      cycles += 24 + 2 * vectorsPerWorker<T>(in[i].size(), numWorkers());
    return 25 + numWorkers() * (39 + cycles);
  }
};

} // namespace popops
