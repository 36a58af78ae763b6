// The choice of a partition: every one whose parts fit the tiles is weighed.
#include "popops/SlicePlanInternal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace popops {
namespace {

constexpr double kWorkers = 6, kStageCycles = 200; // of a further compute set and exchange

struct Cost {
  double cycles, bytes; // of a tile
};

std::size_t shareOf(std::size_t total, std::size_t parts) {
  return (total + parts - 1) / parts;
}

// Exchange brings four bytes a cycle.
Cost costOf(const SliceProblem& p, const SlicePartition& parts) {
  const auto rows = static_cast<double>(shareOf(p.numRows, parts.rows));
  const auto lookups = static_cast<double>(shareOf(p.numLookups, parts.lookups));
  const double rowBytes = static_cast<double>(shareOf(p.numColumns, parts.columns)) *
                          static_cast<double>(p.bytesPerElement);
  const double vectors = std::ceil(rowBytes / 8);
  const auto perTable = static_cast<double>(parts.rows),
             perIndex = static_cast<double>(parts.lookups);
  Cost cost{0, rows * rowBytes / perIndex};
  double bytes = 0; // besides
  if (p.isSliced) {
    cost.cycles += kWorkers * (30 + std::ceil(lookups / kWorkers) * (19 + 2 * vectors)) + lookups;
    bytes = lookups * (4 + rowBytes / perTable);
    if (parts.lookups > 1) { // the rows come to all tiles that look up in them
      cost.cycles += rows * rowBytes / 4;
      bytes += rows * rowBytes;
    }
    if (parts.rows > 1) { // a row comes from one of the parts
      cost.cycles += kStageCycles + lookups * rowBytes * (1. / 4 + 1. / 8);
      bytes += 2 * lookups * rowBytes;
    }
  }
  if (p.isUpdated) { // every tile sees all indices
    const auto all = static_cast<double>(p.numLookups);
    cost.cycles +=
        kWorkers * (32 + all * (11 + 3 * std::ceil(vectors / kWorkers))) + all * (1 + rowBytes / 4);
    const double brought = all * (4 + rowBytes);
    bytes =
        std::max(bytes, parts.cutsColumnsOnly() ? brought : std::min(brought, 1. * kUpdateBytes));
  }
  cost.bytes += bytes;
  return cost;
}

} // namespace

SlicePartition choosePartition(const SliceProblem& problem, unsigned numTiles,
                               double bytesPerTile) {
  const std::size_t grain = std::max(1u, 4 / problem.bytesPerElement); // words are not shared
  const auto most = [](std::size_t parts) { return std::max<std::size_t>(parts, 1); };
  const auto maxColumns = std::min<std::size_t>(numTiles, most(problem.numColumns / grain));
  SlicePartition best;
  Cost least{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (std::size_t columns = 1; columns <= maxColumns; ++columns)
    for (std::size_t rows = 1; rows <= std::min(most(problem.numRows), numTiles / columns); ++rows)
      for (std::size_t lookups = 1;
           lookups <= std::min(most(problem.numLookups), numTiles / columns / rows); ++lookups) {
        const SlicePartition parts{rows, columns, lookups};
        const Cost cost = costOf(problem, parts);
        const bool fits = cost.bytes <= bytesPerTile, fitted = least.bytes <= bytesPerTile;
        if (fits != fitted ? fits : fits ? cost.cycles < least.cycles : cost.bytes < least.bytes) {
          best = parts;
          least = cost;
        }
      }
  return best;
}

} // namespace popops
