#include "network/EffectiveMacs.hpp"

namespace spillway {

EffectiveMacs effectiveMacs(const NetworkSpec& network, const GatedRates& rates) {
  EffectiveMacs macs;
  double below = network.numInputs * rates.inputs; // active units of the layer below
  double belowGradients = 0.0;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const double size = network.layers[l].size;
    const double events = size * rates.events[l], gradients = size * rates.gradients[l];
    const double products = kNumGates * size * (below + events);
    macs.forward += products;
    macs.weightGradient += products;
    macs.stateGradient += kNumGates * size * (belowGradients + gradients);
    below = events;
    belowGradients = gradients;
  }
  const double top = network.layers.back().size;
  macs.forward += network.readout.numOutputs * (rates.denseReadout ? top : below);
  return macs;
}

EffectiveMacs denseMacs(const NetworkSpec& network) {
  const std::vector<double> all(network.layers.size(), 1.0);
  return effectiveMacs(network, {1.0, all, all, true});
}

} // namespace spillway
