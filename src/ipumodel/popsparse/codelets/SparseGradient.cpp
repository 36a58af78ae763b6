// Gradients of the values in a bucket.
#include "Bucket.hpp"

#include <poplar/Vertex.hpp>

#include <type_traits>

namespace popsparse {

using poplar::InOut;
using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

// gradient of the value at (row, column) = sum over n of outer[row][n] * inner[column][n]. Values
// of other partitions are left alone if Accumulate, and zero otherwise.
template <class T, bool Accumulate>
class SparseGradient : public MultiVertex {
public:
  Input<Vector<unsigned short>> meta;
  Input<Vector<T>> outer;
  Input<Vector<T>> inner;
  typename std::conditional<Accumulate, InOut<Vector<float>>, Output<Vector<float>>>::type
      gradients;
  unsigned partition;
  unsigned columns;
  unsigned blockRows;
  unsigned blockColumns;

  // Workers take every sixth block, and clear every sixth element of no block that counts.
  bool compute(unsigned worker) {
    if (!Accumulate)
      for (unsigned i = worker; i < gradients.size(); i += numWorkers())
        if (!owned(i / (blockRows * blockColumns)))
          gradients[i] = 0;
    forEachBlock(meta, partition, [&](unsigned row, unsigned column, unsigned block) {
      if (block % numWorkers() != worker)
        return;
      for (unsigned r = 0; r < blockRows; ++r)
        for (unsigned c = 0; c < blockColumns; ++c) {
          const T* x = &outer[(row * blockRows + r) * columns];
          const T* y = &inner[(column * blockColumns + c) * columns];
          float sum = 0;
          for (unsigned n = 0; n < columns; ++n)
            sum += static_cast<float>(x[n]) * static_cast<float>(y[n]);
          gradients[(block * blockRows + r) * blockColumns + c] = sum;
        }
    });
    return true;
  }

  std::uint64_t estimateCycles() const {
    const std::uint64_t zeroing = Accumulate ? 0 : gradients.size() / 2;
    return 60 + zeroing +
           cyclesOfBlocks<T>(countBlocks(meta, partition), blockRows, blockColumns, columns);
  }

private:
  bool owned(unsigned block) const {
    unsigned at = 2, first = 0;
    for (unsigned piece = 0; piece < meta[1]; ++piece) {
      const unsigned count = meta[at + 1];
      if (block < first + count)
        return meta[at] == partition;
      first += count;
      at += 2 + 2 * count;
    }
    return false;
  }
};

template class SparseGradient<float, false>;
template class SparseGradient<float, true>;
template class SparseGradient<half, false>;
template class SparseGradient<half, true>;

} // namespace popsparse
