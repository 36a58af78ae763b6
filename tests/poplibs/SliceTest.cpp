#include "Harness.hpp"

#include <popops/Cast.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/Gather.hpp>
#include <popops/HostSliceTensor.hpp>
#include <popops/Loop.hpp>
#include <popops/SequenceSlice.hpp>
#include <popops/Zero.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

using namespace harness;

TEST(DynamicSlice, OneDimensionAtEveryOffset) {
  const std::size_t D = 5, C = 7;
  const auto data = randomFloats(D * C, 1);
  for (unsigned offset = 0; offset != D; ++offset) {
    TestGraph g;
    const auto made = popops::createSliceableTensor(g.graph, poplar::FLOAT, {D, C}, {0}, {2});
    g.setValues(made, data);
    const auto linear = g.input(poplar::FLOAT, {D, C}, data);
    const auto at = g.input(poplar::UNSIGNED_INT, {1}, std::vector<unsigned>{offset});
    const auto a = g.output(popops::dynamicSlice(g.graph, made, at, {0}, {2}, g.prog));
    const auto b = g.output(popops::dynamicSlice(g.graph, linear, at, {0}, {2}, g.prog));
    g.run();
    const auto x = g.read<float>(a);
    EXPECT_EQ(x, g.read<float>(b));
    for (std::size_t i = 0; i != 2 * C; ++i)
      EXPECT_EQ(x[i], data[(offset * C + i) % (D * C)]) << "offset " << offset;
  }
}

TEST(DynamicSlice, TwoDimensionsAndUpdate) {
  const std::size_t A = 4, B = 5, C = 6;
  const auto data = randomFloats(A * B * C, 1), patch = randomFloats(A * 2 * 3, 2);
  TestGraph g;
  const auto t = popops::createSliceableTensor(g.graph, poplar::FLOAT, {A, B, C}, {1, 2}, {2, 3});
  g.setValues(t, data);
  const auto s = g.input(poplar::FLOAT, {A, 2, 3}, patch);
  const auto at = g.input(poplar::UNSIGNED_INT, {2}, std::vector<unsigned>{3, 1});
  const auto slice = g.output(popops::dynamicSlice(g.graph, t, at, {1, 2}, {2, 3}, g.prog));
  popops::dynamicUpdate(g.graph, t, s, at, {1, 2}, {2, 3}, g.prog);
  const auto all = g.output(t);
  g.run();
  const auto x = g.read<float>(slice), y = g.read<float>(all);
  auto expected = data;
  for (std::size_t a = 0; a != A; ++a)
    for (std::size_t b = 0; b != 2; ++b)
      for (std::size_t c = 0; c != 3; ++c) {
        const auto i = (a * B + b + 3) * C + c + 1;
        EXPECT_EQ(x[(a * 2 + b) * 3 + c], data[i]);
        expected[i] = patch[(a * 2 + b) * 3 + c];
      }
  EXPECT_EQ(y, expected);
}

TEST(DynamicSlice, BeginsWithTheDimensionThatLosesMost) {
  TestGraph g;
  const auto t = g.graph.addVariable(poplar::FLOAT, {20, 10, 6}, "t");
  poputil::mapTensorLinearly(g.graph, t);
  const auto at = g.input(poplar::UNSIGNED_INT, {3}, std::vector<unsigned>{0, 0, 0});
  popops::dynamicSlice(g.graph, t, at, {2, 0, 1}, {5, 18, 2}, g.prog);
  std::stringstream dot;
  g.graph.outputComputeGraph(dot, {g.prog});
  const auto place = [text = dot.str()](const char* name) { return text.find(name); };
  EXPECT_LT(place("dynamicSlice_d1/slice"), place("dynamicSlice_d2/slice"));
  EXPECT_LT(place("dynamicSlice_d2/slice"), place("dynamicSlice_d0/slice"));
  EXPECT_NE(place("dynamicSlice_d0/slice"), std::string::npos);
}

TEST(SlicePlan, OfSeveralTablesAreThoseOfEach) {
  using namespace popops::embedding;
  TestGraph g;
  const auto plans = planMultiple({SlicePlanningParameters(g.graph, poplar::HALF, 2, 3, 4, {5}, {}),
                                   SlicePlanningParameters(g.graph, poplar::FLOAT, 9, 8, {7}, {})});
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[0], plan(g.graph, poplar::HALF, 2, 3, 4, {5}, {}));
  EXPECT_EQ(plans[1], plan(g.graph, poplar::FLOAT, 9, 8, {7}, {}));
}

TEST(MultiSlice, GathersAndScattersRows) {
  const std::size_t D = 9, W = 10;
  const auto data = randomFloats(D * W, 1), updates = randomFloats(4 * W, 2);
  const std::vector<unsigned> rows{7, 0, 7, 3};
  TestGraph g;
  const auto plan = popops::embedding::plan(g.graph, poplar::FLOAT, D, W, {4}, {});
  const auto t = popops::createSliceableTensor(g.graph, poplar::FLOAT, {D, W}, {0}, {1}, plan, {});
  g.setValues(t, data);
  const auto at = popops::createIndicesTensor(g.graph, {0}, 4, plan, {});
  g.setValues(at, rows);
  const auto gathered = g.output(popops::multiSlice(g.graph, t, at, {0}, {1}, g.prog, plan, {}));
  const auto s = g.input(poplar::FLOAT, {4, 1, W}, updates);
  const auto scale = g.input(poplar::FLOAT, {}, std::vector<float>{0.5f});
  popops::multiUpdateAdd(g.graph, t, s, at, scale, {0}, {1}, g.prog, plan, {});
  const auto all = g.output(t);
  g.run();
  const auto x = g.read<float>(gathered), y = g.read<float>(all);
  auto expected = data;
  for (std::size_t k = 0; k != 4; ++k)
    for (std::size_t w = 0; w != W; ++w) {
      EXPECT_EQ(x[k * W + w], data[rows[k] * W + w]);
      expected[rows[k] * W + w] += 0.5f * updates[k * W + w];
    }
  EXPECT_EQ(y, expected);
}

TEST(MultiUpdateAdd, TakesOffsetsThatAreKnownBefore) {
  TestGraph g;
  const auto t = popops::createSliceableTensor(g.graph, poplar::FLOAT, {5, 2}, {0}, {1});
  g.setValues(t, std::vector<float>(10, 1));
  const auto s = g.input<float>(poplar::FLOAT, {4, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto scale = g.input<float>(poplar::FLOAT, {}, {2});
  const std::vector<unsigned> rows{3, 0, 9, 3};
  popops::multiUpdateAdd(g.graph, t, s, rows, scale, 0, g.prog);
  const auto all = g.output(t);
  g.run();
  EXPECT_EQ(g.read<float>(all), (std::vector<float>{7, 9, 1, 1, 1, 1, 17, 21, 1, 1}));
}

TEST(CreateSliceableTensorFromSlice, PutsSlicesWhereTheSliceIs) {
  TestGraph g;
  const auto s = g.input(poplar::FLOAT, {2, 6}, randomFloats(12, 1));
  const auto t = popops::createSliceableTensorFromSlice(g.graph, s, {0}, {5});
  EXPECT_EQ(t.shape(), (Shape{10, 6}));
  for (std::size_t i = 0; i != 5; ++i)
    EXPECT_EQ(g.graph.getTileMapping(t.slice(2 * i, 2 * i + 2)), g.graph.getTileMapping(s));
}

TEST(Loop, TheBodySeesTheCounter) {
  TestGraph g;
  const auto history =
      popops::createSliceableTensor(g.graph, poplar::UNSIGNED_INT, {6, 1}, {0}, {1});
  popops::zero(g.graph, history, g.prog);
  g.prog.add(popops::countedLoop(g.graph, 1, 6, 2, [&](const poplar::Tensor& i) {
    poplar::program::Sequence body;
    popops::dynamicUpdate(g.graph, history, i.expand({0}), i, {0}, {1}, body);
    return body;
  }));
  const auto out = g.output(history);
  g.run();
  EXPECT_EQ(g.read<unsigned>(out), (std::vector<unsigned>{0, 1, 0, 3, 0, 5}));
}

TEST(Loop, TheLimitMayBeATensor) {
  TestGraph g;
  const auto count = g.graph.addVariable(poplar::INT, {});
  g.graph.setTileMapping(count, 0);
  const auto limit = g.input(poplar::INT, {}, std::vector<int>{4});
  const auto history = popops::createSliceableTensor(g.graph, poplar::INT, {6, 1}, {0}, {1});
  popops::zero(g.graph, history, g.prog);
  poplar::program::Sequence body;
  popops::dynamicUpdate(g.graph, history, count.reshape({1, 1}), count.reshape({1}), {0}, {1},
                        body);
  g.prog.add(popops::countedForLoop(g.graph, count, 1, limit, 1, body));
  const auto out = g.output(history);
  g.run();
  EXPECT_EQ(g.read<int>(out), (std::vector<int>{0, 1, 2, 3, 0, 0}));
}

TEST(SequenceSlice, CopiesRunsOfRowsToTheirPlaces) {
  for (const bool zeroUnused : {true, false}) {
    TestGraph g;
    const auto in = g.input<float>(poplar::FLOAT, {4, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const auto out = g.input<float>(poplar::FLOAT, {5, 3}, std::vector<float>(15, -1));
    const auto n = g.input<unsigned>(poplar::UNSIGNED_INT, {3}, {2, 1, 3});
    const auto from = g.input<unsigned>(poplar::UNSIGNED_INT, {3}, {1, 0, 2});
    const auto to =
        g.input<unsigned>(poplar::UNSIGNED_INT, {3}, {0, 3, 4}); // the last one overhangs
    popops::sequenceSlice(g.graph, in, out, n, from, to, zeroUnused, g.prog);
    const auto handle = g.output(out);
    g.run();
    const float rest = zeroUnused ? 0 : -1;
    EXPECT_EQ(g.read<float>(handle),
              (std::vector<float>{3, 4, 5, 6, 7, 8, rest, rest, rest, 0, 1, 2, 6, 7, 8}));
    EXPECT_THROW(popops::sequenceSlice(g.graph, in, out[0], n, from, to, true, g.prog),
                 poputil::poplibs_error);
    EXPECT_THROW(popops::sequenceSlice(g.graph, in, out, n, from, to.slice(0, 2), true, g.prog),
                 poputil::poplibs_error);
  }
}

namespace {
// Tiles that hold a part of t.
unsigned numTilesOf(const poplar::Graph& graph, const poplar::Tensor& t) {
  unsigned count = 0;
  for (const auto& regions : graph.getTileMapping(t))
    count += !regions.empty();
  return count;
}
} // namespace

TEST(MultiSlice, DividesNarrowTablesByRowsToo) {
  const std::size_t D = 5000, W = 3, K = 700;
  const auto data = randomFloats(D * W, 1), updates = randomFloats(K * W, 2);
  std::vector<unsigned> rows(K);
  for (unsigned k = 0; k != K; ++k)
    rows[k] = k * 2654435761u % (D + 100); // some are not there
  TestGraph g(64);
  const auto plan = popops::embedding::plan(g.graph, poplar::FLOAT, D, W, {K},
                                            {{"availableMemoryProportion", "0.02"}});
  // As the second of three dimensions.
  const auto t =
      popops::createSliceableTensor(g.graph, poplar::FLOAT, {1, D, W}, {1}, {1}, plan, {});
  EXPECT_GT(numTilesOf(g.graph, t), W);
  g.setValues(t, data);
  const auto at = popops::createIndicesTensor(g.graph, {1}, K, plan, {});
  g.setValues(at, rows);
  const auto found = popops::multiSlice(g.graph, t, at, {1}, {1}, g.prog, plan, {});
  EXPECT_EQ(found.shape(), (Shape{K, 1, 1, W}));
  EXPECT_GT(numTilesOf(g.graph, found), W);
  const auto gathered = g.output(found);
  const auto s =
      popops::createSliceTensor(g.graph, poplar::FLOAT, {1, D, W}, {1}, {1}, K, plan, {});
  EXPECT_EQ(s.shape(), found.shape());
  g.setValues(s, updates);
  const auto scale = g.input(poplar::FLOAT, {}, std::vector<float>{0.5f});
  popops::multiUpdateAdd(g.graph, t, s, at, scale, {1}, {1}, g.prog, plan, {});
  const auto all = g.output(t);
  g.run();
  const auto x = g.read<float>(gathered), y = g.read<float>(all);
  auto expected = data;
  for (std::size_t k = 0; k != K; ++k)
    for (std::size_t w = 0; w != W; ++w) {
      const bool isThere = rows[k] < D;
      ASSERT_EQ(x[k * W + w], isThere ? data[rows[k] * W + w] : 0);
      if (isThere)
        expected[rows[k] * W + w] += 0.5f * updates[k * W + w];
    }
  EXPECT_EQ(y, expected);
}

TEST(MultiSlice, PlansGatherFromTablesLaidOutOtherwise) {
  const std::size_t D = 301, K = 40;
  std::vector<float> data(D);
  std::vector<unsigned> rows(K);
  for (unsigned i = 0; i != D; ++i)
    data[i] = static_cast<float>(i) * 0.25f;
  for (unsigned k = 0; k != K; ++k)
    rows[k] = (k * 37) % D;
  TestGraph g(16);
  const auto plan = popops::embedding::plan(g.graph, poplar::HALF, D, 1, {K},
                                            {{"availableMemoryProportion", "0.0001"}});
  const auto t = g.graph.addVariable(poplar::HALF, {D, 1});
  poputil::mapTensorLinearly(g.graph, t);
  const auto from = g.input(poplar::FLOAT, {D, 1}, data);
  g.prog.add(poplar::program::Copy(popops::cast(g.graph, from, poplar::HALF, g.prog), t));
  const auto at = g.input(poplar::UNSIGNED_INT, {K, 1}, rows);
  const auto gathered = g.output(popops::multiSlice(g.graph, t, at, {0}, {1}, g.prog, plan, {}));
  // Fewer and other indices than planned.
  const auto few =
      g.output(popops::multiSlice(g.graph, t, at.slice(3, 5), {0}, {1}, g.prog, plan, {}));
  g.run();
  for (std::size_t k = 0; k != K; ++k)
    EXPECT_EQ(g.read<float>(gathered)[k], data[rows[k]]);
  EXPECT_EQ(g.read<float>(few), (std::vector<float>{data[rows[3]], data[rows[4]]}));
}

TEST(HostSliceTensor, PutsWholePacketsOnTilesAndRowsApart) {
  TestGraph g(40);
  const auto few = popops::createHostSliceableTensor(g.graph, poplar::FLOAT, {6, 262}, false);
  EXPECT_EQ(numTilesOf(g.graph, few.tensor), 12u);
  EXPECT_EQ(numTilesOf(g.graph, few.indices), 6u);
  const auto large = popops::createHostSliceableTensor(g.graph, poplar::FLOAT, {1, 256 * 41}, true);
  const auto mapping = g.graph.getTileMapping(large.tensor);
  EXPECT_EQ(mapping[0], (std::vector<poplar::Interval>{{0, 512}}));
  EXPECT_EQ(mapping[39], (std::vector<poplar::Interval>{{256 * 40, 256 * 41}}));
  const auto cube = popops::createHostTransferableTensor(g.graph, poplar::FLOAT, {4, 8, 256}, true);
  EXPECT_EQ(numTilesOf(g.graph, cube), 32u);
}

TEST(CreateSliceableTensor, SharesColumnsOutByWords) {
  TestGraph g(4);
  const auto tiles = [&](const poplar::Type& type, std::size_t columns) {
    return numTilesOf(g.graph,
                      popops::createSliceableTensor(g.graph, type, {5, columns}, {0}, {1}));
  };
  EXPECT_EQ(tiles(poplar::INT, 3), 3u);
  EXPECT_EQ(tiles(poplar::INT, 6), 3u); // two columns each
  EXPECT_EQ(tiles(poplar::HALF, 3), 2u);
}

TEST(Gather, OfNoColumnsIsEmpty) {
  TestGraph g;
  const auto t = popops::createGatherInput(g.graph, poplar::INT, {3, 0}, {1, 0}, {0});
  const auto at = g.input<unsigned>(poplar::UNSIGNED_INT, {2}, {0, 2});
  const auto found = popops::gather(g.graph, t, at, 1, {1}, {1, 0}, {0}, {0}, g.prog);
  EXPECT_EQ(found.shape(), (Shape{2, 0}));
}
