#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace poputil {
namespace {

// Less than this on a tile costs more in exchange than it saves in balance.
constexpr unsigned kMinBytesPerTile = 128;

struct Grain {
  unsigned minElementsPerTile, grainSize;
};

Grain naturalGrain(const poplar::Graph& graph, const poplar::Type& type) {
  const auto& target = graph.getTarget();
  const auto typeSize = static_cast<unsigned>(target.getTypeSize(type));
  return {(kMinBytesPerTile + typeSize - 1) / typeSize, target.getVectorWidth(type)};
}

std::size_t product(const std::vector<std::size_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

} // namespace

unsigned invTransformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending) {
  const unsigned shifted = (tile + offset) % numTiles;
  return ascending ? shifted : numTiles - 1 - shifted;
}

unsigned transformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending) {
  const unsigned fromStart = ascending ? tile : numTiles - 1 - tile;
  return (fromStart + numTiles - offset % numTiles) % numTiles;
}

std::vector<std::vector<poplar::Interval>>
calcLinearTileMapping(const poplar::Graph& graph, std::vector<std::size_t> shape,
                      unsigned minElementsPerTile, unsigned grainSize, unsigned offset,
                      bool ascendingOrder) {
  const auto numTiles = graph.getTarget().getNumTiles();
  const auto parts =
      splitRegions({poplar::Interval(0, product(shape))}, grainSize, numTiles, minElementsPerTile);
  std::vector<std::vector<poplar::Interval>> mapping(numTiles);
  for (unsigned i = 0; i != parts.size(); ++i)
    mapping[invTransformTileIndex(i, numTiles, offset, ascendingOrder)] = parts[i];
  return mapping;
}

std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(const poplar::Graph& graph,
                                                                 const poplar::Tensor& t,
                                                                 unsigned offset,
                                                                 bool ascendingOrder) {
  const auto grain = naturalGrain(graph, t.elementType());
  return calcLinearTileMapping(graph, t.shape(), grain.minElementsPerTile, grain.grainSize, offset,
                               ascendingOrder);
}

std::pair<poplar::Graph::TileToTensorMapping, unsigned>
calcLinearTileMappingAndNewOffset(const poplar::Graph& graph, const poplar::Tensor& t,
                                  unsigned offset) {
  auto mapping = calcLinearTileMapping(graph, t, offset);
  const auto used = static_cast<unsigned>(std::count_if(
      mapping.begin(), mapping.end(), [](const auto& regions) { return !regions.empty(); }));
  const auto newOffset = (offset + used) % static_cast<unsigned>(mapping.size());
  return {std::move(mapping), newOffset};
}

void mapTensorLinearlyWithOffset(poplar::Graph& graph, const poplar::Tensor& t,
                                 unsigned minElementsPerTile, unsigned grainSize, unsigned offset,
                                 bool ascendingOrder) {
  graph.setTileMapping(t, calcLinearTileMapping(graph, t.shape(), minElementsPerTile, grainSize,
                                                offset, ascendingOrder));
}

void mapTensorLinearlyWithOffset(poplar::Graph& graph, const poplar::Tensor& t, unsigned offset,
                                 bool ascendingOrder) {
  graph.setTileMapping(t, calcLinearTileMapping(graph, t, offset, ascendingOrder));
}

void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t, unsigned minElementsPerTile,
                       unsigned grainSize) {
  mapTensorLinearlyWithOffset(graph, t, minElementsPerTile, grainSize, 0);
}

void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t) {
  mapTensorLinearlyWithOffset(graph, t, 0);
}

std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape) {
  return chooseMappingOffset(numTiles, shape, 0x9ddfea08eb382d69u);
}

std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape,
                                std::size_t seed) {
  std::size_t hash = seed;
  for (std::size_t size : shape)
    hash = (hash ^ size) * 0x100000001b3u; // the FNV prime
  return (hash ^ (hash >> 29)) % numTiles;
}

unsigned getTileImbalance(const poplar::Graph::TileToTensorMapping& mapping,
                          unsigned minElementsPerTile, unsigned grainSize) {
  std::size_t fullest = 0, total = 0;
  for (const auto& regions : mapping) {
    std::size_t onTile = 0;
    for (const auto& region : regions)
      onTile += region.size();
    fullest = std::max(fullest, onTile);
    total += onTile;
  }
  const std::size_t numTiles = std::max<std::size_t>(mapping.size(), 1);
  const std::size_t grain = std::max(grainSize, 1u);
  const auto even = ((total + numTiles - 1) / numTiles + grain - 1) / grain * grain;
  const auto expected = std::max<std::size_t>(even, minElementsPerTile);
  return fullest > expected ? static_cast<unsigned>(fullest - expected) : 0;
}

unsigned getTileImbalance(const poplar::Graph& graph, const poplar::Tensor& t,
                          unsigned minElementsPerTile, unsigned grainSize) {
  return getTileImbalance(graph.getTileMapping(t), minElementsPerTile, grainSize);
}

void rebalanceTensor(poplar::Graph& graph, const poplar::Tensor& t, unsigned minElementsPerTile,
                     unsigned grainSize, unsigned imbalanceThreshold) {
  if (getTileImbalance(graph, t, minElementsPerTile, grainSize) > imbalanceThreshold)
    mapTensorLinearly(graph, t, minElementsPerTile, grainSize);
}

void rebalanceTensor(poplar::Graph& graph, const poplar::Tensor& t) {
  const auto grain = naturalGrain(graph, t.elementType());
  rebalanceTensor(graph, t, grain.minElementsPerTile, grain.grainSize, 0);
}

bool dimIsSplitOverTiles(const poplar::Graph& graph, const poplar::Tensor& t, unsigned dimension) {
  const auto rows = t.dimRoll(dimension, 0);
  const auto rowSize = rows.dim(0) ? rows.numElements() / rows.dim(0) : 0;
  std::vector<unsigned> tileOfColumn(rowSize, ~0u);
  const auto mapping = graph.getTileMapping(rows);
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    for (const auto& region : mapping[tile])
      for (auto i = region.begin(); i != region.end(); ++i) {
        auto& first = tileOfColumn[i % rowSize];
        if (first != ~0u && first != tile)
          return true;
        first = tile;
      }
  return false;
}

bool dimIsSplitOverIPUs(const poplar::Graph& graph, const poplar::Tensor& t, unsigned dimension) {
  const auto tilesPerIPU = graph.getTarget().getTilesPerIPU();
  const auto rows = t.dimRoll(dimension, 0);
  const auto rowSize = rows.dim(0) ? rows.numElements() / rows.dim(0) : 0;
  std::vector<unsigned> ipuOfColumn(rowSize, ~0u);
  const auto mapping = graph.getTileMapping(rows);
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    for (const auto& region : mapping[tile])
      for (auto i = region.begin(); i != region.end(); ++i) {
        auto& first = ipuOfColumn[i % rowSize];
        if (first != ~0u && first != tile / tilesPerIPU)
          return true;
        first = tile / tilesPerIPU;
      }
  return false;
}

} // namespace poputil
