// The part of a product with a sparse matrix that one bucket of values gives.
#include "Bucket.hpp"

#include <poplar/Vertex.hpp>

#include <type_traits>

namespace popsparse {

using poplar::InOut;
using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

// out[row][n] += value * dense[column][n], or with rows and columns swapped if Transposed; out
// begins at zero unless Accumulate. Workers share the columns n, so that no two write one element.
template <class T, bool Transposed, bool Accumulate>
class SparseDense : public MultiVertex {
public:
  Input<Vector<unsigned short>> meta;
  Input<Vector<T>> nonZeros;
  Input<Vector<T>> dense;
  typename std::conditional<Accumulate, InOut<Vector<float>>, Output<Vector<float>>>::type out;
  unsigned partition; // whose values count
  unsigned columns;
  unsigned blockRows;
  unsigned blockColumns;

  bool compute(unsigned worker) {
    const unsigned grains = (columns + kGrain - 1) / kGrain;
    const unsigned begin = kGrain * (grains * worker / numWorkers());
    const unsigned limit = kGrain * (grains * (worker + 1) / numWorkers());
    const unsigned end = limit < columns ? limit : columns;
    if (begin >= end)
      return true;
    if (!Accumulate)
      for (unsigned row = 0; row < out.size() / columns; ++row)
        for (unsigned n = begin; n < end; ++n)
          out[row * columns + n] = 0;
    forEachBlock(meta, partition, [&](unsigned row, unsigned column, unsigned block) {
      const T* values = &nonZeros[block * blockRows * blockColumns];
      for (unsigned r = 0; r < blockRows; ++r)
        for (unsigned c = 0; c < blockColumns; ++c) {
          const float value = static_cast<float>(values[r * blockColumns + c]);
          const unsigned i = row * blockRows + r, j = column * blockColumns + c;
          float* to = &out[(Transposed ? j : i) * columns];
          const T* from = &dense[(Transposed ? i : j) * columns];
          for (unsigned n = begin; n < end; ++n)
            to[n] += value * static_cast<float>(from[n]);
        }
    });
    return true;
  }

  std::uint64_t estimateCycles() const {
    const std::uint64_t zeroing = Accumulate ? 0 : out.size() / 2;
    return 60 + zeroing +
           cyclesOfBlocks<T>(countBlocks(meta, partition), Transposed ? blockColumns : blockRows,
                             Transposed ? blockRows : blockColumns, columns);
  }

private:
  static constexpr unsigned kGrain = 8;
};

template class SparseDense<float, false, false>;
template class SparseDense<float, false, true>;
template class SparseDense<float, true, false>;
template class SparseDense<float, true, true>;
template class SparseDense<half, false, false>;
template class SparseDense<half, false, true>;
template class SparseDense<half, true, false>;
template class SparseDense<half, true, true>;

} // namespace popsparse
