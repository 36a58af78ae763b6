// Where the values of a matrix are kept whose zeros are known when the graph is built: partition by
// partition, without gaps.
#pragma once

#include "popsparse/BucketLayout.hpp"
#include "popsparse/SparsePlan.hpp"

#include <popsparse/MatMulParams.hpp>

#include <array>
#include <vector>

namespace popsparse {

struct StaticLayout {
  SparsePlan plan;
  std::vector<std::vector<std::size_t>> metaInfo; // of each partition
  std::vector<poplar::Interval> blocks;           // of each partition
  std::vector<std::size_t> slots;                 // of each block of the matrix
  std::vector<PlacedBlock> placed;                // by rows and columns
};

// The sparse matrix is [m][k], or [k][m] if it is the right operand.
StaticLayout layOutStatic(const poplar::Target& target, const poplar::Type& type,
                          const static_::MatMulParams& params,
                          const std::array<std::size_t, 2>& blockDimensions,
                          const std::vector<BlockPosition>& positions);

void checkStaticOptions(const poplar::OptionFlags& options);

} // namespace popsparse
