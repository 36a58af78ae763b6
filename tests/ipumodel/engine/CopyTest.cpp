// Copies within a device.
#include "Codelets.hpp"

#include <gtest/gtest.h>

#include <numeric>

using namespace poplar;
using namespace poplar::program;
using namespace enginetest;

namespace {

template <class T>
std::vector<T> iota(std::size_t n) {
  std::vector<T> values(n);
  std::iota(values.begin(), values.end(), T(0));
  return values;
}

// Runs Copy(from(src), to(dst)) on two [rows][columns] tensors; src holds 0, 1, 2, ..., dst -1.
template <class From, class To>
std::vector<int> copied(std::size_t rows, std::size_t columns, From from, To to) {
  Device device = makeDevice();
  Graph graph(device);
  Tensor src = variable(graph, INT, {rows, columns}, "src");
  Tensor dst = variable(graph, INT, {rows, columns}, "dst", 1);
  graph.setInitialValue(src, ArrayRef<int>(iota<int>(rows * columns)));
  graph.setInitialValue(dst, ArrayRef<int>(std::vector<int>(rows * columns, -1)));
  graph.createHostRead("dst", dst);
  Engine engine(graph, Copy(from(src), to(dst)));
  engine.load(device);
  engine.run();
  return read<int>(engine, "dst", rows * columns);
}

const auto kAll = [](Tensor t) { return t; };

TEST(Copy, MovesWholeTensors) {
  EXPECT_EQ(copied(30, 7, kAll, kAll), iota<int>(210));
}

TEST(Copy, Transposes) {
  const std::vector<int> result = copied(
      5, 5, [](Tensor t) { return t.transpose(); }, kAll);
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c)
      EXPECT_EQ(result[std::size_t(r * 5 + c)], c * 5 + r);
}

TEST(Copy, WritesOnlyTheSlice) {
  const std::vector<int> result = copied(
      4, 4,
      [](Tensor t) {
        return t.slice({1, 1}, {3, 3});
      },
      [](Tensor t) {
        return t.slice({0, 2}, {2, 4});
      });
  EXPECT_EQ(result,
            (std::vector<int>{-1, -1, 5, 6, -1, -1, 9, 10, -1, -1, -1, -1, -1, -1, -1, -1}));
}

TEST(Copy, BroadcastsAndReverses) {
  const std::vector<int> broadcast = copied(
      3, 4, [](Tensor t) { return t.slice(1, 2).broadcast(3, 0); }, kAll);
  EXPECT_EQ(broadcast, (std::vector<int>{4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7}));
  const std::vector<int> reversed = copied(
      2, 3, [](Tensor t) { return t.reverse(1); }, kAll);
  EXPECT_EQ(reversed, (std::vector<int>{2, 1, 0, 5, 4, 3}));
}

TEST(Copy, ReadsOverlappingSourcesBeforeItWrites) {
  Device device = makeDevice();
  Graph graph(device);
  Tensor t = variable(graph, INT, {100}, "t");
  graph.setInitialValue(t, ArrayRef<int>(iota<int>(100)));
  graph.createHostRead("t", t);
  Engine engine(graph, Copy(t.slice(0, 99), t.slice(1, 100)));
  engine.load(device);
  engine.run();
  const std::vector<int> result = read<int>(engine, "t", 100);
  for (int i = 1; i < 100; ++i)
    EXPECT_EQ(result[std::size_t(i)], i - 1);
}

TEST(Copy, SharesLargeCopiesBetweenThreadsWithTheSameResult) {
  const std::size_t n = 80'001;
  for (const char* threads : {"1", "2", "3"}) {
    Device device = makeDevice();
    Graph graph(device);
    Tensor src = variable(graph, INT, {2, n}, "src");
    Tensor dst = variable(graph, INT, {n, 2}, "dst");
    graph.createHostWrite("src", src);
    graph.createHostRead("dst", dst);
    Engine engine(graph, Copy(src.transpose(), dst), {{"ipumodel.numThreads", threads}});
    engine.load(device);
    const std::vector<int> values = iota<int>(2 * n);
    engine.writeTensor("src", values.data(), values.data() + values.size());
    engine.run();
    const std::vector<int> result = read<int>(engine, "dst", 2 * n);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i)
      wrong += result[2 * i] != int(i) || result[2 * i + 1] != int(n + i);
    EXPECT_EQ(wrong, 0u) << threads << " threads";
  }
}

TEST(Copy, SmallTypesKeepTheirBytes) {
  Device device = makeDevice();
  Graph graph(device);
  Tensor src = variable(graph, UNSIGNED_CHAR, {3, 5}, "src");
  Tensor dst = variable(graph, UNSIGNED_CHAR, {5, 3}, "dst");
  const std::vector<unsigned char> values = iota<unsigned char>(15);
  graph.setInitialValue(src, ArrayRef<unsigned char>(values));
  graph.createHostRead("dst", dst);
  Engine engine(graph, Copy(src.transpose(), dst));
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<unsigned char>(engine, "dst", 15),
            (std::vector<unsigned char>{0, 5, 10, 1, 6, 11, 2, 7, 12, 3, 8, 13, 4, 9, 14}));
}

} // namespace
