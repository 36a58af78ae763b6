// Trials of gated networks on the device.
#pragma once

#include "SessionFixture.hpp"
#include "support/GatedNetworks.hpp"

namespace spillway::testing {

struct GatedTrial : Trial {
  explicit GatedTrial(LayerKind kind) {
    network = test::gatedNetwork(kind);
    network.layers[0].size = 21;
    network.layers[1].size = 13;
    numSteps = 11;
    neuronsPerTile = 8;
  }

  EventBatch batch() const { return test::valuedBatch(network, numSteps, numSamples, 0.7, seed); }
};

} // namespace spillway::testing
