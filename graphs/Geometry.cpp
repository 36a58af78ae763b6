#include "graphs/Geometry.hpp"

#include "codelets/maths/Lists.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace spillway {
namespace {

constexpr std::uint32_t kShortIds = 1u << 16;

Unit spikingUnit(const LayerSpec& layer, std::uint32_t fanIn, const UnitPlacement& placement) {
  Unit unit;
  unit.layer = layer;
  unit.size = layer.size;
  unit.fanIn = fanIn;
  unit.recurrent = layer.recurrent;
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

std::uint32_t ListShape::width() const {
  return capacity + kListHeader;
}

Geometry::Geometry(const NetworkSpec& spec, const SequenceShape& shape, const Placement& placement)
    : network(spec), sequence(shape), controlTile(placement.controlTile) {
  std::uint32_t fanIn = spec.numInputs;
  std::uint32_t mostIds = spec.numInputs;
  lists.push_back({spec.maxInputEvents == 0 ? spec.numInputs : spec.maxInputEvents, false,
                   spec.numInputs, placement.lists.at(0)});
  bool recurrent = false;
  for (std::size_t l = 0; l < spec.layers.size(); ++l) {
    const LayerSpec& layer = spec.layers[l];
    units.push_back(spikingUnit(layer, fanIn, placement.units.at(l)));
    lists.push_back({layer.maxActive == 0 ? layer.size : layer.maxActive, layer.allLearn(),
                     layer.size, placement.lists.at(l + 1)});
    fanIn = layer.size;
    mostIds = std::max(mostIds, layer.size);
    recurrent = recurrent || layer.recurrent;
  }
  if (spec.readout.kind == ReadoutKind::LeakyIntegrator) {
    units.push_back(readoutUnit(spec.readout, fanIn, placement.units.at(spec.layers.size())));
  }
  idType = mostIds < kShortIds ? poplar::UNSIGNED_SHORT : poplar::UNSIGNED_INT;
  if (recurrent && sequence.blockSteps != 1) {
    throw std::logic_error("a recurrent network runs one step at a time, not blocks of " +
                           std::to_string(sequence.blockSteps));
  }
}

} // namespace spillway
