#include "network/EffectiveMacs.hpp"

#include <gtest/gtest.h>

namespace spillway {
namespace {

NetworkSpec egru(std::uint32_t numInputs, std::vector<std::uint32_t> sizes, std::uint32_t outputs) {
  NetworkSpec network;
  network.numInputs = numInputs;
  for (const std::uint32_t size : sizes) {
    LayerSpec layer;
    layer.kind = LayerKind::Egru;
    layer.size = size;
    network.layers.push_back(layer);
  }
  network.readout.numOutputs = outputs;
  return network;
}

// The paper's Table 2, permuted sequential MNIST: 590 units at 82.0 % activity sparsity, "195K".
TEST(EffectiveMacs, ReproduceThePapersPermutedMnist) {
  const EffectiveMacs macs = effectiveMacs(egru(1, {590}, 10), {1.0, {0.18}, {0.3}, true});
  EXPECT_NEAR(macs.forward, 195644.0, 0.5);
}

// The same table's GRU: "1M" without its readout.
TEST(EffectiveMacs, OfADenseGruAreItsWeights) {
  const EffectiveMacs macs = denseMacs(egru(1, {590}, 10));
  EXPECT_EQ(macs.forward, 3 * 590 * 591 + 5900);
  EXPECT_EQ(macs.weightGradient, 3 * 590 * 591);
  EXPECT_EQ(macs.stateGradient, 3 * 590 * 590);
}

TEST(EffectiveMacs, CountTheLayerBelowByItsEvents) {
  const EffectiveMacs macs =
      effectiveMacs(egru(10, {20, 30}, 5), {0.5, {0.1, 0.2}, {0.4, 0.5}, false});
  EXPECT_NEAR(macs.forward, 3 * 20 * (5 + 2) + 3 * 30 * (2 + 6) + 5 * 6, 1e-9);
  EXPECT_NEAR(macs.stateGradient, 3 * 20 * 8 + 3 * 30 * (8 + 15), 1e-9);
}

} // namespace
} // namespace spillway
