#include "Harness.hpp"

#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

using namespace harness;
using poplar::Interval;
using poputil::TensorUseTracker;
using Mapping = poplar::Graph::TileToTensorMapping;

namespace {

struct Tracked {
  explicit Tracked(std::size_t numElements, unsigned tiles = 4)
      : device(makeDevice(tiles)),
        graph(device.getTarget()),
        t(graph.addVariable(poplar::FLOAT, {numElements})),
        tracker(tiles) {}

  void use(unsigned tile, std::size_t begin, std::size_t end) {
    tracker.add(graph, tile, t.slice(begin, end));
  }
  Mapping mapped(unsigned grain, unsigned minimum, bool extend = false,
                 TensorUseTracker::MappingMethod method = TensorUseTracker::MappingMethod::None) {
    tracker.mapTensorsByUse(graph, grain, minimum, extend, method);
    return graph.getTileMapping(t, false);
  }

  poplar::Device device;
  poplar::Graph graph;
  poplar::Tensor t;
  TensorUseTracker tracker;
};

} // namespace

TEST(TensorUse, SharedElementsAreSpreadOverTheirUsers) {
  Tracked tracked(16);
  EXPECT_TRUE(tracked.tracker.empty());
  tracked.use(1, 0, 8);
  tracked.use(2, 0, 16);
  EXPECT_FALSE(tracked.tracker.empty());
  EXPECT_EQ(tracked.mapped(1, 1), (Mapping{{}, {{0, 4}}, {{4, 16}}, {}}));
}

TEST(TensorUse, SharesAreWholeGrainsOfAtLeastTheMinimum) {
  Tracked tracked(16);
  for (unsigned tile = 0; tile != 4; ++tile)
    tracked.use(tile, 0, 16);
  EXPECT_EQ(tracked.mapped(4, 8), (Mapping{{{0, 8}}, {{8, 16}}, {}, {}}));

  Tracked straddling(8); // a grain of two ranges goes to the first
  straddling.use(0, 0, 3);
  straddling.use(1, 3, 8);
  EXPECT_EQ(straddling.mapped(4, 4), (Mapping{{{0, 4}}, {{4, 8}}, {}, {}}));
}

TEST(TensorUse, ElementsNobodyUsesStayUnmappedUnlessExtended) {
  Tracked partial(12);
  partial.use(1, 2, 4);
  partial.use(3, 8, 9);
  EXPECT_EQ(partial.mapped(1, 1), (Mapping{{}, {{2, 4}}, {}, {{8, 9}}}));
  EXPECT_EQ(partial.mapped(1, 1, true), (Mapping{{}, {{0, 8}}, {}, {{8, 12}}}));
}

TEST(TensorUse, HalosStayWithTheRangeBefore) {
  const auto windows = [](TensorUseTracker::MappingMethod method) {
    Tracked tracked(14, 2);
    tracked.use(0, 0, 8);
    tracked.use(1, 6, 14);
    return tracked.mapped(1, 1, false, method);
  };
  EXPECT_EQ(windows(TensorUseTracker::MappingMethod::None), (Mapping{{{0, 7}}, {{7, 14}}}));
  EXPECT_EQ(windows(TensorUseTracker::MappingMethod::OptimizeHaloRegions),
            (Mapping{{{0, 8}}, {{8, 14}}}));
}

TEST(TensorUse, ConstrainedElementsStayWithTheirUsers) {
  Tracked tracked(16);
  tracked.use(0, 0, 1);
  tracked.use(1, 1, 16);
  EXPECT_EQ(
      tracked.mapped(4, 1, false, TensorUseTracker::MappingMethod::ConstrainMappingToUsedTiles),
      (Mapping{{{0, 1}}, {{1, 16}}, {}, {}}));
}

TEST(TensorUse, ResolvedUsesAreNotSpreadAgain) {
  Tracked tracked(8, 2);
  TensorUseTracker first(2);
  first.add(tracked.graph, 0, tracked.t.slice(0, 4));
  first.add(tracked.graph, 1, tracked.t.slice(0, 4));
  first.resolve(tracked.graph, 1, 1);
  tracked.use(0, 4, 8);
  tracked.tracker.add(first);
  EXPECT_EQ(tracked.mapped(1, 1), (Mapping{{{0, 2}, {4, 8}}, {{2, 4}}}));
}

TEST(TensorUse, ConstantsAreLeftOutAndTilesMustFit) {
  Tracked tracked(4, 2);
  tracked.tracker.add(tracked.graph, 0, tracked.graph.addConstant(poplar::FLOAT, {4}, 1.0f));
  EXPECT_TRUE(tracked.tracker.empty());
  EXPECT_THROW(tracked.use(2, 0, 4), poputil::poplibs_error);
  EXPECT_THROW(tracked.tracker.add(TensorUseTracker(3)), poputil::poplibs_error);
}
