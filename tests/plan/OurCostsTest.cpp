#include "plan/OurCosts.hpp"

#include "PaperNetwork.hpp"
#include "plan/HostCosts.hpp"

#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

constexpr std::uint64_t kStateBytes = 1413120;

Costs costsAt(double fraction, std::uint32_t lightSteps = 4) {
  const NetworkSpec network = paperNetwork();
  OurLayout layout;
  layout.batch = kPaperBatch;
  layout.lightSteps = lightSteps;
  return ourCosts(network, paperPartition(), layout, activityAt(network, fraction), {},
                  kStateBytes);
}

TEST(OurCosts, GrowWithActivity) {
  Costs last = costsAt(0.02);
  for (const double fraction : {0.1, 0.5, 1.0}) {
    const Costs costs = costsAt(fraction);
    EXPECT_GT(costs.forward, last.forward);
    EXPECT_GT(costs.light, last.light);
    EXPECT_GT(costs.backward, last.backward);
    EXPECT_LT(costs.light, 0.6 * costs.forward); // no lists to be made
    EXPECT_GT(costs.backward, costs.forward);
    last = costs;
  }
}

TEST(OurCosts, AreLessForLightStepsThatShareASuperstep) {
  EXPECT_LT(costsAt(0.1, 4).light, costsAt(0.1, 1).light);
  EXPECT_EQ(costsAt(0.1, 4).forward, costsAt(0.1, 1).forward);
}

TEST(OurCosts, AreLessForBackwardStepsWithMoreCopiesOfGradients) {
  const NetworkSpec network = paperNetwork();
  OurLayout layout;
  layout.batch = kPaperBatch;
  double before = costsAt(1.0).backward;
  for (const std::uint32_t copies : {2u, 3u, 6u}) {
    layout.gradientCopies = copies;
    const double backward =
        ourCosts(network, paperPartition(), layout, activityAt(network, 1.0), {}, kStateBytes)
            .backward;
    EXPECT_LT(backward, before);
    EXPECT_GT(addCopiesCycles(network, paperPartition(), copies), 0.0);
    before = backward;
  }
  EXPECT_EQ(addCopiesCycles(network, paperPartition(), 1), 0.0);
}

// The account of runs of 12 steps, lists full, has 9,348 cycles a step more than Base's (profile of
// configs/paper/network.cfg with data.activity = 0.3, train.weightScale = 8, strategy cached).
TEST(OurCosts, OfCachingAreThoseOfTheAccount) {
  NetworkSpec network = paperNetwork();
  network.layers.resize(3);
  const TilePartition partition = partitionForIpu(network, {}, 2);
  OurLayout layout;
  layout.batch = kPaperBatch;
  const CacheCosts full = cacheCosts(network, partition, layout, activityAt(network, 1.0), {});
  EXPECT_NEAR(full.forward + full.backward, 9348.0, 100.0);
  const CacheCosts few = cacheCosts(network, partition, layout, activityAt(network, 0.1), {});
  EXPECT_LT(few.forward, full.forward); // fewer values are picked
  EXPECT_EQ(few.backward, full.backward) << "the room for all of them is received";
}

TEST(OurCosts, ChargeAStateItsBytesAtTheStreamingBandwidth) {
  EXPECT_NEAR(costsAt(1.0).writePerState, kStateBytes / 20e9 * 1.33e9, 1.0);
}

// Network A of docs/performance.md on one thread: with a dense gradient 0.30 ms a step forward and
// backward, with a sparse one 0.17 ms, in a light step 0.036 ms.
TEST(HostCosts, GiveBackWhatWasMeasured) {
  NetworkSpec network;
  network.numInputs = 700;
  for (int l = 0; l < 3; ++l) {
    LayerSpec layer;
    layer.size = 512;
    network.layers.push_back(layer);
  }
  network.readout.numOutputs = 10;
  Activity activity;
  activity.inputs = 14.0;
  activity.spikes = activity.gradients = {10.2, 10.2, 10.2};
  const Costs dense = hostCosts(network, 32, activity, 1000);
  EXPECT_NEAR(dense.forward + dense.backward, 0.30e-3, 0.04e-3);
  for (LayerSpec& layer : network.layers) {
    layer.gradientTheta = 0.8;
  }
  const Costs costs = hostCosts(network, 32, activity, 1000);
  EXPECT_NEAR(costs.forward + costs.backward, 0.17e-3, 0.03e-3);
  EXPECT_NEAR(costs.light, 0.036e-3, 0.005e-3);
  const Costs cycles = inCycles(costs, 1e9);
  EXPECT_DOUBLE_EQ(cycles.forward, 1e9 * costs.forward);
  EXPECT_DOUBLE_EQ(cycles.readLatency, 1e9 * costs.readLatency);
}

} // namespace
} // namespace spillway::plan
