#include "graph/TileMap.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace ipumodel;

namespace {

constexpr std::uint32_t kUnmapped = ~0u;

std::vector<std::uint32_t> tilesOf(const TileMap& map, std::size_t numElements) {
  std::vector<std::uint32_t> out(numElements, kUnmapped);
  std::size_t at = 0;
  for (const TileMap::Range& range : map.ranges()) {
    EXPECT_LE(at, range.begin);
    EXPECT_LT(range.begin, range.end);
    at = range.end;
    for (std::size_t i = range.begin; i < range.end; ++i)
      out[i] = range.tile.value;
  }
  return out;
}

} // namespace

TEST(TileMap, LaterAssignmentsWin) {
  constexpr std::size_t kElements = 40;
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    TileMap map;
    std::vector<std::uint32_t> expected(kElements, kUnmapped);
    for (unsigned i = 0; i < 1 + seed % 20; ++i) {
      const std::size_t begin = random() % kElements;
      const std::size_t end = begin + random() % (kElements - begin + 1);
      const std::uint32_t tile = static_cast<std::uint32_t>(random() % 4);
      map.assign(begin, end, TileId{tile});
      for (std::size_t e = begin; e < end; ++e)
        expected[e] = tile;
      if (random() % 4 == 0) {
        ASSERT_EQ(tilesOf(map, kElements), expected) << "seed " << seed;
      }
    }
    ASSERT_EQ(tilesOf(map, kElements), expected) << "seed " << seed;
    const bool full = std::find(expected.begin(), expected.end(), kUnmapped) == expected.end();
    EXPECT_EQ(map.covers(kElements), full);
  }
}

TEST(TileMap, NeighboursOfOneTileMerge) {
  TileMap map;
  for (std::size_t i = 0; i < 100; ++i)
    map.assign(99 - i, 100 - i, TileId{7});
  EXPECT_EQ(map.ranges().size(), 1u);
  EXPECT_TRUE(map.covers(100));
  EXPECT_FALSE(map.covers(101));
}
