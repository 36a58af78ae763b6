#include "plan/PaperLayout.hpp"

#include "plan/Require.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

constexpr std::uint32_t kFloatBytes = 4;

std::uint64_t capacityOf(std::uint32_t size, std::uint32_t cap) {
  return cap == 0 ? size : std::min(cap, size);
}

} // namespace

MachineBytes paperBytes(const NetworkSpec& network, const OptimiserSpec& optimiser,
                        const TilePartition& partition, std::uint32_t batch,
                        const PaperLayout& layout) {
  requireAtLeastOne("batch", batch);
  MachineBytes machine;
  machine.tiles.resize(partition.numTiles);
  machine.numIoTiles = partition.numIoTiles;
  const std::uint64_t numSpreadTiles = partition.numTiles - 1 - partition.numIoTiles;
  const auto spread = [&](std::uint64_t length, std::uint32_t bytes,
                          std::uint64_t TileBytes::*where) {
    const std::uint64_t each = ceilDivide(length, numSpreadTiles);
    for (std::uint64_t first = 0, tile = 1; first < length; first += each, ++tile)
      machine.tiles[tile].*where += std::min(each, length - first) * bytes;
  };

  // Lists by reader: lists[l] is what layer l receives.
  std::vector<std::uint64_t> lists{capacityOf(network.numInputs, network.maxInputEvents)};
  std::vector<std::uint64_t> fanIns{network.numInputs};
  for (const LayerSpec& layer : network.layers) {
    lists.push_back(capacityOf(layer.size, layer.maxActive));
    fanIns.push_back(layer.size);
  }
  std::uint64_t gathered = 0; // partial input gradients of all tiles
  for (std::size_t l = 0; l < lists.size(); ++l) {
    spread(batch * lists[l], layout.idBytes, &TileBytes::spikeBytesPerStep);
    spread((l == 0 ? 1ull : 2ull) * batch, layout.countBytes, &TileBytes::spikeBytesPerStep);
    if (l > 0)
      spread(batch * lists[l], kFloatBytes, &TileBytes::cacheBytesPerStep);
    if (l > 0 && l < partition.layers.size())
      gathered += partition.layers[l].size() * batch * lists[l] * kFloatBytes;
  }

  for (TileBytes& tile : machine.tiles)
    tile.fixed.rest = layout.codeBytes;
  for (std::size_t l = 0; l < partition.layers.size(); ++l)
    for (const TileShare& share : partition.layers[l]) {
      TileBytes& tile = machine.tiles[share.tile];
      MemoryParts& fixed = tile.fixed;
      const std::uint64_t n = share.numNeurons, perFloat = n * batch * kFloatBytes;
      const std::uint64_t own = l + 1 < lists.size() ? lists[l + 1] : 0;
      tile.stateBytes = perFloat;
      fixed.states = (layout.workFloats + layout.flagWords) * perFloat;
      fixed.adjoint = layout.adjointFloats * perFloat;
      fixed.weights = kFloatBytes * fanIns[l] * n;
      fixed.gradients = layout.gradientCopies * fixed.weights;
      fixed.optimiser = optimiser.numSlots() * fixed.weights;
      const std::uint64_t received = batch * (layout.idBytes * lists[l] + 2 * layout.countBytes);
      const std::uint64_t partial = l == 0 ? 0 : kFloatBytes * batch * lists[l];
      fixed.temporaries = std::max(2 * kFloatBytes * batch * own,
                                   received + partial + ceilDivide(gathered, numSpreadTiles));
      fixed.rest += batch * (layout.vertexBytesPerSample + layout.vertexBytesPerNeuronSample * n);
    }
  return machine;
}

} // namespace spillway::plan
