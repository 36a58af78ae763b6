// Floats too small for a normalised number.
#include "Codelets.hpp"

#include <gtest/gtest.h>

#include <cfloat>

using namespace poplar;
using namespace poplar::program;
using namespace enginetest;

namespace {

// y += a x of 4,000 elements on as many tiles as there are, on one thread or two.
std::vector<float> axpy(float a, float x, float y, const char* numThreads) {
  constexpr unsigned kSize = 4000;
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  const auto filled = [&](float value, const char* name) {
    Tensor tensor = variable(graph, FLOAT, {kSize}, name);
    graph.setInitialValue(tensor, ArrayRef<float>(std::vector<float>(kSize, value)));
    return tensor;
  };
  Tensor xs = filled(x, "x"), ys = filled(y, "y");
  Tensor factor = graph.addConstant(FLOAT, {}, a);
  graph.setTileMapping(factor, 0);
  graph.createHostRead("y", ys);
  ComputeSet cs = graph.addComputeSet("cs");
  for (unsigned tile = 0; tile < 4; ++tile) {
    const unsigned begin = tile * kSize / 4, end = (tile + 1) * kSize / 4;
    VertexRef vertex = graph.addVertex(
        cs, "Axpy", {{"x", xs.slice(begin, end)}, {"a", factor}, {"y", ys.slice(begin, end)}});
    graph.setTileMapping(vertex, tile);
  }
  Engine engine(graph, Execute(cs), {{"ipumodel.numThreads", numThreads}});
  engine.load(device);
  for (int i = 0; i < 20; ++i) // until the set is known to be worth sharing
    engine.run();
  return read<float>(engine, "y", kSize);
}

TEST(Subnormals, CountAsZeroOnEveryThread) {
  for (const char* threads : {"1", "2"}) {
    EXPECT_EQ(axpy(0.5f, FLT_MIN, 0.0f, threads), std::vector<float>(4000, 0.0f)) << "a result";
    EXPECT_EQ(axpy(0x1p126f, FLT_MIN / 4, 0.0f, threads), std::vector<float>(4000, 0.0f))
        << "an operand";
    EXPECT_EQ(axpy(1.0f, FLT_MIN, 0.0f, threads), std::vector<float>(4000, 20 * FLT_MIN));
  }
}

TEST(Subnormals, AreTheHostsAgainAfterARun) {
  axpy(1.0f, 1.0f, 1.0f, "2");
  volatile float smallest = FLT_MIN;
  EXPECT_GT(smallest * 0.5f, 0.0f);
}

} // namespace
