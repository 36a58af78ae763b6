#include "machine/ExchangeCost.hpp"

#include <gtest/gtest.h>

namespace ipumodel {
namespace {

const MachineParameters kMachine = MachineParameters::of(MachineVersion::Gc200);

std::uint64_t cost(std::vector<Transfer> transfers) {
  return exchangeCycles(shapeOf(transfers, kMachine), kMachine);
}

// From tile 0 to tile 3, whose sibling on the bus is idle.
std::vector<Transfer> pointToPoint(std::uint64_t bytes) {
  return {{0, 3, 0, 1 << 20, bytes}};
}

TEST(ExchangeCost, MovesFourBytesPerCycleBetweenTwoTiles) {
  EXPECT_EQ(cost(pointToPoint(4096)), kMachine.exchangeFixedCycles + 1024);
}

TEST(ExchangeCost, NothingCostsNothing) {
  EXPECT_EQ(cost({}), 0u);
  EXPECT_EQ(cost({{5, 5, 0, 64, 4096}}), 0u) << "data that stays on its tile is not exchanged";
}

TEST(ExchangeCost, GrowsWithBytesAboveAFloor) {
  std::uint64_t last = 0;
  for (std::uint64_t bytes = 4; bytes <= 1 << 18; bytes *= 4) {
    const std::uint64_t now = cost(pointToPoint(bytes));
    EXPECT_GE(now, last);
    EXPECT_GE(now, kMachine.exchangeFixedCycles);
    last = now;
  }
}

TEST(ExchangeCost, AMulticastLeavesTheSenderOnce) {
  std::vector<Transfer> multicast, separate;
  for (std::uint32_t tile = 2; tile < 10; tile += 2) { // one tile of each pair
    multicast.push_back({0, tile, 0, 0, 4096});
    separate.push_back({0, tile, tile * 4096, 0, 4096});
  }
  EXPECT_EQ(cost(multicast), kMachine.exchangeFixedCycles + 1024);
  EXPECT_EQ(cost(separate), kMachine.exchangeFixedCycles + 4 * 1024);
}

TEST(ExchangeCost, PairsThatReceiveTheSameShareTheirBus) {
  std::vector<Transfer> broadcast;
  for (std::uint32_t tile = 2; tile < 16; ++tile)
    broadcast.push_back({0, tile, 0, 0, 4096});
  EXPECT_EQ(cost(broadcast), kMachine.exchangeFixedCycles + 512);
  broadcast.push_back({0, 16, 0, 0, 4096}); // a tile without its sibling slows the sender down
  EXPECT_EQ(cost(broadcast), kMachine.exchangeFixedCycles + 1024);
}

TEST(ExchangeCost, OnlyTheCommonPartIsShared) {
  std::vector<Transfer> transfers = {{0, 2, 0, 0, 4000}, {0, 3, 2000, 0, 4000}};
  const ExchangeShape shape = shapeOf(transfers, kMachine);
  ASSERT_EQ(shape.tiles.size(), 3u);
  EXPECT_EQ(shape.tiles[0].bytesSent, 6000u);
  EXPECT_EQ(shape.tiles[0].bytesSentShared, 2000u);
  EXPECT_EQ(shape.tiles[1].bytesReceivedShared, 2000u);
  EXPECT_EQ(shape.tiles[2].bytesReceivedShared, 2000u);
}

TEST(ExchangeCost, SmallFragmentsAreBoundByControl) {
  std::vector<Transfer> allToOne;
  for (std::uint32_t tile = 0; tile < 1472; ++tile)
    if (tile != 7)
      allToOne.push_back({tile, 7, tile * 64u, tile * 8u, 4});
  EXPECT_EQ(cost(allToOne), kMachine.exchangeFixedCycles + 1471 * 3);
  for (Transfer& t : allToOne)
    t.destination /= 2; // side by side, but for the gap of tile 7 itself
  EXPECT_EQ(cost(allToOne), kMachine.exchangeFixedCycles + 2 * 3 + 1469 * 2);
}

TEST(ExchangeCost, WhatIsContiguousAtBothEndsIsOneFragment) {
  std::vector<Transfer> transfers = {{0, 2, 0, 100, 4}, {0, 2, 4, 104, 4}, {0, 2, 8, 200, 4}};
  const ExchangeShape shape = shapeOf(transfers, kMachine);
  EXPECT_EQ(shape.tiles[0].sendFragments, 1u);
  EXPECT_EQ(shape.tiles[1].receiveFragments, 2u);
  EXPECT_EQ(shape.bytesSent, 12u);
}

} // namespace
} // namespace ipumodel
