#include "plan/OurShapes.hpp"

#include "codelets/maths/Lists.hpp"
#include "plan/TileBytes.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

constexpr std::uint32_t kShortIds = 1u << 16;

std::uint32_t capacityOf(std::uint32_t size, std::uint32_t cap) {
  return cap == 0 ? size : cap;
}

// A second bias and thresholds.
void addGates(const LayerSpec& layer, UnitShape& unit) {
  unit.gates = kNumGates;
  unit.extraRows = kNumGates + 1;
  unit.trainedExtraRows = layer.gated.recurrentBias ? kNumGates : 0;
  if (layer.kind == LayerKind::Egru) // the threshold's slots are there even where it is fixed
    unit.trainedExtraRows += 1;
  unit.connectedRows = layer.gated.dropconnect > 0.0 ? layer.size : 0;
  unit.clampsThreshold = layer.kind == LayerKind::Egru;
  unit.dropsInputs = layer.gated.dropout > 0.0;
  unit.published =
      layer.kind == LayerKind::Egru && layer.gated.convention == GatedConvention::Paper;
}

} // namespace

Shapes::Shapes(const NetworkSpec& network) {
  std::uint32_t most = network.numInputs, fanIn = network.numInputs;
  capacities.push_back(capacityOf(network.numInputs, network.maxInputEvents));
  gradients.push_back(0); // inputs want none
  dense.push_back(false);
  for (const LayerSpec& layer : network.layers) {
    units.push_back(
        {fanIn, layer.size, layer.stateFloats(), layer.isRecurrent(), layer.bias, true});
    if (layer.isGated())
      addGates(layer, units.back());
    capacities.push_back(capacityOf(layer.size, layer.maxActive));
    dense.push_back(layer.allLearn());
    gradients.push_back(layer.allLearn() ? layer.size : capacities.back());
    fanIn = layer.size;
    most = std::max(most, layer.size);
  }
  const ReadoutSpec& readout = network.readout;
  numOutputs = readout.numOutputs;
  if (readout.kind == ReadoutKind::LeakyIntegrator) {
    units.push_back({fanIn, readout.numOutputs, 1, false, readout.bias, false});
    lossAtEveryStep = readout.reduction == ReadoutReduction::PerStep;
  }
  valued = network.isGated();
  idBytes = most < kShortIds ? 2 : 4;
  regularisesRates = network.loss.rate.enabled();
  labelBytes = network.loss.kind == LossKind::CrossEntropy ? 4 : 4 * numOutputs;
}

std::uint32_t Shapes::width(std::size_t list) const {
  const std::uint32_t ids = capacities[list];
  if (!valued)
    return kListHeader + ids;
  return kListHeader + (ids + 1) / 2 * 2 + ids * static_cast<std::uint32_t>(4 / idBytes);
}

std::optional<std::uint64_t> Shapes::maskWords(std::size_t list) const {
  const auto size =
      static_cast<std::uint32_t>(list == 0 ? units.front().fanIn : units[list - 1].size);
  const std::uint32_t words =
      packedWords(size, list == 0 || dense[list], static_cast<std::uint32_t>(idBytes));
  return !valued && travelsAsMask(width(list), words) ? std::optional<std::uint64_t>(words)
                                                      : std::nullopt;
}

std::vector<std::uint32_t> Shapes::widths() const {
  std::vector<std::uint32_t> result;
  for (std::size_t list = 0; list < capacities.size(); ++list)
    result.push_back(width(list));
  return result;
}

std::size_t lagOf(const NetworkSpec& network, std::uint32_t blockSteps) {
  return blockSteps == 1 && !network.isGated() ? 0 : Shapes(network).units.size() - 1;
}

std::vector<Group> groupsOf(std::size_t list, const TilePartition& partition, std::uint32_t batch,
                            std::uint32_t samplesPerGroup) {
  const LayerShares& shares = partition.layers[list == 0 ? 0 : list - 1];
  const std::uint64_t numGroups = ceilDivide(batch, samplesPerGroup);
  std::vector<Group> groups;
  for (std::uint64_t g = 0; g < numGroups; ++g) {
    const std::uint64_t first = g * samplesPerGroup;
    groups.push_back({shares[g * shares.size() / numGroups].tile,
                      std::min<std::uint64_t>(samplesPerGroup, batch - first)});
  }
  return groups;
}

} // namespace spillway::plan
