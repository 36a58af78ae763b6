#include "train/LargestNetwork.hpp"

#include "network/UserError.hpp"
#include "plan/LargestThatFits.hpp"

#include <map>
#include <optional>

namespace spillway {
namespace {

// Inputs of the planner for networks of so many hidden layers, made when asked for: strategies ask
// for the same ones. None: the tiles do not hold the network.
class GrownNetworks {
public:
  GrownNetworks(const Settings& settings, const PlanOptions& options)
      : settings_(settings), options_(options) {}

  const std::optional<PlanInputs>& of(std::uint32_t numHidden) {
    const auto [entry, isNew] = inputs_.try_emplace(numHidden);
    if (isNew) {
      try {
        entry->second = planInputs(withHiddenLayers(settings_, numHidden), options_);
      } catch (const UserError&) { // too many neurons for the tiles
      }
    }
    return entry->second;
  }

private:
  const Settings& settings_;
  const PlanOptions& options_;
  std::map<std::uint32_t, std::optional<PlanInputs>> inputs_;
};

} // namespace

Settings withHiddenLayers(const Settings& settings, std::uint32_t numHidden) {
  Settings grown = settings;
  std::vector<LayerSpec>& layers = grown.network.layers;
  const bool outputsSpike = grown.network.readout.kind == ReadoutKind::SpikeCount;
  std::optional<LayerSpec> outputs;
  if (outputsSpike) {
    outputs = layers.back();
    layers.pop_back();
  }
  if (!layers.empty()) {
    const LayerSpec last = layers.back();
    layers.resize(numHidden, last);
  }
  if (outputs) {
    layers.push_back(*outputs);
  }
  grown.machine.neuronsPerTile = 0;
  return grown;
}

std::vector<NetworkSize> largestNetworks(const Settings& settings, const PlanOptions& options,
                                         const std::vector<plan::Strategy>& strategies) {
  GrownNetworks networks(settings, options);
  std::vector<NetworkSize> sizes;
  for (const plan::Strategy strategy : strategies) {
    const std::uint32_t most = plan::largestThatFits(kMostHidden, [&](std::uint32_t numHidden) {
      const std::optional<PlanInputs>& inputs = networks.of(numHidden);
      return inputs && plan::mayFit(strategy, inputs->request, inputs->memory);
    });
    NetworkSize size{most, 0, 0};
    if (most != 0) {
      const Settings grown = withHiddenLayers(settings, most);
      for (const LayerSpec& layer : grown.network.layers) {
        size.numNeurons += layer.size;
      }
      for (const plan::TileBytes& tile : networks.of(most)->memory.machine().tiles) {
        size.neuronsPerTile = std::max<std::uint32_t>(
            size.neuronsPerTile,
            static_cast<std::uint32_t>(tile.stateBytes / 4 / settings.train.numAtOnce()));
      }
    }
    sizes.push_back(size);
  }
  return sizes;
}

} // namespace spillway
