#include "cli/SparsityText.hpp"

#include "network/EffectiveMacs.hpp"

#include <fmt/format.h>

namespace spillway {

std::string sparsityText(const Settings& settings, const RunningMean& mean) {
  const NetworkSpec& network = settings.network;
  GatedRates rates;
  rates.denseReadout = network.readout.alpha > 0.0 && !network.readsWords(); // a trace
  std::string text;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const LayerActivity& activity = mean.layers[l];
    const double places = static_cast<double>(network.layers[l].size) *
                          static_cast<double>(mean.numSamples) * settings.data.numSteps;
    const auto share = [&](std::uint64_t count) { return static_cast<double>(count) / places; };
    rates.events.push_back(share(activity.numSpikes));
    rates.gradients.push_back(share(activity.numGradients));
    // The paper's backward sparsity leaves out that events beyond the support need dL/dy too.
    const double within = share(activity.numGradients - activity.numBeyond);
    text +=
        fmt::format("layer{}: activity sparsity {:.2f} %; backward sparsity as the paper counts "
                    "it {:.2f} %, of units that can be skipped {:.2f} %\n",
                    l, 100.0 * (1.0 - rates.events[l]), 100.0 * (1.0 - within),
                    100.0 * (1.0 - rates.gradients[l]));
  }
  const EffectiveMacs sparse = effectiveMacs(network, rates), dense = denseMacs(network);
  return text +
         fmt::format("multiply-adds a step and sample: forward {:.0f} of {:.0f} dense, state "
                     "gradients {:.0f} of {:.0f}, weight gradients {:.0f} of {:.0f}\n",
                     sparse.forward, dense.forward, sparse.stateGradient, dense.stateGradient,
                     sparse.weightGradient, dense.weightGradient);
}

} // namespace spillway
