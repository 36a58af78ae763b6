// The blocks that a mask of bytes names.
#pragma once

#include <poplar/Tensor.hpp>

#include <popsparse/experimental/BlockSparse.hpp>

#include <cstddef>
#include <vector>

namespace popsparse {
namespace experimental {

struct MaskedBlock {
  std::size_t row, column; // of blocks
  std::size_t index;       // among the blocks that are there
};

// By rows, of a mask of rows x columns bytes; `firstIndex` is that of the first one.
std::vector<MaskedBlock> maskedBlocks(const unsigned char* mask, std::size_t rows,
                                      std::size_t columns, std::size_t firstIndex = 0);

// Views of the elements of block [rows][columns], whose first element is (row, column) of the
// matrix, that are on the masked side of its diagonal.
std::vector<poplar::Tensor> maskedElements(const poplar::Tensor& block, std::size_t row,
                                           std::size_t column, SubBlockMask mask);

} // namespace experimental
} // namespace popsparse
