#include "graphs/Geometry.hpp"

#include "codelets/maths/Lists.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace spillway {
namespace {

Unit layerUnit(const LayerSpec& layer, std::uint32_t fanIn, const UnitPlacement& placement) {
  Unit unit;
  unit.layer = layer;
  unit.size = layer.size;
  unit.fanIn = fanIn;
  unit.recurrent = layer.isRecurrent();
  unit.gates = layer.isGated() ? kNumGates : 1;
  unit.stateFloats = layer.stateFloats();
  unit.placement = placement;
  return unit;
}

Unit readoutUnit(const ReadoutSpec& readout, std::uint32_t fanIn, const UnitPlacement& placement) {
  Unit unit;
  unit.isReadout = true;
  unit.size = readout.numOutputs;
  unit.fanIn = fanIn;
  unit.placement = placement;
  return unit;
}

} // namespace

std::uint32_t Unit::firstNeuron(std::size_t tile) const {
  return static_cast<std::uint32_t>(tile) * placement.neuronsPerTile;
}

std::uint32_t Unit::numNeurons(std::size_t tile) const {
  return std::min(placement.neuronsPerTile, size - firstNeuron(tile));
}

Geometry::Geometry(const NetworkSpec& spec, const SequenceShape& shape, const Placement& placement)
    : network(spec),
      sequence(shape),
      controlTile(placement.controlTile),
      ioTiles(placement.ioTiles) {
  std::uint32_t fanIn = spec.numInputs;
  const std::vector<ListExtent> extents = listExtents(spec);
  lists.push_back(
      {extents[0].capacity, false, spec.numInputs, placement.lists.at(0), extents[0].words});
  bool recurrent = false;
  for (std::size_t l = 0; l < spec.layers.size(); ++l) {
    const LayerSpec& layer = spec.layers[l];
    units.push_back(layerUnit(layer, fanIn, placement.units.at(l)));
    lists.push_back({extents[l + 1].capacity, layer.allLearn(), layer.size,
                     placement.lists.at(l + 1), extents[l + 1].words});
    fanIn = layer.size;
    recurrent = recurrent || layer.isRecurrent();
  }
  if (spec.readout.kind == ReadoutKind::LeakyIntegrator) {
    units.push_back(readoutUnit(spec.readout, fanIn, placement.units.at(spec.layers.size())));
  }
  for (std::size_t h = 0; h < lists.size(); ++h) {
    ListShape& list = lists[h];
    list.spikesOnly = h == 0 || list.denseGradient;
    const std::uint32_t packed = packedWords(list.size, list.spikesOnly, bytesPerId(spec));
    const bool whole =
        std::all_of(list.placement.shards.begin(), list.placement.shards.end(),
                    [&](const HistoryShard& shard) { return shard.numWords == list.width(); });
    const bool masks = whole && !spec.isGated() && travelsAsMask(list.width(), packed);
    list.packedWords = masks ? packed : 0;
  }
  if (spec.readsWords()) {
    words = placement.units.at(spec.layers.size());
  }
  idType = bytesPerId(spec) == 2 ? poplar::UNSIGNED_SHORT : poplar::UNSIGNED_INT;
  if (recurrent && sequence.blockSteps != 1) {
    throw std::logic_error("a recurrent network runs one step at a time, not blocks of " +
                           std::to_string(sequence.blockSteps));
  }
}

} // namespace spillway
