// What kind of zeros a matrix has.
#pragma once

#include <array>
#include <cstddef>
#include <ostream>

namespace popsparse {
namespace dynamic {

/// Single elements are zero, or whole blocks.
enum class SparsityType { Element, Block };
std::ostream& operator<<(std::ostream& os, const SparsityType& type);

enum class SparsityStructure { Unstructured };
std::ostream& operator<<(std::ostream& os, const SparsityStructure& structure);

struct SparsityParams {
  SparsityType type;
  SparsityStructure structure;
  std::array<std::size_t, 2> blockDimensions; ///< rows and columns of a block

  SparsityParams(SparsityType sparsityType = SparsityType::Element,
                 SparsityStructure sparsityStructure = SparsityStructure::Unstructured,
                 std::array<std::size_t, 2> dimensions = {{1, 1}})
      : type(sparsityType), structure(sparsityStructure), blockDimensions(dimensions) {}

  std::size_t getNumRowsInBlock() const { return blockDimensions[0]; }
  std::size_t getNumColumnsInBlock() const { return blockDimensions[1]; }
  std::size_t getBlockSize() const { return blockDimensions[0] * blockDimensions[1]; }

  friend bool operator<(const SparsityParams& a, const SparsityParams& b);
  friend bool operator==(const SparsityParams& a, const SparsityParams& b);
  friend bool operator!=(const SparsityParams& a, const SparsityParams& b);
  friend std::ostream& operator<<(std::ostream& os, const SparsityParams& params);
};

} // namespace dynamic
} // namespace popsparse
