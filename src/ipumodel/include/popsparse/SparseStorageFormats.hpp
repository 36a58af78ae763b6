// Sparse matrices on the host. With blocks, indices are those of a block's first row and column in
// elements, and the values of a block follow one another by rows; single elements are blocks of
// one.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace popsparse {

struct Block {
  std::size_t getNumColumnsInBlock() const { return blockDimensions[1]; }
  std::size_t getNumRowsInBlock() const { return blockDimensions[0]; }
  std::size_t getBlockSize() const { return blockDimensions[0] * blockDimensions[1]; }
  std::array<std::size_t, 2> getBlockDimensions() const { return blockDimensions; }

protected:
  explicit Block(const std::array<std::size_t, 2>& dimensions) : blockDimensions(dimensions) {}

  std::array<std::size_t, 2> blockDimensions; // rows, columns
};

/// Coordinates of each block.
template <typename T>
struct COOMatrix : Block {
  std::size_t numRows = 0, numColumns = 0; ///< of the matrix; 0 where it was not said
  std::vector<T> nzValues;
  std::vector<std::size_t> columnIndices; ///< of each block
  std::vector<std::size_t> rowIndices;    ///< of each block

  COOMatrix(std::vector<T> values, std::vector<std::size_t> columns, std::vector<std::size_t> rows,
            const std::array<std::size_t, 2>& dimensions = {{1, 1}})
      : Block(dimensions),
        nzValues(std::move(values)),
        columnIndices(std::move(columns)),
        rowIndices(std::move(rows)) {}
  COOMatrix(std::size_t rowsOfMatrix, std::size_t columnsOfMatrix, std::vector<T> values,
            std::vector<std::size_t> columns, std::vector<std::size_t> rows,
            const std::array<std::size_t, 2>& dimensions = {{1, 1}})
      : Block(dimensions),
        numRows(rowsOfMatrix),
        numColumns(columnsOfMatrix),
        nzValues(std::move(values)),
        columnIndices(std::move(columns)),
        rowIndices(std::move(rows)) {}
  /// Room for that many values.
  COOMatrix(std::size_t numNZValues, const std::array<std::size_t, 2>& dimensions = {{1, 1}})
      : Block(dimensions),
        nzValues(numNZValues),
        columnIndices(numNZValues / getBlockSize()),
        rowIndices(numNZValues / getBlockSize()) {}
  COOMatrix(const std::array<std::size_t, 2>& dimensions = {{1, 1}}) : Block(dimensions) {}
};

/// Compressed columns.
template <typename T>
struct CSCMatrix : Block {
  std::size_t numRows = 0, numColumns = 0; ///< of the matrix; 0 where it was not said
  std::vector<T> nzValues;
  /// Where in nzValues each column of blocks begins, and their number.
  std::vector<std::size_t> columnIndices;
  std::vector<std::size_t> rowIndices; ///< of each block

  CSCMatrix(std::vector<T> values, std::vector<std::size_t> columns, std::vector<std::size_t> rows,
            const std::array<std::size_t, 2>& dimensions = {{1, 1}})
      : Block(dimensions),
        nzValues(std::move(values)),
        columnIndices(std::move(columns)),
        rowIndices(std::move(rows)) {}
  CSCMatrix(std::size_t rowsOfMatrix, std::size_t columnsOfMatrix, std::vector<T> values,
            std::vector<std::size_t> columns, std::vector<std::size_t> rows,
            const std::array<std::size_t, 2>& dimensions = {{1, 1}})
      : Block(dimensions),
        numRows(rowsOfMatrix),
        numColumns(columnsOfMatrix),
        nzValues(std::move(values)),
        columnIndices(std::move(columns)),
        rowIndices(std::move(rows)) {}
  /// Room for that many values and columns of blocks.
  CSCMatrix(std::size_t numNZValues, std::size_t numColumnBlocks,
            const std::array<std::size_t, 2>& dimensions = {{1, 1}})
      : Block(dimensions),
        nzValues(numNZValues),
        columnIndices(numColumnBlocks + 1),
        rowIndices(numNZValues / getBlockSize()) {}
  CSCMatrix(const std::array<std::size_t, 2>& dimensions = {{1, 1}}) : Block(dimensions) {}
};

/// Compressed rows.
template <typename T>
struct CSRMatrix : Block {
  std::size_t numRows = 0, numColumns = 0; ///< of the matrix; 0 where it was not said
  std::vector<T> nzValues;
  std::vector<std::size_t> columnIndices; ///< of each block
  /// Where in nzValues each row of blocks begins, and their number.
  std::vector<std::size_t> rowIndices;

  CSRMatrix(std::vector<T> values, std::vector<std::size_t> columns, std::vector<std::size_t> rows,
            const std::array<std::size_t, 2>& dimensions = {{1, 1}})
      : Block(dimensions),
        nzValues(std::move(values)),
        columnIndices(std::move(columns)),
        rowIndices(std::move(rows)) {}
  CSRMatrix(std::size_t rowsOfMatrix, std::size_t columnsOfMatrix, std::vector<T> values,
            std::vector<std::size_t> columns, std::vector<std::size_t> rows,
            const std::array<std::size_t, 2>& dimensions = {{1, 1}})
      : Block(dimensions),
        numRows(rowsOfMatrix),
        numColumns(columnsOfMatrix),
        nzValues(std::move(values)),
        columnIndices(std::move(columns)),
        rowIndices(std::move(rows)) {}
  /// Room for that many values and rows of blocks.
  CSRMatrix(std::size_t numNZValues, std::size_t numRowBlocks,
            const std::array<std::size_t, 2>& dimensions = {{1, 1}})
      : Block(dimensions),
        nzValues(numNZValues),
        columnIndices(numNZValues / getBlockSize()),
        rowIndices(numRowBlocks + 1) {}
  CSRMatrix(const std::array<std::size_t, 2>& dimensions = {{1, 1}}) : Block(dimensions) {}
};

} // namespace popsparse
