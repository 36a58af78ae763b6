#include "plan/MemoryModel.hpp"

#include "plan/Require.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

constexpr std::uint32_t kFloatBytes = 4;
constexpr std::uint32_t kShortIds = 65536;

std::uint64_t ceilDiv(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

// What a layer sends: how many ids a list may hold and how wide one is.
struct IdList {
  std::uint64_t length = 0;
  std::uint32_t bytes = 4;
};

IdList listOf(std::uint32_t size, std::uint32_t cap, const MemoryLayout& layout) {
  IdList list;
  list.length = cap == 0 ? size : std::min(cap, size);
  list.bytes = size <= kShortIds ? std::min(layout.maxIdBytes, 4u) : 4u;
  return list;
}

struct MappedLayer {
  IdList in, own;
  std::uint64_t fanIn = 0; // rows of weights, bias and recurrent ones included
  std::uint64_t stateFloats = 1;
  bool spikes = true, isFirst = false;
};

std::vector<MappedLayer> mappedLayers(const NetworkSpec& network, const MemoryLayout& layout) {
  std::vector<MappedLayer> result;
  IdList in = listOf(network.numInputs, network.maxInputEvents, layout);
  std::uint64_t inSize = network.numInputs;
  for (const LayerSpec& spec : network.layers) {
    MappedLayer layer;
    layer.own = listOf(spec.size, spec.maxActive, layout);
    layer.in = in;
    if (spec.recurrent)
      layer.in.length += layer.own.length;
    layer.fanIn = inSize + (spec.recurrent ? spec.size : 0) + (spec.bias ? 1 : 0);
    layer.stateFloats = spec.stateFloats();
    layer.isFirst = result.empty() && !spec.recurrent; // no gradient goes to the inputs
    result.push_back(layer);
    in = layer.own;
    inSize = spec.size;
  }
  if (network.readout.kind == ReadoutKind::LeakyIntegrator) {
    MappedLayer readout;
    readout.in = in;
    readout.own.length = 0;
    readout.fanIn = inSize + (network.readout.bias ? 1 : 0);
    readout.spikes = false;
    result.push_back(readout);
  }
  return result;
}

} // namespace

MemoryModel::MemoryModel(const NetworkSpec& network, const OptimiserSpec& optimiser,
                         const TilePartition& partition, std::uint32_t batch,
                         const MemoryLayout& layout)
    : tiles_(partition.numTiles), numIoTiles_(partition.numIoTiles) {
  requireAtLeastOne("batch", batch);
  // Tile 0 and the IO tiles hold no share of the spikes.
  const std::uint32_t numSpreadTiles = partition.numTiles - 1 - partition.numIoTiles;
  const std::vector<MappedLayer> layers = mappedLayers(network, layout);

  const auto spread = [&](std::uint64_t length, std::uint32_t bytes, std::uint64_t Tile::*where) {
    const std::uint64_t each = ceilDiv(length, numSpreadTiles);
    for (std::uint64_t first = 0, tile = 1; first < length; first += each, ++tile)
      tiles_[tile].*where += std::min(each, length - first) * bytes;
  };
  const IdList inputs = listOf(network.numInputs, network.maxInputEvents, layout);
  spread(batch * inputs.length, inputs.bytes, &Tile::spikeBytesPerStep);
  spread(batch, layout.countBytes, &Tile::spikeBytesPerStep);
  std::uint64_t gathered = 0; // partial input gradients of all tiles
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const MappedLayer& layer = layers[l];
    if (layer.spikes) {
      spread(batch * layer.own.length, layer.own.bytes, &Tile::spikeBytesPerStep);
      spread(2ull * batch, layout.countBytes, &Tile::spikeBytesPerStep);
      spread(batch * layer.own.length, kFloatBytes, &Tile::cacheBytesPerStep);
    }
    if (!layer.isFirst)
      gathered += partition.layers[l].size() * batch * layer.in.length * kFloatBytes;
  }
  const std::uint64_t gatherPerTile =
      layout.gradientStaging ? ceilDiv(gathered, numSpreadTiles) : 0;

  for (Tile& tile : tiles_)
    tile.fixed.rest = layout.codeBytes;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const MappedLayer& layer = layers[l];
    for (const TileShare& share : partition.layers[l]) {
      Tile& tile = tiles_[share.tile];
      MemoryParts& fixed = tile.fixed;
      const std::uint64_t n = share.numNeurons, perFloat = n * batch * kFloatBytes;
      // A leaky readout is linear: nothing of it is checkpointed, but its value and adjoint are in
      // work.
      tile.stateBytes = layer.spikes ? layer.stateFloats * perFloat : 0;
      stateBytes_ += tile.stateBytes;
      fixed.states = (layer.spikes ? layout.workFloats : 1u) * layer.stateFloats * perFloat +
                     layout.flagWords * perFloat;
      fixed.adjoint = layout.adjointFloats * layer.stateFloats * perFloat;
      fixed.weights = kFloatBytes * layer.fanIn * n;
      fixed.gradients = layout.gradientCopies * fixed.weights;
      fixed.optimiser = optimiser.numSlots() * fixed.weights;
      const std::uint64_t ownLists = layout.ownListBytes * batch * layer.own.length;
      const std::uint64_t received =
          layer.in.bytes * batch * layer.in.length + 2ull * layout.countBytes * batch;
      const std::uint64_t partial = layer.isFirst ? 0 : kFloatBytes * batch * layer.in.length;
      fixed.temporaries = std::max(ownLists, received + partial + gatherPerTile);
      fixed.rest += layout.vertexBytes + layout.vertexBytesPerSample * std::uint64_t{batch} +
                    layout.vertexBytesPerNeuronSample * batch * n;
    }
  }
  for (const Tile& tile : tiles_) {
    spikeBytesPerStep_ += tile.spikeBytesPerStep;
    cacheBytesPerStep_ += tile.cacheBytesPerStep;
  }
}

MemoryParts MemoryModel::onTile(std::uint32_t tile, const MemoryDemand& demand) const {
  MemoryParts parts = tiles_[tile].fixed;
  parts.states += demand.numSlots * tiles_[tile].stateBytes;
  parts.spikes = demand.numSpikeSteps * spikeBytesPerStepOnTile(tile, demand.surrogateCache);
  const std::uint64_t buffers = 2 * demand.numStaging; // one each way
  if (numIoTiles_ == 0)
    parts.staging = buffers * tiles_[tile].stateBytes;
  else if (tile + numIoTiles_ >= tiles_.size())
    parts.staging = buffers * ceilDiv(stateBytes_, numIoTiles_);
  return parts;
}

MemoryUse MemoryModel::use(const MemoryDemand& demand) const {
  MemoryUse result;
  for (std::uint32_t tile = 0; tile < tiles_.size(); ++tile) {
    const MemoryParts parts = onTile(tile, demand);
    result.totalBytes += parts.total();
    if (parts.total() > result.largest.total()) {
      result.largest = parts;
      result.largestTile = tile;
    }
  }
  result.meanBytes = static_cast<double>(result.totalBytes) / static_cast<double>(tiles_.size());
  return result;
}

std::uint64_t MemoryModel::bytesAgainst(const MemoryDemand& demand, Limit limit) const {
  std::uint64_t most = 0, sum = 0;
  for (std::uint32_t tile = 0; tile < tiles_.size(); ++tile) {
    const std::uint64_t bytes = onTile(tile, demand).total();
    most = std::max(most, bytes);
    sum += bytes;
  }
  return limit == Limit::PerTile ? most : sum;
}

bool MemoryModel::fits(const MemoryDemand& demand, std::uint64_t budgetBytes, Limit limit) const {
  return bytesAgainst(demand, limit) <= budgetBytes;
}

std::uint64_t MemoryModel::mostSlots(MemoryDemand demand, std::uint64_t budgetBytes,
                                     Limit limit) const {
  demand.numSlots = 0;
  if (limit == Limit::Total) {
    const std::uint64_t without = bytesAgainst(demand, limit);
    return without > budgetBytes
               ? 0
               : (budgetBytes - without) / std::max<std::uint64_t>(1, stateBytes_);
  }
  std::uint64_t most = ~std::uint64_t{0};
  for (std::uint32_t tile = 0; tile < tiles_.size(); ++tile) {
    const std::uint64_t without = onTile(tile, demand).total();
    if (without > budgetBytes)
      return 0;
    if (tiles_[tile].stateBytes > 0)
      most = std::min(most, (budgetBytes - without) / tiles_[tile].stateBytes);
  }
  return most;
}

} // namespace spillway::plan
