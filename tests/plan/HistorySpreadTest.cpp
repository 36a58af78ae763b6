#include "plan/HistorySpread.hpp"

#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

using Tiles = std::vector<std::uint32_t>;

TEST(HistorySpread, DealsPiecesOutEvenlyAndInOrder) {
  EXPECT_EQ(spreadPieces({4, 4, 4, 4}, 2), (Tiles{0, 0, 1, 1}));
  EXPECT_EQ(spreadPieces({1, 1, 6, 8}, 4), (Tiles{0, 0, 0, 2}));
}

TEST(HistorySpread, KeepsEmptyPiecesOnTiles) {
  EXPECT_EQ(spreadPieces({0, 4, 0, 4, 0}, 2), (Tiles{0, 0, 1, 1, 1}));
  EXPECT_EQ(spreadPieces({0, 0}, 3), (Tiles{0, 0}));
  EXPECT_EQ(spreadPieces({}, 3), Tiles{});
}

} // namespace
} // namespace spillway::plan
