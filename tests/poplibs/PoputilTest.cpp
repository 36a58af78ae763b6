#include "Harness.hpp"

#include <popops/ElementWise.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/GraphFunction.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/Util.hpp>
#include <poputil/VarStructure.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <optional>

using namespace harness;
using poplar::Interval;

namespace {

poplar::Graph makeGraph(unsigned numTiles = 8, unsigned numIPUs = 1) {
  return poplar::Graph(makeDevice(numTiles, numIPUs).getTarget());
}

} // namespace

TEST(TileMapping, LinearMappingCoversEveryElementInOrder) {
  auto graph = makeGraph();
  const auto mapping = poputil::calcLinearTileMapping(graph, {5, 7}, 1, 2);
  std::size_t next = 0;
  for (const auto& regions : mapping)
    for (const auto& region : regions) {
      EXPECT_EQ(region.begin(), next);
      EXPECT_TRUE(region.size() % 2 == 0 || region.end() == 35);
      next = region.end();
    }
  EXPECT_EQ(next, 35u);
}

TEST(TileMapping, SmallTensorsStayTogether) {
  auto graph = makeGraph();
  const auto t = graph.addVariable(poplar::FLOAT, {40});
  poputil::mapTensorLinearly(graph, t); // 128 bytes are 32 floats
  EXPECT_EQ(graph.getTileMapping(t)[0].size(), 1u);
  EXPECT_EQ(graph.getTileMapping(t)[0][0], Interval(0, 40));
  poputil::mapTensorLinearlyWithOffset(graph, t, 10, 1, 6);
  const auto mapping = graph.getTileMapping(t);
  EXPECT_EQ(mapping[6][0], Interval(0, 10));
  EXPECT_EQ(mapping[0][0], Interval(20, 30));
  poputil::mapTensorLinearlyWithOffset(graph, t, 10, 1, 0, false);
  EXPECT_EQ(graph.getTileMapping(t)[7][0], Interval(0, 10));
  EXPECT_EQ(poputil::getTileImbalance(graph, t, 10), 0u);
  graph.setTileMapping(t, 3);
  EXPECT_EQ(poputil::getTileImbalance(graph, t), 35u);
}

TEST(TileMapping, ClonesOnAnotherIpuKeepTheTileNumber) {
  auto graph = makeGraph(4, 2);
  const auto t = graph.addVariable(poplar::FLOAT, {8});
  poputil::mapTensorLinearly(graph, t, 1, 2);
  graph.setTileMapping(t.slice(0, 4), 1);
  graph.setTileMapping(t.slice(4, 8), 3);
  const auto clone = poputil::cloneToIpu(graph, t, 1);
  EXPECT_EQ(graph.getTileMapping(clone)[5][0], Interval(0, 4));
  EXPECT_EQ(graph.getTileMapping(clone)[7][0], Interval(4, 8));
  EXPECT_THROW(poputil::cloneToIpu(graph, t, 2), poputil::poplibs_error);
}

TEST(Util, RegionsAreSplitEvenlyAtGrains) {
  const auto parts = poputil::splitRegions({Interval(0, 10), Interval(20, 33)}, 4, 3);
  ASSERT_EQ(parts.size(), 3u);
  std::vector<std::size_t> sizes;
  for (const auto& part : parts) {
    std::size_t n = 0;
    for (const auto& region : part)
      n += region.size();
    sizes.push_back(n);
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{8, 8, 7}));
  EXPECT_EQ(parts[1], (std::vector<Interval>{Interval(8, 10), Interval(20, 26)}));
  EXPECT_EQ(poputil::splitRegions({Interval(0, 10)}, 1, 6, 4).size(), 2u);
  EXPECT_EQ(poputil::splitRegions({Interval(0, 10)}, 1, 1, 0, 3).size(), 4u);
}

TEST(Util, LongSequencesAreCut) {
  using Sequences = std::vector<std::vector<Interval>>;
  const auto cut =
      poputil::splitRegions(Sequences{{{0, 6}, {10, 14}}, {{20, 23}}}, 1, 1, 0, UINT_MAX, 8);
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_EQ(cut[0], (Sequences{{{0, 6}, {10, 12}}, {{12, 14}}, {{20, 23}}}));
}

TEST(Util, UnshufflingUndoesAShuffle) {
  const std::vector<Interval> shuffle{{4, 6}, {3, 4}, {0, 3}};
  const auto undo = poputil::calculateUnshufflingIntervals(shuffle);
  EXPECT_EQ(undo, (std::vector<Interval>{{3, 6}, {2, 3}, {0, 2}}));
  auto graph = makeGraph();
  const auto t = graph.addVariable(poplar::FLOAT, {6});
  EXPECT_EQ(poplar::concat(poplar::concat(t.slices(shuffle)).slices(undo)), t);
}

TEST(Util, FlatIndicesAndBack) {
  const std::vector<std::size_t> shape{3, 4, 5};
  for (std::size_t i = 0; i != 60; ++i)
    EXPECT_EQ(poputil::flattenIndex(shape, poputil::unflattenIndex(shape, i)), i);
  EXPECT_EQ(poputil::balancedPartition(11, 4), (std::vector<int>{3, 3, 3, 2}));
}

TEST(VertexTemplates, NamesAreSpeltAsInCpp) {
  EXPECT_EQ(poputil::templateVertex("Foo"), "Foo");
  EXPECT_EQ(poputil::templateVertex("ns::Foo", poplar::FLOAT, true, 3u), "ns::Foo<float,true,3>");
  EXPECT_EQ(poputil::templateVertex("Foo", poplar::UNSIGNED_INT, "E::A", std::string("x")),
            "Foo<unsigned int,E::A,x>");
}

TEST(Broadcast, FollowsNumPyOrThrows) {
  auto graph = makeGraph();
  auto a = graph.addVariable(poplar::FLOAT, {4, 1, 3}),
       b = graph.addVariable(poplar::FLOAT, {5, 1});
  EXPECT_TRUE(poputil::canBroadcastToMatch(a, b));
  poputil::broadcastToMatch(a, b);
  EXPECT_EQ(a.shape(), (Shape{4, 5, 3}));
  EXPECT_EQ(b.shape(), (Shape{4, 5, 3}));
  auto c = graph.addVariable(poplar::FLOAT, {2, 3});
  EXPECT_FALSE(poputil::canBroadcastToMatch(a, c));
  EXPECT_THROW(poputil::broadcastToMatch(a, c), poputil::poplibs_error);
}

TEST(VarStructure, GroupingsAreFound) {
  auto graph = makeGraph();
  // [2][3][4][8] in memory, seen as [6][8 * 4] with the 4 outside.
  const auto t = graph.addVariable(poplar::FLOAT, {4, 6, 8});
  poputil::mapTensorLinearly(graph, t, 1, 48);
  const auto view = t.dimShuffle({1, 0, 2}).reshape({6, 32});
  EXPECT_EQ(poputil::detectInnermostGrouping(graph, view), 8u);
  const auto groupings = poputil::detectDimGroupings(graph, view);
  ASSERT_GE(groupings.size(), 1u);
  EXPECT_EQ(groupings[0], (poputil::GroupingInfo{1, 8}));
  const auto made = poputil::createPartitionableTensor(graph, poplar::FLOAT, {5, 6}, {2, 3});
  poputil::iterateTensorPartitions(made, {2, 3}, [](const Shape& i, const poplar::Tensor& part) {
    EXPECT_TRUE(part.flatten().isContiguous());
    EXPECT_EQ(part.dim(0), i[0] == 0 ? 3u : 2u);
  });
}

TEST(VarStructure, PartitionsAreContiguousAndTheLastOnesSmaller) {
  auto graph = makeGraph();
  const Shape shape{5, 8}, counts{4, 3}; // parts of 2, 2, 1 and 0 by 3, 3 and 2
  const auto t = poputil::createPartitionableTensor(graph, poplar::FLOAT, shape, counts);
  EXPECT_EQ(t.shape(), shape);
  EXPECT_FALSE(t.containsAliases());
  std::vector<Shape> sizes;
  poputil::iterateTensorPartitions(t, counts, [&](const Shape&, const poplar::Tensor& part) {
    EXPECT_LE(part.getContiguousRegions().size(), 1u);
    sizes.push_back(part.shape());
  });
  ASSERT_EQ(sizes.size(), 12u);
  EXPECT_EQ(sizes[0], (Shape{2, 3}));
  EXPECT_EQ(sizes[8], (Shape{1, 2}));
  EXPECT_EQ(sizes[11], (Shape{0, 2}));
}

TEST(OptionParsing, UnknownNamesAndBadValuesThrow) {
  int number = 0;
  bool flag = false;
  const poplibs::OptionSpec spec{{"number", poplibs::OptionHandler::createWithInteger(number)},
                                 {"flag", poplibs::OptionHandler::createWithBool(flag)}};
  spec.parse("number", "42");
  spec.parse("flag", "true");
  EXPECT_EQ(number, 42);
  EXPECT_TRUE(flag);
  EXPECT_THROW(spec.parse("nothing", "1"), poplar::invalid_option);
  EXPECT_THROW(spec.parse("number", "4x"), poplar::invalid_option);
  EXPECT_NO_THROW(spec.parse("nothing", "1", true));
}

TEST(OptionParsing, ValuesMayHaveBoundsOrBeAbsent) {
  using poplibs::OptionHandler;
  double share = 0;
  std::optional<double> maybe;
  std::optional<int> colour = 7;
  const poplibs::OptionSpec spec{
      {"share", OptionHandler::createWithDouble(share, 0.0, true, 1.0, false)},
      {"maybe", poplibs::createOptionalDoubleHandler(maybe, 0.0, false)},
      {"colour", poplibs::createOptionalEnumHandler(colour, {{"red", 1}, {"blue", 2}})}};
  spec.parse("share", "0");
  EXPECT_THROW(spec.parse("share", "1.0"), poplar::invalid_option);
  EXPECT_THROW(spec.parse("maybe", "0"), poplar::invalid_option);
  EXPECT_FALSE(maybe);
  spec.parse("maybe", "0.5");
  EXPECT_EQ(maybe, 0.5);
  spec.parse("colour", "blue");
  EXPECT_EQ(colour, 2);
  spec.parse("colour", "none");
  EXPECT_FALSE(colour);
  EXPECT_NO_THROW(OptionHandler::ensureValueIsWithinBounds(10, 0, false, 10, true));
}

TEST(GraphFunction, OneBodyServesManyTensors) {
  TestGraph g;
  const auto a = g.input(poplar::FLOAT, {6}, std::vector<float>{0, 1, 2, 3, 4, 5});
  const auto b = g.input(poplar::FLOAT, {6}, std::vector<float>(6, 2.0f));
  poputil::graphfn::TensorFunction square(
      g.graph, {poputil::graphfn::input(a)},
      [&](std::vector<poplar::Tensor>& args, poplar::program::Sequence& prog) {
        return popops::square(g.graph, args[0], prog);
      });
  std::vector<poplar::Tensor> first{a}, second{b};
  const auto x = g.output(square(first, g.prog)), y = g.output(square(second, g.prog));
  g.run();
  EXPECT_EQ(g.read<float>(x), (std::vector<float>{0, 1, 4, 9, 16, 25}));
  EXPECT_EQ(g.read<float>(y), std::vector<float>(6, 4.0f));
}

TEST(GraphFunction, BodiesMayTakeTheNameToUse) {
  using poplar::DebugNameAndId;
  using poplar::Tensor;
  using poplar::program::Sequence;
  TestGraph g;
  const auto a = g.input(poplar::FLOAT, {3}, std::vector<float>{1, 2, 3});
  poputil::graphfn::VoidFunction twice(
      g.graph, {poputil::graphfn::inout(a)},
      [&](std::vector<Tensor>& args, Sequence& prog, const DebugNameAndId& name) {
        EXPECT_EQ(name.getPathName(), "twice");
        popops::addInPlace(g.graph, args[0], args[0], prog, {name, "sum"});
      },
      false, "twice");
  poputil::graphfn::ProgramFunction square(
      g.graph, {poputil::graphfn::inout(a)},
      [&](std::vector<Tensor>& args, const DebugNameAndId& name) {
        Sequence prog;
        popops::squareInPlace(g.graph, args[0], prog, {name});
        return prog;
      });
  poputil::graphfn::TensorFunction negated(
      g.graph, {poputil::graphfn::input(a)},
      [&](std::vector<Tensor>& args, Sequence& prog, const DebugNameAndId& name) {
        return popops::neg(g.graph, args[0], prog, {name});
      });
  std::vector<Tensor> args{a};
  twice(args, g.prog, "call");
  g.prog.add(square(args, "call"));
  const auto x = g.output(negated(args, g.prog, "call"));
  g.run();
  EXPECT_EQ(g.read<float>(x), (std::vector<float>{-4, -16, -36}));
}

TEST(Util, FactorsOfDimensionsMoveInsideAndBack) {
  TestGraph g;
  const auto t = g.input<float>(poplar::FLOAT, {4, 6, 2}, randomFloats(48, 1));
  const auto split = poputil::factorDims(t, {1, 2});
  EXPECT_EQ(split.shape(), (Shape{4, 3, 1, 2, 2}));
  EXPECT_EQ(poputil::factorDims(t, {3}, 1).shape(), (Shape{4, 2, 3, 2}));
  const auto moved = g.output(split), back = g.output(poputil::unfactorDims(split, 2));
  const auto all = g.output(t);
  g.run();
  const auto values = g.read<float>(all), factored = g.read<float>(moved);
  EXPECT_EQ(g.read<float>(back), values);
  EXPECT_EQ(factored[((1 * 3 + 2) * 2 + 1) * 2 + 1], values[(1 * 6 + 5) * 2 + 1]);
  EXPECT_THROW(poputil::factorDims(t, {3}), poputil::poplibs_error);
  EXPECT_THROW(poputil::factorDims(t, {1, 1, 1, 1}), poputil::poplibs_error);
  EXPECT_THROW(poputil::unfactorDims(t, 2), poputil::poplibs_error);
}

TEST(Util, FlattensIntervalsAndRoundsToHalf) {
  using poplar::Interval;
  EXPECT_EQ(poputil::flattenIntervals({{{0, 2}}, {}, {{4, 5}, {2, 3}}}),
            (std::vector<Interval>{{0, 2}, {4, 5}, {2, 3}}));
  const auto device = makeDevice(1);
  EXPECT_EQ(poputil::castToDeviceHalfValue(device.getTarget(), 2049.5), 2050.0);
}

TEST(CopyToIpu, MayKeepAliases) {
  TestGraph g;
  const auto t = g.input(poplar::INT, {5}, std::vector<int>{1, 2, 3, 4, 5});
  const auto copy = poputil::copyToIpu(g.graph, t.broadcast(2, 0), g.prog, 0, {},
                                       poplar::TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES);
  EXPECT_TRUE(copy.containsAliases());
  EXPECT_EQ(copy.slice(0, 5), copy.slice(5, 10));
  const auto out = g.output(copy.slice(5, 10));
  g.run();
  EXPECT_EQ(g.read<int>(out), (std::vector<int>{1, 2, 3, 4, 5}));
}

TEST(Duplicate, MayKeepAliases) {
  TestGraph g;
  const auto t = g.input(poplar::INT, {3}, std::vector<int>{7, 8, 9});
  const auto copy = poputil::duplicate(g.graph, t.broadcast(2, 0), g.prog, {},
                                       poplar::TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES);
  EXPECT_EQ(copy.slice(0, 3), copy.slice(3, 6));
  const auto out = g.output(copy);
  g.run();
  EXPECT_EQ(g.read<int>(out), (std::vector<int>{7, 8, 9, 7, 8, 9}));
}
