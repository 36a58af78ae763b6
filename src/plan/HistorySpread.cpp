#include "plan/HistorySpread.hpp"

#include <algorithm>

namespace spillway::plan {

std::vector<ListShard> spreadLists(const std::vector<std::uint32_t>& widths,
                                   std::uint32_t numSamples, std::uint32_t numTiles) {
  std::uint64_t total = 0;
  for (const std::uint32_t width : widths)
    total += std::uint64_t{width} * numSamples;
  std::vector<ListShard> shards;
  std::uint64_t done = 0;
  for (std::uint32_t list = 0; list < widths.size(); ++list)
    for (std::uint32_t sample = 0; sample < numSamples; ++sample)
      for (std::uint32_t word = 0; word < widths[list];) {
        const std::uint64_t tile = done * numTiles / total;
        const std::uint64_t nextTileAt = (total * (tile + 1) + numTiles - 1) / numTiles;
        const std::uint32_t left = widths[list] - word;
        std::uint32_t words =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(left, nextTileAt - done));
        words = std::min(left, (words + 1) / 2 * 2);
        shards.push_back({list, sample, word, words, static_cast<std::uint32_t>(tile)});
        word += words;
        done += words;
      }
  return shards;
}

std::vector<std::uint32_t> spreadPieces(const std::vector<std::size_t>& sizes,
                                        std::uint32_t numTiles) {
  std::uint64_t total = 0, done = 0;
  for (const std::size_t size : sizes)
    total += size;
  std::vector<std::uint32_t> tiles;
  for (const std::size_t size : sizes) {
    // An empty one at the end begins where the last tile ends.
    const std::uint64_t tile = total == 0 ? 0 : done * numTiles / total;
    tiles.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(tile, numTiles - 1)));
    done += size;
  }
  return tiles;
}

} // namespace spillway::plan
