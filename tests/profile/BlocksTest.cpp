// Lightweight profiling, through public headers only.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr const char* kCodelets = R"(
#include <poplar/Vertex.hpp>
class Works : public poplar::SupervisorVertex {
public:
  bool compute() { return true; }
};
)";

class Blocks : public testing::Test {
protected:
  static constexpr unsigned kTilesPerIpu = 4;

  Blocks() : device(makeDevice()), graph(device.getTarget()) {
    std::stringstream codelets(kCodelets);
    graph.addCodelets(codelets);
  }

  static Device makeDevice() {
    IPUModel model;
    model.numIPUs = 2;
    model.tilesPerIPU = kTilesPerIpu;
    return model.createDevice();
  }

  Program operation(const std::string& name, unsigned ipu) {
    ComputeSet set = graph.addComputeSet(name);
    VertexRef v = graph.addVertex(set, "Works");
    graph.setTileMapping(v, ipu * kTilesPerIpu);
    graph.setPerfEstimate(v, 3600);
    return Execute(set);
  }

  // Names of the blocks of a tile, in order.
  std::vector<std::string> run(const Program& program, const OptionFlags& options, unsigned tile) {
    Engine engine(graph, program, options);
    engine.connectStream("in", &value);
    engine.load(device);
    engine.run();
    cycles.clear();
    std::vector<std::string> names;
    for (const pva::Block& block : engine.getReport().execution().blocks(tile)) {
      EXPECT_EQ(block.tile(), tile);
      names.push_back(block.program()->name());
      cycles.push_back(block.cyclesTo() - block.cyclesFrom());
    }
    return names;
  }

  using Names = std::vector<std::string>;
  Device device;
  Graph graph;
  int value = 1;
  DataStream in = graph.addHostToDeviceFIFO("in", INT, 1);
  std::vector<std::uint64_t> cycles; // of the last run's blocks
};

TEST_F(Blocks, AreSeenOnTheIpuThatRunsThem) {
  const Repeat stages(2, Sequence{Block(Sequence{operation("a", 0), operation("b", 0)}, "stage1"),
                                  Block(Sequence{operation("a", 1), operation("b", 1)}, "stage2")});
  EXPECT_EQ(run(stages, {{"profiler.blocks.filter", "stage.*"}}, 0), (Names{"stage1", "stage1"}));
  EXPECT_EQ(cycles, std::vector<std::uint64_t>(2, 7236)) << "two supervisor vertices";
  EXPECT_EQ(run(stages, {{"profiler.blocks.filter", "stage.*"}}, kTilesPerIpu),
            (Names{"stage2", "stage2"}));
  EXPECT_EQ(run(stages, {{"profiler.blocks.filter", "stage.*"}}, 1), Names{}) << "not watched";
  EXPECT_EQ(run(stages, {{"profiler.blocks.filter", "stage.*"}, {"profiler.blocks.tile", "1"}}, 1),
            (Names{"stage1", "stage1"}));
}

TEST_F(Blocks, NestWithTheOuterOneFirst) {
  const Block outer(Sequence{Block(operation("a", 0), "op1"), Block(operation("b", 0), "op2")},
                    "stage1");
  EXPECT_EQ(run(outer, {{"profiler.blocks.filter", "stage.|op2"}}, 0), (Names{"stage1", "op2"}));
  EXPECT_EQ(run(outer, {{"profiler.blocks.filter", "stage"}}, 0), Names{}) << "whole names match";
  EXPECT_EQ(run(outer, {}, 0), Names{}) << "nobody asked";
}

TEST_F(Blocks, StandForProgramsByName) {
  const Repeat loop(3, Sequence{operation("operation", 0), operation("other", 0)});
  EXPECT_EQ(run(loop, {{"profiler.programs.filter", "operation"}}, 0), Names(3, "operation"));
}

TEST_F(Blocks, ShowTransfersOnTheTilesThatTakePart) {
  Tensor t = graph.addVariable(INT, {1}, "t");
  graph.setTileMapping(t, 3);
  const Sequence twice{Copy(in, t), operation("a", 0), Copy(in, t)};
  const OptionFlags options{{"debug.instrumentExternalExchange", "true"}};
  EXPECT_EQ(run(twice, options, 3).size(), 2u);
  EXPECT_EQ(run(twice, options, 0).size(), 0u);
  Engine engine(graph, twice, options);
  engine.connectStream("in", &value);
  engine.load(device);
  engine.run();
  for (const pva::Block& block : engine.getReport().execution().blocks(3)) {
    EXPECT_TRUE(block.isStreamCopy());
    EXPECT_FALSE(block.isCommon());
  }
}

TEST_F(Blocks, FiltersThatAreNoExpressionsAreRefused) {
  EXPECT_THROW(Engine(graph, Sequence{}, {{"profiler.blocks.filter", "stage("}}), invalid_option);
}

} // namespace
