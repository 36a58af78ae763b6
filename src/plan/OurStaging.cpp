#include "plan/OurStaging.hpp"

#include "plan/HistorySpread.hpp"

namespace spillway::plan {

void addStaging(const LayoutInWork& work) {
  const TilePartition& partition = work.partition;
  if (partition.numIoTiles == 0)
    return;
  std::vector<std::size_t> sizes;
  for (const LayerShares& layer : partition.layers)
    for (const TileShare& share : layer)
      sizes.push_back(work.machine.tiles[share.tile].stateBytes);
  const std::vector<std::uint32_t> tiles = spreadPieces(sizes, partition.numIoTiles);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    TileBytes& io = work.machine.tiles[partition.numTiles - partition.numIoTiles + tiles[i]];
    io.stagedBytes += sizes[i];
    ++io.stagedPieces;
  }
}

} // namespace spillway::plan
