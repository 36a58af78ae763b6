#include "graphs/Placement.hpp"

#include "codelets/maths/Lists.hpp"

#include <algorithm>

namespace spillway {
namespace {

std::uint32_t ceilDivide(std::uint32_t a, std::uint32_t b) {
  return (a + b - 1) / b;
}

std::vector<std::uint32_t> listWidths(const NetworkSpec& network) {
  std::vector<std::uint32_t> widths;
  widths.push_back(kListHeader +
                   (network.maxInputEvents == 0 ? network.numInputs : network.maxInputEvents));
  for (const LayerSpec& layer : network.layers) {
    widths.push_back(kListHeader + (layer.maxActive == 0 ? layer.size : layer.maxActive));
  }
  return widths;
}

// Samples in groups of groupSize on the tiles of the layer that makes the list (the input's on the
// first layer's), spread evenly.
std::vector<SampleGroup> groupSamples(const std::vector<unsigned>& tiles, std::uint32_t numSamples,
                                      std::uint32_t groupSize) {
  const std::uint32_t numGroups = ceilDivide(numSamples, groupSize);
  std::vector<SampleGroup> groups;
  for (std::uint32_t g = 0; g < numGroups; ++g) {
    const std::size_t at = std::size_t{g} * tiles.size() / numGroups;
    const std::uint32_t first = g * groupSize;
    groups.push_back({tiles[at], first, std::min(groupSize, numSamples - first)});
  }
  return groups;
}

// Where groups hold whole samples' lists over time, too.
std::vector<HistoryShard> shardsLikeGroups(const std::vector<SampleGroup>& groups,
                                           std::uint32_t width) {
  std::vector<HistoryShard> shards;
  for (const SampleGroup& group : groups) {
    shards.push_back({group.tile, group.firstSample, group.numSamples, 0, width});
  }
  return shards;
}

// The words of every list of a step dealt out evenly over the tiles, an even number of words at a
// time: the history is what grows with the sequence, so no tile may hold more of it than another.
void spreadShards(Placement& placement, const std::vector<std::uint32_t>& widths,
                  std::uint32_t numSamples, unsigned firstTile, std::uint32_t numTiles) {
  std::uint64_t total = 0;
  for (const std::uint32_t width : widths) {
    total += std::uint64_t{width} * numSamples;
  }
  std::uint64_t done = 0;
  for (std::size_t h = 0; h < widths.size(); ++h) {
    for (std::uint32_t b = 0; b < numSamples; ++b) {
      for (std::uint32_t word = 0; word < widths[h];) {
        const std::uint64_t tile = done * numTiles / total;
        const std::uint64_t nextTileAt = (total * (tile + 1) + numTiles - 1) / numTiles;
        std::uint32_t words = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(widths[h] - word, nextTileAt - done));
        words = std::min(widths[h] - word, (words + 1) / 2 * 2);
        placement.lists[h].shards.push_back(
            {firstTile + static_cast<unsigned>(tile), b, 1, word, words});
        word += words;
        done += words;
      }
    }
  }
}

} // namespace

Placement makePlacement(const NetworkSpec& network, const plan::TilePartition& partition,
                        std::uint32_t numSamples, std::uint32_t samplesPerGroup,
                        ListSpread spread) {
  Placement placement;
  placement.numTiles = partition.numTiles;
  for (const plan::LayerShares& shares : partition.layers) {
    UnitPlacement unit{shares.front().numNeurons, {}};
    for (const plan::TileShare& share : shares) {
      unit.tiles.push_back(share.tile);
    }
    placement.units.push_back(std::move(unit));
  }
  const std::vector<std::uint32_t> widths = listWidths(network);
  for (std::size_t h = 0; h < widths.size(); ++h) {
    const std::vector<unsigned>& tiles = placement.units[h == 0 ? 0 : h - 1].tiles;
    ListPlacement list{groupSamples(tiles, numSamples, samplesPerGroup), {}};
    if (spread == ListSpread::WithGroups) {
      list.shards = shardsLikeGroups(list.groups, widths[h]);
    }
    placement.lists.push_back(std::move(list));
  }
  if (spread == ListSpread::OverAllTiles) {
    spreadShards(placement, widths, numSamples, 1, partition.numTiles - partition.numIoTiles - 1);
  }
  return placement;
}

} // namespace spillway
