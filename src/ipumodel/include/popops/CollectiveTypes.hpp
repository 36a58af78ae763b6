// What the collectives of popops compute and give.
#pragma once

#include <poplar/Tensor.hpp>
#include <popops/Operation.hpp>

#include <iosfwd>
#include <vector>

namespace popops {

/// LOCAL keeps the replica's own data.
enum class CollectiveOperator { ADD, MUL, MIN, MAX, LOGICAL_AND, LOGICAL_OR, SQUARE_ADD, LOCAL };

std::istream& operator>>(std::istream& is, CollectiveOperator& op);
std::ostream& operator<<(std::ostream& os, const CollectiveOperator& op);

/// Throws poplibs_error for LOG_ADD, which no collective computes.
CollectiveOperator operationToCollectiveOperator(const Operation& col);

/// A part of a result, on one IPU: part `index`; of those of one index, the one at `offset`.
struct Chunk {
  poplar::Tensor tensor;
  unsigned index = 0;
  unsigned offset = 0;

  Chunk() = default;
  Chunk(poplar::Tensor t, unsigned i, unsigned o) : tensor(t), index(i), offset(o) {}
};

struct Chunks {
  poplar::Tensor originalInput; ///< what was reduced
  std::vector<Chunk> chunks;

  Chunks() = default;
  Chunks(unsigned size) : chunks(size) {}
};

} // namespace popops
