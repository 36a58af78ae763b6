#include "plan/TilePartition.hpp"

#include "network/SettingError.hpp"
#include "plan/Require.hpp"

#include <algorithm>
#include <string>

namespace spillway::plan {

namespace {

constexpr std::uint32_t kNumControlTiles = 1;

std::uint32_t ceilDiv(std::uint32_t a, std::uint32_t b) {
  return a / b + (a % b != 0);
}

std::uint64_t tilesNeeded(const std::vector<std::uint32_t>& sizes, std::uint32_t neuronsPerTile) {
  std::uint64_t total = 0;
  for (std::uint32_t size : sizes)
    total += ceilDiv(size, neuronsPerTile);
  return total;
}

// The least number of neurons per tile for which `numTiles` suffice; 0 if none does.
std::uint32_t leastNeuronsPerTile(const std::vector<std::uint32_t>& sizes, std::uint64_t numTiles) {
  std::uint32_t low = 1, high = *std::max_element(sizes.begin(), sizes.end());
  if (tilesNeeded(sizes, high) > numTiles)
    return 0;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (tilesNeeded(sizes, middle) <= numTiles)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

LayerShares sharesOf(std::uint32_t size, std::uint32_t perTile, std::uint32_t firstTile) {
  LayerShares shares;
  for (std::uint32_t first = 0; first < size; first += perTile)
    shares.push_back({firstTile + first / perTile, first, std::min(perTile, size - first)});
  return shares;
}

// Where layers begin: one after the other, or where none has to cross from one IPU to the next if
// it can be helped.
std::vector<std::uint32_t> firstTiles(const std::vector<std::uint32_t>& sizes,
                                      std::uint32_t neuronsPerTile, const MachineShape& machine) {
  const std::uint32_t perIpu = machine.numTiles / machine.numIpus;
  std::vector<std::uint32_t> close, whole;
  std::uint32_t afterClose = kNumControlTiles, afterWhole = kNumControlTiles;
  for (const std::uint32_t size : sizes) {
    const std::uint32_t numTiles = ceilDiv(size, neuronsPerTile);
    close.push_back(afterClose);
    afterClose += numTiles;
    const bool crosses = afterWhole / perIpu != (afterWhole + numTiles - 1) / perIpu;
    if (crosses && numTiles <= perIpu) {
      afterWhole = (afterWhole / perIpu + 1) * perIpu;
    }
    whole.push_back(afterWhole);
    afterWhole += numTiles;
  }
  return afterWhole + machine.numIoTiles <= machine.numTiles ? whole : close;
}

void requireLayers(const std::vector<std::uint32_t>& sizes) {
  if (sizes.empty())
    throw UserError("the network has no layers to map");
  for (std::uint32_t size : sizes)
    requireAtLeastOne("layer size", size);
}

} // namespace

std::uint32_t TilePartition::firstFreeTile() const {
  return layers.empty() ? kNumControlTiles : layers.back().back().tile + 1;
}

std::vector<std::uint32_t> mappedSizes(const NetworkSpec& network) {
  std::vector<std::uint32_t> sizes;
  for (const LayerSpec& layer : network.layers)
    sizes.push_back(layer.size);
  if (network.readout.kind != ReadoutKind::SpikeCount)
    sizes.push_back(network.readout.numOutputs);
  return sizes;
}

std::uint32_t ioTilesOf(std::uint32_t numTiles, std::uint32_t numIpus) {
  constexpr std::uint32_t kUsual = 32;
  return numIpus > 1 ? 0 : std::min(kUsual, numTiles / 4);
}

std::uint32_t spareIoTiles(const NetworkSpec& network, const MachineShape& machine,
                           std::uint32_t neuronsPerTile) {
  const std::vector<std::uint32_t> sizes = mappedSizes(network);
  const std::uint32_t numIoTiles = ioTilesOf(machine.numTiles, machine.numIpus);
  const std::uint64_t available =
      machine.numTiles > kNumControlTiles ? machine.numTiles - kNumControlTiles : 0;
  if (neuronsPerTile == 0)
    neuronsPerTile = leastNeuronsPerTile(sizes, available);
  const bool fits =
      neuronsPerTile != 0 && tilesNeeded(sizes, neuronsPerTile) + numIoTiles <= available;
  return fits ? numIoTiles : 0;
}

TilePartition partitionForIpu(const NetworkSpec& network, const MachineShape& machine,
                              std::uint32_t neuronsPerTile) {
  const std::vector<std::uint32_t> sizes = mappedSizes(network);
  requireLayers(sizes);
  const std::uint64_t reserved = std::uint64_t{kNumControlTiles} + machine.numIoTiles;
  const std::uint64_t available = machine.numTiles > reserved ? machine.numTiles - reserved : 0;
  const std::uint32_t least = leastNeuronsPerTile(sizes, available);
  if (least == 0)
    throw SettingError("machine.tiles",
                       std::to_string(sizes.size()) + " layers need a tile each, and " +
                           std::to_string(available) + " of " + std::to_string(machine.numTiles) +
                           " tiles are left beside control and IO; raise machine.tiles");
  if (neuronsPerTile == 0) // as without IO tiles: what a tile holds decides how its sums round
    neuronsPerTile = leastNeuronsPerTile(sizes, available + machine.numIoTiles);
  if (tilesNeeded(sizes, neuronsPerTile) > available)
    throw SettingError("machine.neuronsPerTile",
                       std::to_string(neuronsPerTile) + " neurons per tile need " +
                           std::to_string(tilesNeeded(sizes, neuronsPerTile)) + " tiles, and " +
                           std::to_string(available) + " are left; at least " +
                           std::to_string(least) +
                           " neurons per tile (machine.neuronsPerTile) fit");
  TilePartition partition;
  partition.numTiles = machine.numTiles;
  partition.numIoTiles = machine.numIoTiles;
  for (const std::uint32_t first : firstTiles(sizes, neuronsPerTile, machine)) {
    const std::uint32_t size = sizes[partition.layers.size()];
    partition.layers.push_back(sharesOf(size, neuronsPerTile, first));
  }
  return partition;
}

namespace {

// Dense products take so many rows and columns at once, and sparse ones rows of whole registers.
// Where tiles have few neurons it would leave the last one too little.
constexpr std::uint32_t kWideRow = 32, kLeastWide = 3 * kWideRow;
constexpr std::uint32_t kGatedMultiple =
    16; // so that every row of a tile's weights begins a vector

// Gated layers have three columns a neuron: few enough neurons that the rows of a tile that samples
// share stay in the second-level cache, and so many that what is done once a row is little beside
// its products.
std::uint32_t mostGatedNeurons(const NetworkSpec& network, std::size_t layer) {
  constexpr std::uint64_t kCacheBytes = 1u << 21, kMost = 160;
  const std::uint64_t size = network.layers[layer].size;
  const std::uint64_t rows = layer == 0 ? std::max<std::uint64_t>(network.numInputs, size)
                                        : network.layers[layer - 1].size + size;
  const std::uint64_t fitting = kCacheBytes / (rows * kNumGates * sizeof(float));
  const std::uint64_t vectors = std::max(fitting / kGatedMultiple, std::uint64_t{1});
  return static_cast<std::uint32_t>(std::min(vectors * kGatedMultiple, kMost));
}

// Spiking layers that run in blocks of steps: as many neurons as their loops take at once. Rows of
// weights then follow one another, and take places all over the second-level cache; of every second
// half-row they would take half of them. Of large layers more, since every tile sends something
// back to all of the layer below.
std::uint32_t mostSpikingNeurons(const NetworkSpec& network, std::size_t layer) {
  constexpr std::uint32_t kAtOnce = 128, kTiles = 16;
  const auto& layers = network.layers;
  const bool inBlocks = std::none_of(layers.begin(), layers.end(),
                                     [](const LayerSpec& l) { return l.isRecurrent(); });
  return inBlocks ? std::max(kAtOnce, ceilDiv(layers[layer].size, kTiles)) : UINT32_MAX;
}

std::uint32_t mostNeurons(const NetworkSpec& network, std::size_t layer) {
  if (layer >= network.layers.size())
    return UINT32_MAX;
  return network.isGated() ? mostGatedNeurons(network, layer) : mostSpikingNeurons(network, layer);
}

} // namespace

TilePartition partitionForCpu(const NetworkSpec& network, const CpuShape& shape) {
  const std::vector<std::uint32_t> sizes = mappedSizes(network);
  requireLayers(sizes);
  requireAtLeastOne("neurons per tile", shape.neuronsPerTile);
  requireAtLeastOne("tiles per layer", shape.minTilesPerLayer);
  requireAtLeastOne("row multiple", shape.rowMultiple);
  std::uint32_t perTile = shape.neuronsPerTile;
  if (shape.maxTiles != 0) {
    if (shape.maxTiles < sizes.size() * shape.minTilesPerLayer + kNumControlTiles)
      throw UserError(std::to_string(shape.maxTiles) + " tiles for " +
                      std::to_string(sizes.size()) + " layers; at least " +
                      std::to_string(sizes.size() * shape.minTilesPerLayer + kNumControlTiles) +
                      " are needed");
    const std::uint64_t forNeurons =
        shape.maxTiles - kNumControlTiles - sizes.size() * (shape.minTilesPerLayer - 1);
    perTile = std::max(perTile, leastNeuronsPerTile(sizes, forNeurons));
  }
  TilePartition partition;
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    const std::uint32_t size = sizes[l];
    const bool chosen = shape.maxTiles == 0 && shape.rowMultiple > 1; // else taken as it is
    const std::uint32_t most = chosen ? mostNeurons(network, l) : UINT32_MAX;
    const std::uint32_t least = size < shape.leastToSplit ? 1 : shape.minTilesPerLayer;
    const std::uint32_t tiles = std::max(ceilDiv(size, std::min(perTile, most)), least);
    const std::uint32_t even = ceilDiv(size, tiles);
    // Whole vectors where that still leaves work for the least number of tiles.
    const bool gated = chosen && l < network.layers.size() && network.isGated();
    const bool wide = chosen && even >= kLeastWide;
    const std::uint32_t multiple = gated ? kGatedMultiple : wide ? kWideRow : shape.rowMultiple;
    const std::uint32_t rounded = ceilDiv(even, multiple) * multiple;
    const std::uint32_t share = ceilDiv(size, rounded) >= std::min(size, least) ? rounded : even;
    partition.layers.push_back(sharesOf(size, share, partition.firstFreeTile()));
  }
  partition.numTiles = partition.firstFreeTile();
  return partition;
}

} // namespace spillway::plan
