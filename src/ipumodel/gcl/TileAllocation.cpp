#include <gcl/TileAllocation.hpp>
#include <poputil/exceptions.hpp>

#include <string>

namespace gcl {
namespace {
// Graphcore's documentation of overlapped I/O names 32 as the smallest number of I/O tiles.
constexpr unsigned kMinIoTiles = 32;
} // namespace

unsigned getMinIoTiles(const poplar::Graph& graph) {
  const auto tilesPerIPU = graph.getTarget().getTilesPerIPU();
  return kMinIoTiles < tilesPerIPU ? kMinIoTiles : tilesPerIPU;
}

std::vector<unsigned> perIPUTiles(const poplar::Graph& graph, unsigned offset, unsigned count, bool,
                                  bool) {
  const auto tilesPerIPU = graph.getTarget().getTilesPerIPU();
  if (offset + count > tilesPerIPU)
    throw poputil::poplibs_error("perIPUTiles: tiles " + std::to_string(offset) + " to " +
                                 std::to_string(offset + count) + " of " +
                                 std::to_string(tilesPerIPU));
  std::vector<unsigned> tiles(count);
  for (unsigned i = 0; i != count; ++i)
    tiles[i] = offset + i;
  return tiles;
}

} // namespace gcl
