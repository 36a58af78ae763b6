// Random sparse matrices, and dense products to compare with.
#pragma once

#include "Harness.hpp"

#include <popsparse/SparseStorageFormats.hpp>

#include <algorithm>
#include <numeric>

namespace harness {

using Matrix = popsparse::COOMatrix<float>;

// Blocks at random places, in no order.
inline Matrix randomSparse(std::size_t rows, std::size_t columns, std::size_t numBlocks,
                           std::array<std::size_t, 2> block, unsigned seed) {
  std::vector<std::size_t> places(rows / block[0] * (columns / block[1]));
  std::iota(places.begin(), places.end(), 0u);
  std::shuffle(places.begin(), places.end(), std::mt19937(seed));
  Matrix m(rows, columns, randomFloats(numBlocks * block[0] * block[1], seed + 1), {}, {}, block);
  for (std::size_t i = 0; i != numBlocks; ++i) {
    m.rowIndices.push_back(places[i] / (columns / block[1]) * block[0]);
    m.columnIndices.push_back(places[i] % (columns / block[1]) * block[1]);
  }
  return m;
}

// [rows][columns].
inline std::vector<float> dense(const Matrix& m) {
  std::vector<float> values(m.numRows * m.numColumns);
  const auto [rows, columns] = m.getBlockDimensions();
  for (std::size_t i = 0; i != m.nzValues.size(); ++i) {
    const auto block = i / (rows * columns), within = i % (rows * columns);
    values[(m.rowIndices[block] + within / columns) * m.numColumns + m.columnIndices[block] +
           within % columns] = m.nzValues[i];
  }
  return values;
}

inline std::vector<float> transposed(const std::vector<float>& a, std::size_t rows) {
  const auto columns = a.size() / rows;
  std::vector<float> t(a.size());
  for (std::size_t i = 0; i != a.size(); ++i)
    t[i % columns * rows + i / columns] = a[i];
  return t;
}

// [rows][inner] times [inner][columns].
inline std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b,
                                  std::size_t inner) {
  const auto rows = a.size() / inner, columns = b.size() / inner;
  std::vector<float> c(rows * columns);
  for (std::size_t m = 0; m != rows; ++m)
    for (std::size_t k = 0; k != inner; ++k)
      for (std::size_t n = 0; n != columns; ++n)
        c[m * columns + n] += a[m * inner + k] * b[k * columns + n];
  return c;
}

inline float largestDifference(const std::vector<float>& a, const std::vector<float>& b) {
  float worst = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i != a.size() && worst != INFINITY; ++i)
    worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

template <class T>
std::vector<unsigned short> narrowed(const std::vector<T>& values) {
  return std::vector<unsigned short>(values.begin(), values.end());
}

} // namespace harness
