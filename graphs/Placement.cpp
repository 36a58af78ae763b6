#include "graphs/Placement.hpp"

#include "codelets/maths/Lists.hpp"
#include "plan/HistorySpread.hpp"

#include <algorithm>

namespace spillway {
namespace {

std::uint32_t ceilDivide(std::uint32_t a, std::uint32_t b) {
  return (a + b - 1) / b;
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

// Over the tiles after the control tile.
void spreadShards(Placement& placement, const std::vector<std::uint32_t>& widths,
                  std::uint32_t numSamples, std::uint32_t numTiles) {
  for (const plan::ListShard& shard : plan::spreadLists(widths, numSamples, numTiles)) {
    placement.lists[shard.list].shards.push_back(
        {1 + shard.tile, shard.sample, 1, shard.firstWord, shard.numWords});
  }
}

} // namespace

std::uint32_t bytesPerId(const NetworkSpec& network) {
  constexpr std::uint32_t kShortIds = 1u << 16;
  std::uint32_t most = network.numInputs;
  for (const LayerSpec& layer : network.layers) {
    most = std::max(most, layer.size);
  }
  return most < kShortIds ? 2 : 4;
}

std::vector<ListExtent> listExtents(const NetworkSpec& network) {
  std::vector<ListExtent> extents;
  const auto add = [&](std::uint32_t size, std::uint32_t cap) {
    const std::uint32_t capacity = cap == 0 ? size : cap;
    extents.push_back({capacity, listWords(capacity, network.isGated(), bytesPerId(network))});
  };
  add(network.numInputs, network.maxInputEvents);
  for (const LayerSpec& layer : network.layers) {
    add(layer.size, layer.maxActive);
  }
  return extents;
}

Placement makePlacement(const NetworkSpec& network, const plan::TilePartition& partition,
                        std::uint32_t numSamples, std::uint32_t samplesPerGroup,
                        ListSpread spread) {
  Placement placement;
  placement.numTiles = partition.numTiles;
  for (std::uint32_t i = partition.numIoTiles; i > 0; --i) {
    placement.ioTiles.push_back(partition.numTiles - i);
  }
  for (const plan::LayerShares& shares : partition.layers) {
    UnitPlacement unit{shares.front().numNeurons, {}};
    for (const plan::TileShare& share : shares) {
      unit.tiles.push_back(share.tile);
    }
    placement.units.push_back(std::move(unit));
  }
  std::vector<std::uint32_t> widths;
  for (const ListExtent& extent : listExtents(network)) {
    widths.push_back(extent.words);
  }
  for (std::size_t h = 0; h < widths.size(); ++h) {
    const std::vector<unsigned>& tiles = placement.units[h == 0 ? 0 : h - 1].tiles;
    ListPlacement list{groupSamples(tiles, numSamples, samplesPerGroup), {}};
    if (spread == ListSpread::WithGroups) {
      list.shards = shardsLikeGroups(list.groups, widths[h]);
    }
    placement.lists.push_back(std::move(list));
  }
  if (spread == ListSpread::OverAllTiles) {
    spreadShards(placement, widths, numSamples, partition.numTiles - partition.numIoTiles - 1);
  }
  return placement;
}

} // namespace spillway
