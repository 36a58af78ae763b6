#include "machine/TransferCost.hpp"

#include <gtest/gtest.h>

namespace ipumodel {
namespace {

const MachineParameters kMachine = MachineParameters::of(MachineVersion::Gc200);

double microseconds(std::uint64_t cycles) {
  return 1e6 * static_cast<double>(cycles) / kMachine.clockHz;
}

TEST(TransferCost, ASmallStreamCopyCostsItsMeasuredFloor) {
  // Graphcore's lightweight profiling tutorial: four bytes, with and without a host callback.
  EXPECT_NEAR(static_cast<double>(streamCopyCycles(4, 4, HostAnswer::Waiting, kMachine)), 1800, 18);
  EXPECT_NEAR(static_cast<double>(streamCopyCycles(4, 4, HostAnswer::Callback, kMachine)), 166000,
              1660);
}

TEST(TransferCost, ACheckpointToStreamingMemoryIsBoundByTheLink) {
  // 120 samples x 2 neurons x 4 bytes on each of 1,472 tiles.
  constexpr std::uint64_t kPerTile = 960;
  const std::uint64_t cycles = remoteCopyCycles(kPerTile * 1472, kPerTile, 1, kMachine);
  EXPECT_NEAR(microseconds(cycles), 70.7 + 1.35, 0.1);
}

TEST(TransferCost, IpusOfAMachineShareItsStreamingMemory) {
  constexpr std::uint64_t kBytes = 100'000'000;
  const double alone = microseconds(remoteCopyCycles(kBytes, 4, 1, kMachine));
  const double four = microseconds(remoteCopyCycles(kBytes, 4, 4, kMachine));
  EXPECT_NEAR(four / alone, 4, 0.01);
  EXPECT_EQ(remoteCopyCycles(kBytes, 4, 64, kMachine), remoteCopyCycles(kBytes, 4, 4, kMachine));
}

TEST(TransferCost, OneTileThatHoldsAllIsTheBottleneck) {
  EXPECT_GT(remoteCopyCycles(600'000, 600'000, 1, kMachine),
            remoteCopyCycles(600'000, 408, 1, kMachine));
}

TEST(TransferCost, AFasterClockMeansMoreCyclesForTheSameTime) {
  const auto bow = MachineParameters::of(MachineVersion::Bow);
  EXPECT_GT(streamCopyCycles(1 << 20, 1024, HostAnswer::Callback, bow),
            streamCopyCycles(1 << 20, 1024, HostAnswer::Callback, kMachine));
}

TEST(TransferCost, CopiesInsideATileMoveEightBytesPerCycle) {
  EXPECT_EQ(onTileCopyCycles(0, kMachine), 0u);
  EXPECT_EQ(onTileCopyCycles(8000, kMachine) - onTileCopyCycles(0 + 8, kMachine), 999u);
}

TEST(TransferCost, LinksBetweenIpusPayASync) {
  EXPECT_EQ(ipuLinkCycles(0, kMachine), kMachine.globalSyncCycles);
  EXPECT_NEAR(microseconds(ipuLinkCycles(160'000'000, kMachine)), 1000, 1);
}

} // namespace
} // namespace ipumodel
