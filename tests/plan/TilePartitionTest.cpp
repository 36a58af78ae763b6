#include "plan/TilePartition.hpp"

#include "network/UserError.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

NetworkSpec networkOf(std::vector<std::uint32_t> sizes, std::uint32_t numOutputs) {
  NetworkSpec network;
  network.numInputs = 700;
  for (std::uint32_t size : sizes) {
    LayerSpec layer;
    layer.size = size;
    network.layers.push_back(layer);
  }
  network.readout.numOutputs = numOutputs;
  return network;
}

// Every neuron once, in order; tiles ascending, never shared, never tile 0 nor an IO tile.
void expectSound(const TilePartition& partition, const NetworkSpec& network) {
  const std::vector<std::uint32_t> sizes = mappedSizes(network);
  ASSERT_EQ(partition.layers.size(), sizes.size());
  std::uint32_t lastTile = 0;
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    std::uint32_t next = 0;
    for (const TileShare& share : partition.layers[l]) {
      EXPECT_EQ(share.tile, lastTile + 1);
      EXPECT_EQ(share.firstNeuron, next);
      EXPECT_GT(share.numNeurons, 0u);
      lastTile = share.tile;
      next += share.numNeurons;
    }
    EXPECT_EQ(next, sizes[l]);
  }
  EXPECT_LT(lastTile, partition.numTiles - partition.numIoTiles);
}

TEST(TilePartition, PutsThePapersNetworkOnAllTilesButTheFirst) {
  NetworkSpec network = networkOf({974, 974, 974, 20}, 0);
  network.readout.kind = ReadoutKind::SpikeCount;
  const TilePartition partition = partitionForIpu(network, {}, 2);
  expectSound(partition, network);
  EXPECT_EQ(partition.firstFreeTile(), 1472u);
  EXPECT_EQ(partition.layers[0].front(), (TileShare{1, 0, 2}));
  EXPECT_EQ(partition.layers[3].front().tile, 1u + 3 * 487);
}

TEST(TilePartition, IsSoundForOddSizes) {
  for (std::uint32_t size : {1u, 2u, 7u, 63u, 64u, 65u, 129u, 1000u})
    for (std::uint32_t n : {0u, 1u, 3u, 8u}) {
      const NetworkSpec network = networkOf({size, 5, size + 3}, 11);
      MachineShape machine;
      machine.numTiles = 2100;
      machine.numIoTiles = 32;
      expectSound(partitionForIpu(network, machine, n), network);
      const TilePartition cpu = partitionForCpu(network);
      expectSound(cpu, network);
      EXPECT_GE(cpu.layers[0].size(), size < 64 ? 1u : 2u);
    }
}

TEST(TilePartition, TakesTheFewestNeuronsPerTileThatFit) {
  const NetworkSpec network = networkOf({1000, 1000}, 10);
  EXPECT_EQ(partitionForIpu(network, {1472, 32}, 0).layers[0].front().numNeurons, 2u);
  EXPECT_EQ(partitionForIpu(network, {101, 0}, 0).layers[0].front().numNeurons, 21u);
}

// Whatever a schedule transfers beside compute, sums are made of the same neurons.
TEST(TilePartition, MovesNoNeuronForIoTiles) {
  const NetworkSpec network = networkOf({120}, 10);
  for (const std::uint32_t numTiles : {40u, 60u, 131u, 132u, 163u, 164u, 400u}) {
    const std::uint32_t numIoTiles = spareIoTiles(network, {numTiles}, 0);
    EXPECT_EQ(partitionForIpu(network, {numTiles, numIoTiles}, 0).layers,
              partitionForIpu(network, {numTiles}, 0).layers)
        << numTiles;
  }
  EXPECT_EQ(spareIoTiles(network, {162}, 0), 0u); // 130 neurons on 130 tiles, and 31 left
  EXPECT_EQ(spareIoTiles(network, {163}, 0), 32u);
  EXPECT_EQ(spareIoTiles(network, {163, 0, 2}, 0), 0u);
  EXPECT_EQ(spareIoTiles(network, {162}, 2), 32u);
}

TEST(TilePartition, NamesTheLeastThatFits) {
  const NetworkSpec network = networkOf({1000, 1000}, 10);
  try {
    partitionForIpu(network, {1472, 0}, 1);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("at least 2 neurons per tile"));
  }
  EXPECT_THROW(partitionForIpu(network, {3, 0}, 0), UserError);
  EXPECT_THROW(partitionForIpu(networkOf({}, 0), {}, 2), UserError);
}

TEST(TilePartition, GivesCpuTilesWholeVectorsAndBalance) {
  const TilePartition partition = partitionForCpu(networkOf({512, 100, 16}, 10));
  EXPECT_EQ(partition.layers[0].size(), 4u);
  for (const TileShare& share : partition.layers[0])
    EXPECT_EQ(share.numNeurons, 128u);
  EXPECT_EQ(partition.layers[1].size(), 2u);
  EXPECT_EQ(partition.layers[1].front().numNeurons, 56u);
  EXPECT_EQ(partition.layers[2].size(), 1u);
  const TilePartition wide = partitionForCpu(networkOf({700}, 10));
  EXPECT_EQ(wide.layers[0].size(), 6u);
  EXPECT_EQ(wide.layers[0].front().numNeurons, 128u);
  EXPECT_EQ(wide.layers[0].back().numNeurons, 60u);
  CpuShape few;
  few.maxTiles = 13;
  EXPECT_LE(partitionForCpu(networkOf({512, 100, 16}, 10), few).numTiles, 13u);
}

TEST(TilePartition, GivesCpuTilesMoreOfLargeLayers) {
  EXPECT_EQ(partitionForCpu(networkOf({2048}, 10)).layers[0].size(), 16u);
  EXPECT_EQ(partitionForCpu(networkOf({3072}, 10)).layers[0].size(), 16u);
  EXPECT_EQ(partitionForCpu(networkOf({8192}, 10)).layers[0].front().numNeurons, 256u);
}

TEST(TilePartition, KeepsLayersOnOneIpuWhereItCan) {
  NetworkSpec network;
  network.numInputs = 10;
  network.readout.numOutputs = 4;
  for (const std::uint32_t size : {60u, 60u, 60u}) {
    network.layers.emplace_back().size = size;
  }
  const auto ipuOf = [](const TileShare& share) { return share.tile / 100; };
  const TilePartition partition = partitionForIpu(network, {400, 0, 4}, 1);
  for (std::size_t l = 0; l < 3; ++l) {
    EXPECT_EQ(ipuOf(partition.layers[l].front()), l);
    EXPECT_EQ(ipuOf(partition.layers[l].back()), l);
  }
  // On two there is no room for gaps: layers follow one another, as on one.
  const TilePartition tight = partitionForIpu(network, {200, 0, 2}, 1);
  EXPECT_EQ(tight.layers, partitionForIpu(network, {200, 0}, 1).layers);
}

} // namespace
} // namespace spillway::plan
