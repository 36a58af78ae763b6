// How a product is cut into blocks.
#pragma once

#include <poplar/Target.hpp>
#include <poplar/Type.hpp>

#include <cstddef>
#include <cstdint>

namespace poplin {

struct MatMulShape {
  std::size_t groups, rows, inner, columns; // [G][M][K] times [G][K][N]
};

// Parts of each dimension, for one group; the tiles of a group follow one another.
struct MatMulPlan {
  std::size_t rowParts = 1, innerParts = 1, columnParts = 1;
  std::size_t tilesPerGroup = 1; // 1 also where groups outnumber tiles
  std::uint64_t cycles = 0;      // estimated

  std::size_t tilesUsed() const { return rowParts * innerParts * columnParts; }

  // The tile of block (row part, inner part, column part) of a group.
  unsigned tile(std::size_t group, std::size_t row, std::size_t inner, std::size_t column,
                unsigned numTiles) const {
    const auto within = (row * columnParts + column) * innerParts + inner;
    return static_cast<unsigned>((group * tilesPerGroup + within) % numTiles);
  }
};

MatMulPlan planMatMul(const poplar::Target& target, const poplar::Type& inputType,
                      const MatMulShape& shape);

} // namespace poplin
