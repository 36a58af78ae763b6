// Clones and memory order.
#include "TestGraph.hpp"

#include <gtest/gtest.h>

#include <numeric>

using namespace poplar;

namespace {

typedef std::vector<std::size_t> Shape;

class OrderTest : public testing::Test {
protected:
  OrderTest() {
    graph.setTileMapping(t[0], 1);
    graph.setTileMapping(t[1], 2);
    graph.setTileMapping(t[2], 3);
  }
  Graph graph{testTarget()};
  Tensor t = graph.addVariable(FLOAT, {3, 4}, "t");
};

} // namespace

TEST_F(OrderTest, AClonePreservesShapeMappingAndMemoryOrder) {
  const Tensor view = t.transpose();
  const Tensor copy = graph.clone(view, "copy");
  EXPECT_EQ(copy.shape(), view.shape());
  EXPECT_FALSE(copy.intersectsWith(view));
  EXPECT_EQ(graph.getTileMapping(copy), graph.getTileMapping(view));
  EXPECT_EQ(copy.getContiguousRegions(), view.getContiguousRegions());
  EXPECT_TRUE(copy.transpose().isContiguous());
}

TEST_F(OrderTest, ANewOrderIsTheOrderOfTheTensor) {
  const Tensor copy = graph.clone(t.transpose(), {}, TensorCloneMethod::CREATE_NEW_ORDER);
  EXPECT_TRUE(copy.isContiguous());
  EXPECT_EQ(graph.getTileMapping(copy), graph.getTileMapping(t.transpose()));
}

TEST_F(OrderTest, AliasesArePreservedOnlyWhenAskedFor) {
  const Tensor twice = concat(t, t);
  EXPECT_FALSE(graph.clone(twice).containsAliases());
  const Tensor kept = graph.clone(twice, {}, TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES);
  EXPECT_TRUE(kept.containsAliases());
  EXPECT_EQ(kept.slice(0, 3), kept.slice(3, 6));
}

TEST_F(OrderTest, ACloneMayChangeTheTypeAndTakesOnlyWhatIsUsed) {
  const Tensor column = graph.clone(HALF, t.slice(1, 2, 1), "column");
  EXPECT_EQ(column.elementType(), HALF);
  EXPECT_TRUE(column.isContiguous());
  EXPECT_EQ(graph.getTileMapping(column), graph.getTileMapping(t.slice(1, 2, 1)));
}

TEST_F(OrderTest, GatheringClonesLayTilesTogether) {
  const Tensor interleaved = graph.addVariable(FLOAT, {8}, "interleaved");
  for (std::size_t i = 0; i < 8; ++i)
    graph.setTileMapping(interleaved[i], i % 2);
  const Tensor copy =
      graph.clone(interleaved, {}, TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES);
  EXPECT_EQ(graph.getTileMapping(copy), graph.getTileMapping(interleaved));
  EXPECT_TRUE(copy.subSample(2, 0).isContiguous());
}

TEST_F(OrderTest, CloneNAddsADimension) {
  const Tensor many = graph.cloneN(t, 3, "many");
  EXPECT_EQ(many.shape(), (Shape{3, 3, 4}));
  EXPECT_FALSE(many.containsAliases());
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(graph.getTileMapping(many[i]), graph.getTileMapping(t));
  const Tensor side =
      graph.cloneN(t, 2, {}, TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                   TensorCloneDuplicationMethod::DUPLICATE_BY_TILE_CONTIGUOUS_REGION);
  EXPECT_EQ(side.shape(), (Shape{2, 3, 4}));
  EXPECT_FALSE(side.containsAliases());
  EXPECT_EQ(graph.getTileMapping(side[1]), graph.getTileMapping(t));
}

TEST_F(OrderTest, SortedRegionsFollowMemory) {
  const Tensor shuffled =
      concat({t.flatten().slice(8, 12), t.flatten().slice(0, 4), t.flatten().slice(4, 6)});
  const auto regions = graph.getSortedContiguousRegions(shuffled, {{0, 10}});
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0], (std::vector<Interval>{{4, 10}}));
  EXPECT_EQ(regions[1], (std::vector<Interval>{{0, 4}}));
  // Contiguous in memory, but not in the tensor.
  const Tensor swapped = concat(t.flatten().slice(4, 8), t.flatten().slice(0, 4));
  const auto joined = graph.getSortedContiguousRegions(swapped, {{0, 8}});
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0], (std::vector<Interval>{{4, 8}, {0, 4}}));
}

TEST_F(OrderTest, AliasedIntervalsCanBeRemoved) {
  const Tensor twice = concat(t.flatten(), t.flatten());
  EXPECT_EQ(graph.getSortedContiguousRegions(twice, {{0, 24}}).size(), 2u);
  const auto once = graph.getSortedContiguousRegions(twice, {{0, 24}}, true);
  ASSERT_EQ(once.size(), 1u);
  std::size_t elements = 0;
  for (const Interval& i : once[0])
    elements += i.size();
  EXPECT_EQ(elements, 12u);
}

TEST_F(OrderTest, AliasesNameTheFirstRangeWithTheSameElements) {
  const Tensor flat = t.flatten();
  const Tensor twice = concat(flat.slice(0, 8), flat.slice(2, 4));
  std::vector<std::size_t> aliases;
  std::vector<Interval> intervals;
  for (const auto& region : graph.getSortedContiguousRegions(twice, {{0, 10}}, false, &aliases))
    intervals.insert(intervals.end(), region.begin(), region.end());
  EXPECT_EQ(intervals, (std::vector<Interval>{{0, 2}, {2, 4}, {8, 10}, {4, 8}}));
  EXPECT_EQ(aliases, (std::vector<std::size_t>{0, 2, 2, 4}));
}

TEST_F(OrderTest, ReorderToSimplifyGivesMemoryOrderToAll) {
  Tensor a = t.transpose();
  Tensor b = graph.addVariable(FLOAT, {4, 3}, "b");
  const Tensor b0 = b;
  graph.reorderToSimplify(&a, {&b});
  EXPECT_EQ(a, t.flatten());
  EXPECT_EQ(b, b0.transpose().flatten());
  Tensor simple = t;
  graph.reorderToSimplify(&simple, {}, false);
  EXPECT_EQ(simple, t.flatten());
}

TEST_F(OrderTest, ARearrangerCanBeUndone) {
  const Tensor view = t.transpose();
  const TensorRearranger rearranger = graph.getSimplifyingRearranger(view);
  EXPECT_EQ(rearranger.rearrange(view), t.flatten());
  EXPECT_EQ(rearranger.undoRearrangement(rearranger.rearrange(view)), view.flatten());
  const std::vector<Interval> moved = rearranger.rearrange(std::vector<Interval>{{0, 3}});
  EXPECT_EQ(moved, (std::vector<Interval>{{0, 1}, {4, 5}, {8, 9}}));
  EXPECT_EQ(rearranger.undoRearrangement(moved), (std::vector<Interval>{{0, 3}}));
}

TEST_F(OrderTest, UnbroadcastFindsWhatWasRepeated) {
  const Tensor row = t[0].expand({0});
  EXPECT_EQ(graph.findUnbroadcastTensor(row.broadcast(5, 0)), row);
  EXPECT_EQ(graph.findUnbroadcastTensor(t.broadcast(2, 1)), t);
  EXPECT_EQ(graph.findUnbroadcastTensor(t), t);
}
