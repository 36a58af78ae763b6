// How a product with a sparse matrix is cut. Rows, columns and the columns of the dense operand are
// cut into parts; each part of rows and columns is a partition, which has a bucket of a fixed size
// for its values. A partition with more values than that lends some to the buckets after its own.
#pragma once

#include <poplar/Interval.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>
#include <poplar/Type.hpp>

#include <popsparse/FullyConnectedParams.hpp>
#include <popsparse/MatMulParams.hpp>

#include <cstddef>

namespace popsparse {

// Sparse [rows][inner] times dense [inner][columns].
struct SparseShape {
  std::size_t rows, inner, columns;
  std::size_t blockRows, blockColumns;
  std::size_t numBlocks; // at most

  std::size_t rowBlocks() const { return rows / blockRows; }
  std::size_t innerBlocks() const { return inner / blockColumns; }
  std::size_t blockSize() const { return blockRows * blockColumns; }
};

// Part i of n things in `parts` parts.
inline poplar::Interval partOf(std::size_t n, std::size_t parts, std::size_t i) {
  return {(i * n + parts - 1) / parts, ((i + 1) * n + parts - 1) / parts};
}

struct SparsePlan {
  SparseShape shape;
  std::size_t rowParts = 1, innerParts = 1, columnParts = 1;
  std::size_t blocksPerBucket = 0;

  std::size_t numPartitions() const { return rowParts * innerParts; }
  std::size_t valuesPerBucket() const { return blocksPerBucket * shape.blockSize(); }
  std::size_t piecesPerBucket() const;
  std::size_t metaPerBucket() const;

  // In blocks, and in elements.
  poplar::Interval rowBlocks(std::size_t part) const {
    return partOf(shape.rowBlocks(), rowParts, part);
  }
  poplar::Interval innerBlocks(std::size_t part) const {
    return partOf(shape.innerBlocks(), innerParts, part);
  }
  poplar::Interval rows(std::size_t part) const;
  poplar::Interval inner(std::size_t part) const;

  // The tile that works on part `column` of the dense columns for a partition.
  unsigned tile(std::size_t partition, std::size_t column) const {
    return static_cast<unsigned>(partition * columnParts + column);
  }
};

// Throw poplibs_error for sizes that are not whole blocks or for several groups, and
// invalid_option.
SparseShape shapeOf(const dynamic::MatMulParams& params);
SparseShape shapeOf(const dynamic::FullyConnectedParams& params);
SparsePlan planSparse(const poplar::Target& target, const poplar::Type& type,
                      const SparseShape& shape, const poplar::OptionFlags& options);
template <class Params>
SparsePlan planSparse(const poplar::Target& target, const poplar::Type& type, const Params& params,
                      const poplar::OptionFlags& options) {
  return planSparse(target, type, shapeOf(params), options);
}

// Parts with the fewest estimated cycles; the buckets are left empty.
SparsePlan chooseParts(const poplar::Target& target, const poplar::Type& type,
                       const SparseShape& shape);

} // namespace popsparse
