#include "plan/Scaling.hpp"

#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

TEST(Scaling, OneIpuReducesNothing) {
  EXPECT_EQ(allReduceSeconds(1 << 20, 1, {}), 0.0);
}

TEST(Scaling, AHostsRingIsBoundByItsLinks) {
  FabricSpeed fabric;
  fabric.ipuSyncSeconds = 0.0;
  // Each of four sends 2 * 3/4 of 160 GB at 160 GB/s.
  EXPECT_DOUBLE_EQ(allReduceSeconds(160'000'000'000, 4, fabric), 1.5);
  EXPECT_DOUBLE_EQ(allReduceSeconds(160'000'000'000, 2, fabric), 1.0);
}

TEST(Scaling, HostsAddTheirOwnRing) {
  FabricSpeed fabric;
  fabric.ipuSyncSeconds = 0.0;
  fabric.hostLatencySeconds = 1e-3;
  // Two hosts: 2 * 1/2 of 25 GB at 25 GB/s, and two messages.
  EXPECT_DOUBLE_EQ(allReduceSeconds(25'000'000'000, 8, fabric),
                   allReduceSeconds(25'000'000'000, 4, fabric) + 1.0 + 2e-3);
}

TEST(Scaling, StopsPayingWhereTwiceTheIpusGainLittle) {
  // Compute that halves down to a floor, as a step's syncs are.
  std::vector<ScalingPoint> points;
  for (std::uint32_t n = 1; n <= 64; n *= 2) {
    points.push_back({n, 64.0, 1.0 / n + 0.1});
  }
  const auto rows = scalingOf(points, 0, {.ipuSyncSeconds = 0.0, .hostLatencySeconds = 0.0});
  EXPECT_DOUBLE_EQ(rows[0].efficiency, 1.0);
  EXPECT_NEAR(rows[1].speedup, 1.1 / 0.6, 1e-12);
  // 0.6/0.35 = 1.71 from 2 to 4; 0.35/0.225 = 1.56 from 4 to 8; 0.225/0.1625 = 1.38 from 8 to 16.
  EXPECT_EQ(stopsPayingAt(rows), 3u);
  EXPECT_EQ(rows[3].point.numIpus, 8u);
}

} // namespace
} // namespace spillway::plan
