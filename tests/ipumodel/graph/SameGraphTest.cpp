// Tensors of another graph, and tensors of none.
#include "TestGraph.hpp"

#include <poplar/Engine.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

using namespace poplar;
using namespace poplar::program;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class SameGraph : public testing::Test {
protected:
  SameGraph() {
    graph.setTileMapping(mine, 0);
    other.setTileMapping(theirs, 1);
  }

  Graph graph = testGraph();
  Graph other{testTarget()};
  Tensor mine = graph.addVariable(FLOAT, {4}, "mine");
  Tensor theirs = other.addVariable(FLOAT, {4}, "theirs");
};

} // namespace

TEST_F(SameGraph, GraphsRefuseTensorsOfOthers) {
  const ComputeSet cs = graph.addComputeSet();
  const VertexRef v = graph.addVertex(cs, "Scale");
  Tensor both[] = {mine, theirs};
  const std::vector<std::function<void()>> uses = {
      [&] { graph.setTileMapping(theirs, 0); },
      [&] { graph.setTileMapping(theirs, Graph::TileToTensorMapping{{Interval(0, 4)}}); },
      [&] { graph.getTileMapping(theirs); },
      [&] { graph.getVariableTileMapping(theirs); },
      [&] { graph.setInitialValue(theirs, 1.0f); },
      [&] { graph.createHostWrite("in", theirs); },
      [&] { graph.createHostRead("out", theirs); },
      [&] { graph.connect(v["in"], theirs); },
      [&] { graph.connect(v["in"], theirs.slice(0, 2)); },
      [&] {
        graph.connect(v["in"], {mine, theirs});
      },
      [&] {
        graph.addVertex(cs, "Scale", {{"in", theirs}});
      },
      [&] { graph.clone(theirs); },
      [&] { graph.cloneN(theirs, 2); },
      [&] { graph.getSortedContiguousRegions(theirs, {Interval(0, 4)}); },
      [&] { graph.reorderToSimplify(&both[0], {&both[1]}); },
      [&] { graph.getSimplifyingRearranger(theirs); },
      [&] { graph.findUnbroadcastTensor(theirs); },
      [&] { concat(mine, theirs); },
  };
  for (std::size_t i = 0; i != uses.size(); ++i)
    EXPECT_THAT(messageOf<poplar_error>(uses[i]),
                AllOf(HasSubstr("'theirs'"), HasSubstr("another")))
        << "use " << i;
}

TEST_F(SameGraph, ProgramsRefuseTensorsOfTwoGraphs) {
  EXPECT_THAT(messageOf<poplar_error>([&] { Copy(mine, theirs, false, "across"); }),
              AllOf(HasSubstr("across"), HasSubstr("'theirs'")));
  EXPECT_THROW(CrossReplicaCopy(mine, theirs, {}), poplar_error);
  const RemoteBuffer rows = graph.addRemoteBuffer("rows", FLOAT, 4, 2);
  EXPECT_THROW(Copy(mine, rows, other.addVariable(UNSIGNED_INT, {1})), poplar_error);
}

TEST_F(SameGraph, ProgramsRunInTheGraphOfTheirTensors) {
  const std::vector<Program> programs = {
      Copy(theirs, other.clone(theirs)),
      PrintTensor(theirs),
      WriteUndef(theirs),
      Repeat(2, Sequence{If(theirs[0], Sequence(), Sequence())}),
      Switch(theirs[1].reinterpret(INT)),
      Copy(theirs, graph.addDeviceToHostFIFO("stream", FLOAT, 4)),
  };
  for (std::size_t i = 0; i != programs.size(); ++i)
    EXPECT_THAT(messageOf<poplar_error>([&] { compileGraph(graph, {programs[i]}); }),
                AllOf(HasSubstr("'theirs'"), HasSubstr("another graph")))
        << "program " << i;
  EXPECT_NO_THROW(compileGraph(other, {programs[0]}));
}

TEST_F(SameGraph, AProgramOfAGraphThatIsGoneIsRefused) {
  auto gone = std::make_unique<Graph>(testTarget());
  const Tensor t = gone->addVariable(FLOAT, {4}, VariableMappingMethod::LINEAR, "t");
  const Copy copy(t.slice(0, 2), t.slice(2, 4));
  *gone = Graph();
  EXPECT_THROW(compileGraph(graph, {copy}), poplar_error);
}

TEST_F(SameGraph, VirtualGraphsShareTensors) {
  Graph part = graph.createVirtualGraph(0, 2);
  Graph nested = part.createVirtualGraph(1, 2);
  const Tensor inside = nested.addVariable(FLOAT, {4}, "inside");
  nested.setTileMapping(inside, 0);
  const Tensor one = part.addConstant(FLOAT, {4}, 1.0f, "one");
  graph.setTileMapping(one, 3);
  EXPECT_NO_THROW(part.getTileMapping(mine));
  EXPECT_NO_THROW(concat({mine, inside, one}));
  EXPECT_NO_THROW(compileGraph(graph, {Sequence{Copy(one, inside), Copy(inside, mine)}}));
}

TEST_F(SameGraph, AGraphThatMovedKeepsItsTensors) {
  Graph moved = std::move(graph);
  EXPECT_NO_THROW(moved.getTileMapping(mine));
  EXPECT_NO_THROW(compileGraph(moved, {Copy(mine, moved.clone(mine))}));
}

TEST_F(SameGraph, TensorsOfTwoGraphsShareNothing) {
  EXPECT_FALSE(mine.intersectsWith(theirs));
  EXPECT_NE(mine, theirs);
}

TEST_F(SameGraph, InvalidTensorsAreRefusedEverywhere) {
  const Tensor none;
  const ComputeSet cs = graph.addComputeSet();
  const VertexRef v = graph.addVertex(cs, "Scale");
  const std::vector<std::function<void()>> uses = {
      [&] { graph.setTileMapping(none, 0); },
      [&] { graph.getTileMapping(none); },
      [&] { graph.setInitialValue(none, 1.0f); },
      [&] { graph.createHostRead("out", none); },
      [&] { graph.connect(v["in"], none); },
      [&] {
        graph.connect(v["in"], {mine, none});
      },
      [&] { graph.clone(none); },
      [&] { concat(none, mine); },
      [&] { concat(mine, none); },
      [&] { none.containsConstant(); },
      [&] { none.isParallelWriteable(); },
      [&] { none.getVarStr(); },
      [&] { none.intersectsWith(mine); },
      [&] { mine.intersectsWith(none); },
      [&] { Copy(mine, none); },
      [&] { Copy(none, mine); },
      [&] { PrintTensor p(none); },
      [&] { WriteUndef w(none); },
      [&] { If(none, Sequence(), Sequence()); },
  };
  for (std::size_t i = 0; i != uses.size(); ++i)
    EXPECT_THAT(messageOf<poplar_error>(uses[i]), HasSubstr("invalid")) << "use " << i;
}
