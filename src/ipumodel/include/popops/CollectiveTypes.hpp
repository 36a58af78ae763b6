// What the collectives of popops compute and give.
#pragma once

#include <gcl/CollectiveOperator.hpp>
#include <poplar/Tensor.hpp>
#include <popops/Operation.hpp>

#include <vector>

namespace popops {

/// Later programs give the operators of either library to the functions of the other.
using CollectiveOperator = gcl::CollectiveOperator;

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
