#include "Harness.hpp"

#include <popnn/codelets.hpp>
#include <popops/AllTrue.hpp>
#include <popops/CircBuf.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Encoding.hpp>
#include <popops/Gather.hpp>
#include <popops/NaN.hpp>
#include <popops/Pad.hpp>
#include <popops/Sort.hpp>
#include <popops/TopK.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

using namespace harness;

namespace {

// Indices of a row, best first; of equal values the first wins.
std::vector<unsigned> ranking(const std::vector<float>& row, bool largest) {
  std::vector<unsigned> order(row.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return largest ? row[a] > row[b] : row[a] < row[b];
  });
  return order;
}

} // namespace

TEST(TopK, LongAndShortRows) {
  for (const Shape& shape : {Shape{3, 17}, Shape{1, 600}})
    for (bool largest : {true, false}) {
      const auto n = shape[1];
      auto data = randomFloats(shape[0] * n, 5);
      data[3] = data[7]; // a tie
      TestGraph g;
      const auto t = g.input(poplar::FLOAT, shape, data);
      const auto best = popops::topKWithPermutation(
          g.graph, g.prog, t,
          {5, largest, largest ? popops::SortOrder::DESCENDING : popops::SortOrder::ASCENDING});
      const auto values = g.output(best.first), indices = g.output(best.second);
      g.run();
      const auto v = g.read<float>(values);
      const auto i = g.read<unsigned>(indices);
      for (std::size_t r = 0; r != shape[0]; ++r) {
        const std::vector<float> row(data.begin() + long(r * n), data.begin() + long((r + 1) * n));
        const auto order = ranking(row, largest);
        for (std::size_t k = 0; k != 5; ++k) {
          EXPECT_EQ(i[r * 5 + k], order[k]);
          EXPECT_EQ(v[r * 5 + k], row[order[k]]);
        }
      }
    }
}

TEST(Sort, AlongAnyDimensionAndByKey) {
  const std::size_t N = 6, M = 7;
  const auto keys = randomFloats(N * M, 1);
  const auto values = randomInts(N * M, 2);
  TestGraph g;
  const auto k = g.input(poplar::FLOAT, {N, M}, keys);
  const auto v = g.input(poplar::INT, {N, M}, values);
  const auto sorted = g.output(popops::sort(g.graph, k, 0, g.prog));
  const auto byKey = g.output(popops::sortKeyValue(g.graph, k, v, 1, g.prog));
  g.run();
  const auto s = g.read<float>(sorted);
  const auto b = g.read<int>(byKey);
  for (std::size_t j = 0; j != M; ++j) {
    std::vector<float> column;
    for (std::size_t i = 0; i != N; ++i)
      column.push_back(keys[i * M + j]);
    std::sort(column.begin(), column.end());
    for (std::size_t i = 0; i != N; ++i)
      EXPECT_EQ(s[i * M + j], column[i]);
  }
  for (std::size_t i = 0; i != N; ++i) {
    const auto order =
        ranking({keys.begin() + long(i * M), keys.begin() + long((i + 1) * M)}, false);
    for (std::size_t j = 0; j != M; ++j)
      EXPECT_EQ(b[i * M + j], values[i * M + order[j]]);
  }
}

TEST(Encoding, OneHotAndIota) {
  TestGraph g;
  const std::vector<unsigned> labels{2, 0, MASKED_LABEL_CODE, 3};
  const auto indices = g.input(poplar::UNSIGNED_INT, {4}, labels);
  const auto encoded = g.input(poplar::HALF, {4, 5}, randomFloats(20, 1));
  popops::encodeOneHot(g.graph, indices, encoded, g.prog);
  const auto oneHot = g.output(encoded);
  const auto range = g.input(poplar::INT, {23}, std::vector<int>(23));
  popops::iota(g.graph, range, -3, g.prog);
  const auto counted = g.output(range);
  g.run();
  const auto e = g.read<float>(oneHot);
  for (std::size_t i = 0; i != 4; ++i)
    for (std::size_t j = 0; j != 5; ++j)
      EXPECT_EQ(e[i * 5 + j], labels[i] == j ? 1 : 0);
  const auto c = g.read<int>(counted);
  for (int i = 0; i != 23; ++i)
    EXPECT_EQ(c[std::size_t(i)], i - 3);
}

TEST(Predicates, AllTrueAndNaN) {
  TestGraph g;
  auto data = randomFloats(20, 1);
  data[13] = std::numeric_limits<float>::quiet_NaN();
  const auto bad = g.input(poplar::FLOAT, {20}, data);
  const auto good = g.input(poplar::FLOAT, {20}, randomFloats(20, 2));
  const auto yes = g.output(popops::hasNaN(g.graph, bad, g.prog));
  const auto no = g.output(popops::hasNaN(g.graph, good, true, g.prog));
  const auto infinite =
      g.input<float>(poplar::FLOAT, {2}, {1, std::numeric_limits<float>::infinity()});
  const auto either = g.output(popops::hasNaNOrInf(g.graph, infinite, g.prog));
  const auto same = popops::map(g.graph, popops::expr::BinaryOpType::EQUAL, good, good, g.prog);
  const auto all = g.output(popops::allTrue(g.graph, same, g.prog));
  g.run();
  EXPECT_TRUE(g.read<bool>(yes)[0]);
  EXPECT_FALSE(g.read<bool>(no)[0]);
  EXPECT_TRUE(g.read<bool>(either)[0]);
  EXPECT_TRUE(g.read<bool>(all)[0]);
}

TEST(Pad, ConstantEdgeAndReflection) {
  TestGraph g;
  const auto t = g.input(poplar::INT, {4}, std::vector<int>{1, 2, 3, 4});
  const auto copy = [&](const poplar::Tensor& view) {
    const auto out = g.graph.addVariable(poplar::INT, view.shape());
    g.graph.setTileMapping(out, 0);
    g.prog.add(poplar::program::Copy(view, out));
    return g.output(out);
  };
  const auto zeros = copy(popops::pad(g.graph, t, 1, 2, 0, 0));
  const auto cut = copy(
      popops::pad(g.graph, t, std::vector<std::ptrdiff_t>{-1}, std::vector<std::ptrdiff_t>{1}, 9));
  const auto edge = copy(popops::pad(t, 2, 1, 0, popops::padding::Type::EDGE));
  const auto reflected = copy(popops::pad(t, 2, 2, 0, popops::padding::Type::REFLECT));
  EXPECT_THROW(popops::pad(g.graph, t, 0, 1, 0, t), poputil::poplibs_error);
  g.run();
  EXPECT_EQ(g.read<int>(zeros), (std::vector<int>{0, 1, 2, 3, 4, 0, 0}));
  EXPECT_EQ(g.read<int>(cut), (std::vector<int>{2, 3, 4, 9}));
  EXPECT_EQ(g.read<int>(edge), (std::vector<int>{1, 1, 1, 2, 3, 4, 4}));
  EXPECT_EQ(g.read<int>(reflected), (std::vector<int>{3, 2, 1, 2, 3, 4, 3, 2}));
}

TEST(CircBuf, RemembersTheLastEntries) {
  TestGraph g;
  popops::CircBuf buffer(g.graph, poplar::INT, 3, {2});
  for (int i = 0; i != 5; ++i)
    buffer.add(g.input(poplar::INT, {2}, std::vector<int>{10 * i, 10 * i + 1}), g.prog);
  const auto newest = g.output(buffer.prev(0, g.prog)), oldest = g.output(buffer.prev(2, g.prog));
  g.run();
  EXPECT_EQ(g.read<int>(newest), (std::vector<int>{40, 41}));
  EXPECT_EQ(g.read<int>(oldest), (std::vector<int>{20, 21}));
}

TEST(Gather, AlongAnAxis) {
  TestGraph g;
  const auto data = randomFloats(3 * 5 * 2, 1);
  const auto t = popops::createGatherInput(g.graph, poplar::FLOAT, {3, 5, 2}, 1);
  g.setValues(t, data);
  const std::vector<unsigned> at{4, 1, 1, 0};
  const auto indices = g.input(poplar::UNSIGNED_INT, {2, 2}, at);
  const auto out = popops::gather(g.graph, t, indices, 1, g.prog, popops::GatherParams());
  ASSERT_EQ(out.shape(), (Shape{3, 2, 2, 2}));
  const auto handle = g.output(out);
  g.run();
  const auto x = g.read<float>(handle);
  for (std::size_t a = 0; a != 3; ++a)
    for (std::size_t k = 0; k != 4; ++k)
      for (std::size_t c = 0; c != 2; ++c)
        EXPECT_EQ(x[(a * 4 + k) * 2 + c], data[(a * 5 + at[k]) * 2 + c]);
}

TEST(Vertices, OfGraphcoresLibraryAreKnownByName) {
  TestGraph g;
  popnn::addCodelets(g.graph);
  const auto keys = g.input<float>(poplar::FLOAT, {6}, {3, -1, 4, 1, -5, 9});
  const auto values = g.input<unsigned>(poplar::UNSIGNED_INT, {6}, {0, 1, 2, 3, 4, 5});
  const auto filled = g.input(poplar::HALF, {4}, std::vector<float>(4));
  const auto best = g.input<float>(poplar::FLOAT, {2}, {0, 0});
  const auto labels = g.input<unsigned>(poplar::UNSIGNED_INT, {2}, {0, 0});
  const auto search = g.graph.addComputeSet("search"), sort = g.graph.addComputeSet("sort");
  const auto add = [&](const poplar::ComputeSet& cs, const std::string& name) {
    const auto v = g.graph.addVertex(cs, name);
    g.graph.setTileMapping(v, 0);
    return v;
  };
  for (const bool largest : {true, false}) {
    const std::string word = largest ? "Max" : "Min", field = largest ? "max" : "min";
    const auto v = add(search, poputil::templateVertex("popnn::Reduce" + word + "ClassSparse",
                                                       poplar::FLOAT, poplar::UNSIGNED_INT));
    g.graph.connect(v["activations"], keys);
    g.graph.connect(v["labels"], values);
    g.graph.connect(v[field + "Value"], best[largest]);
    g.graph.connect(v[field + "Index"], labels[largest]);
  }
  const auto fill = add(sort, poputil::templateVertex("popops::Fill", poplar::HALF));
  g.graph.connect(fill["out"], filled);
  g.graph.setInitialValue(fill["in"], 2.5f);
  const auto sorter = add(sort, poputil::templateVertex("popops::HeapSortVertexKV", poplar::FLOAT,
                                                        poplar::UNSIGNED_INT));
  g.graph.connect(sorter["key"], keys);
  g.graph.connect(sorter["value"], values);
  g.prog.add(poplar::program::Execute(search));
  g.prog.add(poplar::program::Execute(sort));
  const auto outs = {g.output(keys), g.output(filled), g.output(best)};
  const auto order = g.output(values), found = g.output(labels);
  g.run();
  EXPECT_EQ(g.read<float>(outs.begin()[0]), (std::vector<float>{-5, -1, 1, 3, 4, 9}));
  EXPECT_EQ(g.read<float>(outs.begin()[1]), std::vector<float>(4, 2.5f));
  EXPECT_EQ(g.read<float>(outs.begin()[2]), (std::vector<float>{-5, 9}));
  EXPECT_EQ(g.read<unsigned>(order), (std::vector<unsigned>{4, 1, 3, 0, 2, 5}));
  EXPECT_EQ(g.read<unsigned>(found), (std::vector<unsigned>{4, 5}));
}
