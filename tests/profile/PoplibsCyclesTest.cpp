// Cycles of popops operations on one tile against what PopLibs' published estimators give, worked
// out by hand; PopLibs itself accepts a tenth between an estimate and a simulation.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <popops/ElementWise.hpp>
#include <popops/ScaledAdd.hpp>
#include <popops/codelets.hpp>
#include <pva/pva.hpp>

#include <gtest/gtest.h>

#include <functional>

using namespace poplar;
using namespace poplar::program;

namespace {

class PoplibsCycles : public testing::Test {
protected:
  PoplibsCycles() : device(makeDevice()), graph(device.getTarget()) { popops::addCodelets(graph); }

  static Device makeDevice() {
    IPUModel model;
    model.tilesPerIPU = 1;
    return model.createDevice();
  }

  Tensor variable(const Type& type, std::size_t elements) {
    Tensor t = graph.addVariable(type, {elements});
    graph.setTileMapping(t, 0);
    return t;
  }

  // Tile cycles of the vertices of all compute sets that `build` adds.
  double cyclesOf(const std::function<void(Sequence&)>& build) {
    Sequence program;
    build(program);
    Engine engine(graph, program);
    engine.load(device);
    engine.run();
    std::uint64_t cycles = 0;
    const pva::Report report = engine.getReport();
    for (const auto& step : report.execution().steps())
      for (const auto& set : step.computeSets())
        cycles += set.cyclesByTile().at(0);
    EXPECT_EQ(report.execution().numUnknownVertexExecutions(), 0u);
    return static_cast<double>(cycles);
  }

  Device device;
  Graph graph;
};

TEST_F(PoplibsCycles, ScaledAddOfFloats) {
  for (const auto& [elements, known] : {std::pair{128u, 369.0}, {1024u, 1719.0}}) {
    const Tensor a = variable(FLOAT, elements), b = variable(FLOAT, elements);
    EXPECT_NEAR(cyclesOf([&](Sequence& s) { popops::scaledAddTo(graph, a, b, 2.0f, s); }), known,
                0.1 * known);
  }
}

TEST_F(PoplibsCycles, ScaledAddOfHalves) {
  const Tensor a = variable(HALF, 1024), b = variable(HALF, 1024);
  EXPECT_NEAR(cyclesOf([&](Sequence& s) { popops::scaledAddTo(graph, a, b, 2.0f, s); }), 945, 94.5);
}

TEST_F(PoplibsCycles, AddOfFloats) {
  const Tensor a = variable(FLOAT, 1024), b = variable(FLOAT, 1024);
  EXPECT_NEAR(cyclesOf([&](Sequence& s) { popops::add(graph, a, b, s); }), 1733, 173.3);
}

TEST_F(PoplibsCycles, AddOfHalves) {
  const Tensor a = variable(HALF, 1024), b = variable(HALF, 1024);
  EXPECT_NEAR(cyclesOf([&](Sequence& s) { popops::add(graph, a, b, s); }), 941, 94.1);
}

TEST_F(PoplibsCycles, AddInPlaceOfFloats) {
  const Tensor a = variable(FLOAT, 1024), b = variable(FLOAT, 1024);
  const double known = 11 + 6 * (58 + 3 * 86);
  EXPECT_NEAR(cyclesOf([&](Sequence& s) { popops::addInPlace(graph, a, b, s); }), known,
              0.1 * known);
}

} // namespace
