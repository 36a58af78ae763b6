#include "plan/LinkCosts.hpp"

#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

// A layer of four neurons and a readout of one, a neuron a tile; the layer lies on tiles 1, 2, 3
// and 4, of which two IPUs of four tiles have three and one.
struct Small {
  NetworkSpec network;
  TilePartition partition;
  OurLayout layout;

  explicit Small(std::uint32_t numIpus) {
    network.numInputs = 10;
    network.maxInputEvents = 10;
    LayerSpec layer;
    layer.size = 4;
    layer.maxActive = 4;
    layer.gradientTheta = 0.9;
    network.layers = {layer};
    network.readout.numOutputs = 1;
    partition.numTiles = 8;
    partition.layers = {{{1, 0, 1}, {2, 1, 1}, {3, 2, 1}, {4, 3, 1}}, {{5, 0, 1}}};
    layout.batch = 4; // a sample on each of the layer's tiles
    link.numIpus = numIpus;
    link.bytesPerSecond = 1.0;
  }

  Costs extra(double clockHz) const {
    Costs costs;
    costs.forward = costs.light = costs.backward = 0.0;
    addLinkCosts(link, network, partition, layout, clockHz, costs);
    return costs;
  }

  LinkSpeed link;
};

TEST(LinkCosts, OneIpuPaysNothing) {
  const Costs costs = Small(1).extra(1.0);
  EXPECT_EQ(costs.forward, 0.0);
  EXPECT_EQ(costs.light, 0.0);
  EXPECT_EQ(costs.backward, 0.0);
  EXPECT_EQ(costs.perAction, 0.0);
}

// Links without bytes leave the syncs, each 474 cycles dearer: update, lists made, stored, inputs
// fetched, the loop; in a light step its update, the fetch and what it asks for; backward adjoint,
// gradient, sum and the same; an action three decisions and a fetch.
TEST(LinkCosts, EveryExchangeThatCrossesWaitsForAllIpus) {
  const Costs costs = Small(2).extra(1e-9);
  EXPECT_NEAR(costs.forward, 5 * 474.0, 0.01);
  EXPECT_NEAR(costs.light, 4 * 474.0, 0.01);
  EXPECT_NEAR(costs.backward, 6 * 474.0, 0.01);
  EXPECT_NEAR(costs.perAction, 5 * 474.0, 0.01);
}

TEST(LinkCosts, BlocksShareTheirExchanges) {
  Small small(2);
  small.layout.blockSteps = 4;
  EXPECT_NEAR(small.extra(1e-9).forward, 5 * 474.0 / 4, 0.01);
}

// Of two layers on an IPU each, the second's tiles read the first's lists when they step forward
// and for the adjoint; what they add gradients by is the same lists turned round.
TEST(LinkCosts, OfGatedLayersAreThoseOfListsAndOfListsTurnedRound) {
  Small small(2);
  LayerSpec gated;
  gated.kind = LayerKind::Egru;
  gated.size = 2;
  small.network.layers = {gated, gated};
  small.partition.layers = {{{1, 0, 1}, {2, 1, 1}}, {{4, 0, 1}, {5, 1, 1}}, {{6, 0, 1}}};
  const Costs costs = small.extra(1e-9);
  EXPECT_NEAR(costs.forward, 5 * 474.0, 0.01); // the input's history too
  EXPECT_NEAR(costs.forwardFill, 2 * 5 * 474.0, 0.01);
  EXPECT_NEAR(costs.backward, 6 * 474.0, 0.01);
  // An input crosses nowhere but from its history: wider ones add to neither.
  const double before = small.extra(1.0).backward;
  gated.size = 102; // a hundred ids more a list, of two bytes and a value
  small.network.layers = {gated, gated};
  const double after = small.extra(1.0).backward;
  const double row = 100 * (2.0 + 4.0), batch = 4.0;
  const double adjoint = 2 * 2 * batch * row, turned = 2 * (batch * row + 100 * 4.0);
  EXPECT_GE(after - before, adjoint + turned);
}

TEST(LinkCosts, CountWhatTilesReceiveFromOtherIpus) {
  Small small(2);
  // A wider input: ids of two bytes, of each sample two rows, to every tile of the layer. Of the
  // first IPU's three tiles each receives them from one sample, the second IPU's tile from three.
  const double before = small.extra(1.0).forward;
  small.network.numInputs += 100;
  small.network.maxInputEvents += 100;
  const double ofUpdate = 3 * 1 * 2 * 100 * 2.0;
  // And the words of a step's inputs that lie with the other IPU's tiles.
  const double after = small.extra(1.0).forward;
  EXPECT_GE(after - before, ofUpdate);
  EXPECT_LE(after - before, ofUpdate + 4 * 100 * 2.0 * 2);
}

} // namespace
} // namespace spillway::plan
