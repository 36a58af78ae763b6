// The forms of a sparse matrix on the host, from one to another.
#pragma once

#include "popsparse/BucketLayout.hpp"

#include <poputil/exceptions.hpp>

#include <popsparse/SparseStorageFormats.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace popsparse {

template <class T>
std::vector<BlockPosition> positionsOf(const COOMatrix<T>& m) {
  if (m.rowIndices.size() != m.columnIndices.size() ||
      m.nzValues.size() != m.rowIndices.size() * m.getBlockSize())
    throw poputil::poplibs_error("popsparse: " + std::to_string(m.nzValues.size()) + " values, " +
                                 std::to_string(m.rowIndices.size()) + " rows and " +
                                 std::to_string(m.columnIndices.size()) +
                                 " columns do not make a matrix of coordinates");
  std::vector<BlockPosition> positions;
  for (std::size_t i = 0; i != m.rowIndices.size(); ++i)
    positions.push_back({m.rowIndices[i], m.columnIndices[i]});
  return positions;
}

// Calls f(line, block): line of blocks and number of the block, of starts counted in values.
template <class F>
void forEachCompressed(const std::vector<std::size_t>& starts, std::size_t blockSize, F&& f) {
  for (std::size_t line = 0; line + 1 < starts.size(); ++line)
    for (auto value = starts[line]; value < starts[line + 1]; value += blockSize)
      f(line, value / blockSize);
}

template <class T>
COOMatrix<T> toCOO(const CSRMatrix<T>& m) {
  COOMatrix<T> coo(m.numRows, m.numColumns, m.nzValues, m.columnIndices, {},
                   m.getBlockDimensions());
  forEachCompressed(m.rowIndices, m.getBlockSize(), [&](std::size_t line, std::size_t) {
    coo.rowIndices.push_back(line * m.getNumRowsInBlock());
  });
  return coo;
}
template <class T>
COOMatrix<T> toCOO(const CSCMatrix<T>& m) {
  COOMatrix<T> coo(m.numRows, m.numColumns, m.nzValues, {}, m.rowIndices, m.getBlockDimensions());
  forEachCompressed(m.columnIndices, m.getBlockSize(), [&](std::size_t line, std::size_t) {
    coo.columnIndices.push_back(line * m.getNumColumnsInBlock());
  });
  return coo;
}
template <class T>
const COOMatrix<T>& toCOO(const COOMatrix<T>& m) {
  return m;
}

// Starts of lines of `linesOf` rows or columns each, counted in values.
inline std::vector<std::size_t> startsOf(const std::vector<std::size_t>& indices, std::size_t size,
                                         std::size_t linesOf, std::size_t blockSize) {
  std::vector<std::size_t> starts(size / linesOf + 1);
  for (auto index : indices)
    starts[index / linesOf + 1] += blockSize;
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  return starts;
}

// Of coordinates by rows.
template <class T>
CSRMatrix<T> toCSR(const COOMatrix<T>& m) {
  return CSRMatrix<T>(m.numRows, m.numColumns, m.nzValues, m.columnIndices,
                      startsOf(m.rowIndices, m.numRows, m.getNumRowsInBlock(), m.getBlockSize()),
                      m.getBlockDimensions());
}
template <class T>
CSCMatrix<T> toCSC(const COOMatrix<T>& m) {
  std::vector<std::size_t> order(m.rowIndices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return m.columnIndices[a] < m.columnIndices[b];
  });
  CSCMatrix<T> csc(
      m.numRows, m.numColumns, {},
      startsOf(m.columnIndices, m.numColumns, m.getNumColumnsInBlock(), m.getBlockSize()), {},
      m.getBlockDimensions());
  for (auto block : order) {
    csc.rowIndices.push_back(m.rowIndices[block]);
    const auto first = m.nzValues.begin() + static_cast<long>(block * m.getBlockSize());
    csc.nzValues.insert(csc.nzValues.end(), first, first + static_cast<long>(m.getBlockSize()));
  }
  return csc;
}

// Values of blocks at their slots, and those of placed blocks back in coordinates.
template <class T>
std::vector<T> atSlots(const COOMatrix<T>& m, const std::vector<std::size_t>& slots,
                       std::size_t numSlots) {
  const auto size = m.getBlockSize();
  std::vector<T> values(numSlots * size);
  for (std::size_t i = 0; i != slots.size(); ++i)
    std::copy_n(m.nzValues.begin() + static_cast<long>(i * size), size,
                values.begin() + static_cast<long>(slots[i] * size));
  return values;
}
template <class T>
COOMatrix<T> fromSlots(const SparseShape& shape, const std::vector<PlacedBlock>& blocks,
                       const std::vector<T>& values) {
  COOMatrix<T> m(shape.rows, shape.inner, {}, {}, {}, {{shape.blockRows, shape.blockColumns}});
  for (const auto& block : blocks) {
    m.rowIndices.push_back(block.position.row);
    m.columnIndices.push_back(block.position.column);
    const auto first = values.begin() + static_cast<long>(block.slot * shape.blockSize());
    m.nzValues.insert(m.nzValues.end(), first, first + static_cast<long>(shape.blockSize()));
  }
  return m;
}

} // namespace popsparse
