// Gathers and scatters of rows by index. The base of a 1-D vertex is one matrix of rows of `width`
// elements, of which the first has the index `firstRow`; that of a 2-D vertex a list of rows,
// `columns` regions each. Offsets out of range leave their row of a gather zero, and do nothing in
// an update.
#pragma once

#include "SliceVertices.hpp"

namespace popops {

template <class T>
class MultiSlice1D : public MultiVertex {
public:
  Input<Vector<unsigned>> offsets;
  Input<Vector<T>> base;
  Output<Vector<T>> out;
  unsigned width, firstRow;

  // Workers share the indices.
  bool compute(unsigned worker) {
    const unsigned numRows = base.size() / width;
    const auto share = workerRange(offsets.size(), 1, worker, numWorkers());
    for (unsigned k = share.begin; k < share.end; ++k) {
      T* to = &out[0] + k * width;
      const unsigned row = offsets[k] - firstRow; // huge if it comes before
      if (row < numRows)
        copyRow(&base[0] + row * width, to, {0, width});
      else
        for (unsigned i = 0; i < width; ++i)
          to[i] = T(0);
    }
    return true;
  }
  std::uint64_t estimateCycles() const {
    const std::uint64_t rows = (offsets.size() + numWorkers() - 1) / numWorkers();
    return kLaunchCycles + numWorkers() * (30 + rows * (19 + 2 * vectorsPerWorker<T>(width, 1)));
  }
};

template <class T>
class MultiSlice2D : public MultiVertex {
public:
  Input<Vector<unsigned>> offsets;
  Vector<Input<Vector<T>>> base;
  Vector<Output<Vector<T>>> out;
  unsigned columns;

  // Workers share the indices.
  bool compute(unsigned worker) {
    const unsigned numRows = base.size() / columns;
    const auto share = workerRange(offsets.size(), 1, worker, numWorkers());
    for (unsigned k = share.begin; k < share.end; ++k)
      for (unsigned c = 0; c < columns; ++c) {
        auto& to = out[k * columns + c];
        const WorkerRange all{0, static_cast<unsigned>(to.size())};
        if (offsets[k] < numRows)
          copyRow(&base[offsets[k] * columns + c][0], &to[0], all);
        else
          for (unsigned i = 0; i < all.end; ++i)
            to[i] = T(0);
      }
    return true;
  }
  std::uint64_t estimateCycles() const {
    const std::uint64_t rows = (offsets.size() + numWorkers() - 1) / numWorkers();
    std::uint64_t perRow = 0;
    for (unsigned c = 0; c < columns; ++c)
      perRow += 19 + 2 * vectorsPerWorker<T>(out[c].size(), 1);
    return kLaunchCycles + numWorkers() * (30 + rows * perRow);
  }
};

// out = what one of the parts of a table found, and the others left zero. `found` has them one
// after another.
template <class T>
class ChooseRows : public MultiVertex {
public:
  Input<Vector<T>> found;
  Output<Vector<T>> out;

  bool compute(unsigned worker) {
    const auto r = workerRange(out.size(), kVectorWidth<T>, worker, numWorkers());
    for (unsigned i = r.begin; i < r.end; ++i) {
      T bits = 0;
      for (unsigned at = i; at < found.size(); at += out.size())
        bits |= found[at];
      out[i] = bits;
    }
    return true;
  }
  std::uint64_t estimateCycles() const {
    return kLaunchCycles +
           numWorkers() * (30 + found.size() / out.size() *
                                    (4 + vectorsPerWorker<T>(out.size(), numWorkers())));
  }
};

enum class UpdateOp : unsigned char { Set, Add, Max };

// to (op)= k * from; for Set and Max without the factor.
template <class T>
void updateRow(UpdateOp op, T* to, const T* from, elementops::Wide<T> k, WorkerRange r) {
  using W = elementops::Wide<T>;
  if (op == UpdateOp::Set)
    return copyRow(from, to, r);
  if (op == UpdateOp::Max) {
    for (unsigned i = r.begin; i < r.end; ++i)
      to[i] = static_cast<W>(to[i]) < static_cast<W>(from[i]) ? from[i] : to[i];
    return;
  }
  for (unsigned i = r.begin; i < r.end; ++i)
    to[i] = static_cast<T>(static_cast<W>(to[i]) + k * static_cast<W>(from[i]));
}

// base[offsets[k]] (op)= scale * in[k]. Workers share the columns, since several indices may be
// equal.
template <class T, class S>
class MultiUpdate1D : public MultiVertex {
public:
  Input<Vector<unsigned>> offsets;
  InOut<Vector<T>> base;
  Input<Vector<T>> in;
  Input<S> scale;
  unsigned width, firstRow;
  unsigned char op;

  bool compute(unsigned worker) {
    const unsigned numRows = base.size() / width;
    const auto r = workerRange(width, kVectorWidth<T>, worker, numWorkers());
    for (unsigned k = 0; k < offsets.size(); ++k) {
      const unsigned row = offsets[k] - firstRow; // huge if it comes before
      if (row < numRows)
        updateRow(static_cast<UpdateOp>(op), &base[0] + row * width, &in[0] + k * width,
                  static_cast<elementops::Wide<T>>(*scale), r);
    }
    return true;
  }
  std::uint64_t estimateCycles() const {
    return kLaunchCycles +
           numWorkers() *
               (32 + offsets.size() * (11 + 3 * vectorsPerWorker<T>(width, numWorkers())));
  }
};

template <class T, class S>
class MultiUpdate2D : public MultiVertex {
public:
  Input<Vector<unsigned>> offsets;
  Vector<InOut<Vector<T>>> base;
  Vector<Input<Vector<T>>> in;
  Input<S> scale;
  unsigned columns;
  unsigned char op;

  bool compute(unsigned worker) {
    const unsigned numRows = base.size() / columns;
    for (unsigned k = 0; k < offsets.size(); ++k)
      if (offsets[k] < numRows)
        for (unsigned c = 0; c < columns; ++c)
          updateRow(static_cast<UpdateOp>(op), &base[offsets[k] * columns + c][0],
                    &in[k * columns + c][0], static_cast<elementops::Wide<T>>(*scale),
                    workerRange(in[k * columns + c].size(), kVectorWidth<T>, worker, numWorkers()));
    return true;
  }
  std::uint64_t estimateCycles() const {
    std::uint64_t perRow = 0;
    for (unsigned c = 0; c < columns; ++c)
      perRow += 11 + 3 * vectorsPerWorker<T>(in[c].size(), numWorkers());
    return kLaunchCycles + numWorkers() * (32 + offsets.size() * perRow);
  }
};

} // namespace popops
