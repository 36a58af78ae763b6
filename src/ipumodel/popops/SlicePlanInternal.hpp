// What a SlicePlan says.
#pragma once

#include <poplar/Graph.hpp>

#include <cstddef>
#include <tuple>

namespace popops {

// How many parts rows and columns of the table are cut into, and the indices. Each tile has one
// part of each.
struct SlicePartition {
  std::size_t rows = 1, columns = 1, lookups = 1;

  // Without such cuts, slices follow the columns of the table wherever it lies.
  bool cutsColumnsOnly() const { return rows * lookups == 1; }
};

// Of indices and slices that updates of divided tables bring to a tile at once; more come in
// rounds.
constexpr std::size_t kUpdateBytes = 128 * 1024;

struct SliceProblem {
  std::size_t numRows, numColumns, numLookups;
  unsigned bytesPerElement;
  bool isSliced, isUpdated;
};

// The partition that takes fewest cycles within `bytesPerTile`, or fewest bytes if none fits.
SlicePartition choosePartition(const SliceProblem& problem, unsigned numTiles, double bytesPerTile);

class SlicePlanInternal {
public:
  std::size_t groupSize = 0, numEntries = 0, outputSize = 0;
  SlicePartition partition;

  auto key() const {
    return std::tuple{groupSize,      numEntries,        outputSize,
                      partition.rows, partition.columns, partition.lookups};
  }
};

} // namespace popops
