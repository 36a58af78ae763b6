#include "plan/OurLayout.hpp"

#include "plan/Require.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

constexpr std::uint64_t kFloatBytes = 4;
constexpr std::uint64_t kListHeader = 2; // words: spikes, and ids with a gradient
constexpr std::uint32_t kShortIds = 1u << 16;

// A unit is a layer or the readout; it reads list u, and layer u makes list u+1.
struct UnitShape {
  std::uint64_t fanIn = 0, stateFloats = 1;
  bool recurrent = false, biased = false, spikes = true;
};

struct Shapes {
  std::vector<UnitShape> units;
  std::vector<std::uint64_t> capacities; // of the lists
  std::uint64_t idBytes = 2;

  std::uint64_t width(std::size_t list) const { return capacities[list] + kListHeader; }
};

Shapes shapesOf(const NetworkSpec& network) {
  Shapes shapes;
  const auto capacity = [](std::uint32_t size, std::uint32_t cap) { return cap == 0 ? size : cap; };
  std::uint32_t most = network.numInputs, fanIn = network.numInputs;
  shapes.capacities.push_back(capacity(network.numInputs, network.maxInputEvents));
  for (const LayerSpec& layer : network.layers) {
    shapes.units.push_back({fanIn, layer.stateFloats(), layer.recurrent, layer.bias, true});
    shapes.capacities.push_back(capacity(layer.size, layer.maxActive));
    fanIn = layer.size;
    most = std::max(most, layer.size);
  }
  if (network.readout.kind == ReadoutKind::LeakyIntegrator)
    shapes.units.push_back({fanIn, 1, false, network.readout.bias, false});
  shapes.idBytes = most < kShortIds ? 2 : 4;
  return shapes;
}

struct Group {
  std::uint32_t tile;
  std::uint64_t numSamples;
};

// Samples in groups over the tiles of the layer that makes the list (the input's over the first
// layer's).
std::vector<Group> groupsOf(std::size_t list, const TilePartition& partition,
                            const OurLayout& layout) {
  const LayerShares& shares = partition.layers[list == 0 ? 0 : list - 1];
  const std::uint64_t numGroups = ceilDivide(layout.batch, layout.samplesPerGroup);
  std::vector<Group> groups;
  for (std::uint64_t g = 0; g < numGroups; ++g) {
    const std::uint64_t first = g * layout.samplesPerGroup;
    groups.push_back({shares[g * shares.size() / numGroups].tile,
                      std::min<std::uint64_t>(layout.samplesPerGroup, layout.batch - first)});
  }
  return groups;
}

class Filler {
public:
  Filler(const NetworkSpec& network, const OptimiserSpec& optimiser, const TilePartition& partition,
         const OurLayout& layout)
      : shapes_(shapesOf(network)),
        optimiser_(optimiser),
        partition_(partition),
        layout_(layout),
        received_(partition.numTiles) {
    machine_.tiles.resize(partition.numTiles);
    machine_.stagesAllTransfers = true;
    machine_.bytesPerAction = layout.bytesPerAction;
  }

  MachineBytes fill() {
    for (TileBytes& tile : machine_.tiles)
      tile.fixed.rest = layout_.vertexBytes + layout_.codeBytes;
    for (std::size_t u = 0; u < shapes_.units.size(); ++u)
      for (const TileShare& share : partition_.layers[u])
        addNeurons(u, share);
    for (std::size_t list = 0; list < shapes_.capacities.size(); ++list)
      addList(list);
    if (layout_.history == OurLayout::History::OverAllTiles)
      spreadHistory();
    for (std::size_t tile = 0; tile < received_.size(); ++tile)
      machine_.tiles[tile].fixed.temporaries += received_[tile];
    return std::move(machine_);
  }

private:
  std::uint64_t block() const { return std::uint64_t{layout_.batch} * layout_.blockSteps; }
  std::uint64_t slabRows() const { return layout_.blockSteps + 1ull; }
  std::uint64_t slabBytes(std::size_t list, std::uint64_t samples) const {
    return samples * slabRows() * shapes_.width(list) * shapes_.idBytes;
  }
  std::uint64_t lightSlabBytes(std::size_t list, std::uint64_t samples) const {
    return samples * layout_.lightSteps * shapes_.width(list) * shapes_.idBytes;
  }

  // One compute set is live at a time: the most a tile receives for any of them.
  void receives(std::uint32_t tile, std::uint64_t bytes) {
    received_[tile] = std::max(received_[tile], bytes);
  }

  void addNeurons(std::size_t u, const TileShare& share) {
    const UnitShape& unit = shapes_.units[u];
    TileBytes& tile = machine_.tiles[share.tile];
    MemoryParts& fixed = tile.fixed;
    const std::uint64_t n = share.numNeurons, B = layout_.batch, perFloat = kFloatBytes * B * n;
    const std::uint64_t rows = unit.fanIn + (unit.recurrent ? ownSize(u) : 0);
    tile.stateBytes = unit.stateFloats * perFloat;
    fixed.weights = kFloatBytes * (rows + 1) * n; // a bias is always there
    fixed.gradients = fixed.weights;
    fixed.optimiser = optimiser_.numSlots() * kFloatBytes * (rows + (unit.biased ? 1 : 0)) * n;
    fixed.adjoint = unit.stateFloats * perFloat;
    fixed.temporaries = kFloatBytes * block() * n + kFloatBytes * block() * shapes_.capacities[u];
    std::uint64_t received = slabBytes(u, B);
    if (unit.spikes) {
      const std::uint64_t own = shapes_.capacities[u + 1];
      fixed.temporaries += unit.recurrent ? kFloatBytes * block() * own : kFloatBytes;
      fixed.temporaries += block() * 2 * ceilDivide(n, 8) + 2 * perFloat; // masks, counts
      received += slabBytes(u + 1, B) + kFloatBytes * B * slabRows() * own;
    } else {
      fixed.temporaries += 3 * perFloat; // logits, errors, best steps
    }
    receives(share.tile, received);
    receives(share.tile, lightSlabBytes(u, B) + (unit.recurrent ? lightSlabBytes(u + 1, B) : 0));
  }

  std::uint64_t ownSize(std::size_t u) const {
    std::uint64_t size = 0;
    for (const TileShare& share : partition_.layers[u])
      size += share.numNeurons;
    return size;
  }

  // Slabs, gradients and, on a CPU, the history of a list; its making and summing.
  void addList(std::size_t list) {
    const std::uint64_t width = shapes_.width(list), K = layout_.blockSteps;
    for (const Group& group : groupsOf(list, partition_, layout_)) {
      TileBytes& tile = machine_.tiles[group.tile];
      tile.fixed.temporaries +=
          slabBytes(list, group.numSamples) + lightSlabBytes(list, group.numSamples);
      if (layout_.history == OurLayout::History::WithGroups)
        addHistory(tile, list, group.numSamples * width);
      if (list == 0)
        continue;
      const std::uint64_t capacity = shapes_.capacities[list];
      tile.fixed.temporaries += slabBytes(list, group.numSamples) +
                                kFloatBytes * group.numSamples * slabRows() * capacity;
      const LayerShares& makers = partition_.layers[list - 1];
      const std::uint64_t masks =
          makers.size() * group.numSamples * K * 2 * ceilDivide(makers.front().numNeurons, 8);
      std::uint64_t partials = 0;
      if (list < shapes_.units.size())
        partials += partition_.layers[list].size();
      if (shapes_.units[list - 1].recurrent)
        partials += makers.size();
      receives(group.tile,
               std::max(masks, partials * kFloatBytes * group.numSamples * K * capacity));
    }
  }

  void addHistory(TileBytes& tile, std::size_t list, std::uint64_t words) const {
    tile.spikeBytesPerStep += words * shapes_.idBytes;
    if (list > 0) // the cache has a float beside every id; the header needs none
      tile.cacheBytesPerStep +=
          words * shapes_.capacities[list] / shapes_.width(list) * kFloatBytes;
  }

  // Dealt out evenly, two words at a time: no tile has more than a pair above the mean.
  void spreadHistory() {
    const std::uint64_t tiles = partition_.numTiles - 1 - partition_.numIoTiles;
    std::uint64_t words = 0, ids = 0;
    for (std::size_t list = 0; list < shapes_.capacities.size(); ++list) {
      words += layout_.batch * shapes_.width(list);
      ids += list > 0 ? layout_.batch * shapes_.capacities[list] : 0;
    }
    for (std::uint64_t i = 0; i < tiles; ++i) {
      const auto share = [&](std::uint64_t all) {
        const std::uint64_t pairs = ceilDivide(all, 2);
        return std::min(all, 2 * (pairs * (i + 1) / tiles)) - 2 * (pairs * i / tiles);
      };
      TileBytes& tile = machine_.tiles[1 + i];
      tile.spikeBytesPerStep = share(words) * shapes_.idBytes;
      tile.cacheBytesPerStep = share(ids) * kFloatBytes;
    }
  }

  Shapes shapes_;
  const OptimiserSpec& optimiser_;
  const TilePartition& partition_;
  const OurLayout& layout_;
  MachineBytes machine_;
  std::vector<std::uint64_t> received_;
};

} // namespace

MachineBytes ourBytes(const NetworkSpec& network, const OptimiserSpec& optimiser,
                      const TilePartition& partition, const OurLayout& layout) {
  requireAtLeastOne("batch", layout.batch);
  requireAtLeastOne("block steps", layout.blockSteps);
  requireAtLeastOne("samples per group", layout.samplesPerGroup);
  return Filler(network, optimiser, partition, layout).fill();
}

} // namespace spillway::plan
