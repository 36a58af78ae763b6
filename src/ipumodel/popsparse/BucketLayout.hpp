// Where in the buckets the blocks of a matrix are kept.
#pragma once

#include "popsparse/SparsePlan.hpp"

#include <cstddef>
#include <vector>

namespace popsparse {

struct BlockPosition {
  std::size_t row, column; // of its first element

  friend bool operator<(const BlockPosition& a, const BlockPosition& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  }
};

struct BucketLayout {
  std::vector<std::size_t> metaInfo;
  std::vector<std::size_t> slots; // of each block, counted in blocks over all buckets
};

// The numbers of the blocks of each partition, by rows and columns. Throws poplibs_error for
// positions outside the matrix, off the grid of blocks or twice.
std::vector<std::vector<std::size_t>> partitionBlocks(const SparsePlan& plan,
                                                      const std::vector<BlockPosition>& blocks);

// The description of a piece: blocks of one partition, at most kMaxPiece of them.
constexpr std::size_t kMaxPiece = 65535;
void appendPiece(std::vector<std::size_t>& metaInfo, const SparsePlan& plan, std::size_t partition,
                 const std::vector<BlockPosition>& blocks, const std::size_t* first,
                 std::size_t count);

// Throws poplibs_error as partitionBlocks does, and for more blocks than fit.
BucketLayout layOutBuckets(const SparsePlan& plan, const std::vector<BlockPosition>& blocks);

// The positions and slots that meta information names, by rows and columns.
struct PlacedBlock {
  BlockPosition position;
  std::size_t slot;
};
std::vector<PlacedBlock> readBuckets(const SparsePlan& plan,
                                     const std::vector<std::size_t>& metaInfo);

} // namespace popsparse
