// The product of two blocks.
#include <poplar/Vertex.hpp>

namespace poplin {

using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

// out[m][n] = sum over k of a[m][k] * b[k][n], summed in float. Workers share the rows, or the
// columns when there are fewer rows than workers.
template <class In, class Out>
class MatMulBlock : public MultiVertex {
public:
  Input<Vector<In>> a;
  Input<Vector<In>> b;
  Output<Vector<Out>> out;
  unsigned rows;
  unsigned columns;
  unsigned inner;

  bool compute(unsigned worker) {
    const unsigned numRows = rows, numColumns = columns;
    if (numRows >= numWorkers()) {
      for (unsigned m = numRows * worker / numWorkers(); m < numRows * (worker + 1) / numWorkers();
           ++m)
        row(m, 0, numColumns);
    } else {
      for (unsigned m = 0; m < numRows; ++m)
        row(m, numColumns * worker / numWorkers(), numColumns * (worker + 1) / numWorkers());
    }
    return true;
  }

  // The matrix unit takes 16 outputs and 16 (half) or 8 (float) inputs at a time, 4 or 8 cycles for
  // each row; weights load at 8 bytes a cycle (PopLibs, poplin/PerformanceEstimation.hpp).
  std::uint64_t estimateCycles() const {
    const std::uint64_t inputsPerPass = sizeof(In) == 2 ? 16 : 8;
    const std::uint64_t cyclesPerRow = sizeof(In) == 2 ? 4 : 8;
    const std::uint64_t passes =
        ((inner + inputsPerPass - 1) / inputsPerPass) * ((columns + 15) / 16);
    const std::uint64_t load = 16 * inputsPerPass * sizeof(In) / 8;
    return 50 + passes * (load + 20 + cyclesPerRow * rows);
  }

private:
  // Columns [begin, end) of a row, a block of accumulators at a time.
  void row(unsigned m, unsigned begin, unsigned end) {
    constexpr unsigned kBlock = 64;
    const In* x = &a[0] + m * inner;
    for (unsigned n0 = begin; n0 < end; n0 += kBlock) {
      const unsigned n = end - n0 < kBlock ? end - n0 : kBlock;
      float acc[kBlock] = {};
      for (unsigned k = 0; k < inner; ++k) {
        const float factor = static_cast<float>(x[k]);
        const In* y = &b[0] + k * columns + n0;
        for (unsigned i = 0; i < n; ++i)
          acc[i] += factor * static_cast<float>(y[i]);
      }
      for (unsigned i = 0; i < n; ++i)
        out[m * columns + n0 + i] = static_cast<Out>(acc[i]);
    }
  }
};

template class MatMulBlock<float, float>;
template class MatMulBlock<half, float>;
template class MatMulBlock<half, half>;
template class MatMulBlock<float, half>;

} // namespace poplin
