// Triangular systems and Cholesky factors of small blocks. Sums are FLOAT.
#include <poplar/Vertex.hpp>

#include <cmath>
#include <cstdint>

namespace poplin {

using poplar::InOut;
using poplar::Input;
using poplar::Vector;

// A X = B in place of B, which has `columns` columns; both by rows.
template <class T>
class TriangularSolveBlock : public poplar::Vertex {
public:
  Input<Vector<T>> a;
  InOut<Vector<T>> b;
  unsigned size, columns;
  bool lower, unitDiagonal;

  bool compute() {
    for (unsigned step = 0; step < size; ++step) {
      const unsigned row = lower ? step : size - 1 - step;
      const float pivot = unitDiagonal ? 1.0f : static_cast<float>(a[row * size + row]);
      const unsigned begin = lower ? 0 : row + 1, end = lower ? row : size;
      for (unsigned c = 0; c < columns; ++c) {
        float sum = static_cast<float>(b[row * columns + c]);
        for (unsigned k = begin; k < end; ++k)
          sum -= static_cast<float>(a[row * size + k]) * static_cast<float>(b[k * columns + c]);
        b[row * columns + c] = static_cast<T>(sum / pivot);
      }
    }
    return true;
  }
  // Loads and a multiply-add for each element below the diagonal, a division for each result.
  std::uint64_t estimateCycles() const {
    const std::uint64_t n = size;
    return 30 + columns * (n * (n - 1) / 2 * 3 + n * 12);
  }
};
template class TriangularSolveBlock<float>;
template class TriangularSolveBlock<half>;

// The lower factor in place of a symmetric positive definite matrix; zeros above the diagonal.
template <class T>
class CholeskyBlock : public poplar::Vertex {
public:
  InOut<Vector<T>> a;
  unsigned size;

  bool compute() {
    for (unsigned row = 0; row < size; ++row)
      for (unsigned column = 0; column < size; ++column) {
        if (column > row) {
          a[row * size + column] = static_cast<T>(0);
          continue;
        }
        float sum = static_cast<float>(a[row * size + column]);
        for (unsigned k = 0; k < column; ++k)
          sum -= static_cast<float>(a[row * size + k]) * static_cast<float>(a[column * size + k]);
        a[row * size + column] = static_cast<T>(
            row == column ? std::sqrt(sum) : sum / static_cast<float>(a[column * size + column]));
      }
    return true;
  }
  std::uint64_t estimateCycles() const {
    const std::uint64_t n = size;
    return 30 + n * n * n / 6 * 3 + n * n / 2 * 12 + n * 20;
  }
};
template class CholeskyBlock<float>;
template class CholeskyBlock<half>;

} // namespace poplin
