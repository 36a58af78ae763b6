// The rules that are checked when a graph is compiled, one test each.
#include "TestGraph.hpp"

#include <poplar/Engine.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace poplar;
using namespace poplar::program;
using testing::HasSubstr;

namespace {

class RulesTest : public testing::Test {
protected:
  RulesTest() {
    graph.setTileMapping(x, 0);
    graph.setTileMapping(y, 1);
  }

  VertexRef scale(const Tensor& in, const Tensor& out) {
    const VertexRef v = graph.addVertex(cs, "Scale", {{"in", in}, {"out", out}, {"factor", 2.0f}});
    graph.setTileMapping(v, 0);
    return v;
  }

  template <class Exception>
  std::string failure(const Program& program) {
    return messageOf<Exception>([&] { compileGraph(graph, {program}); });
  }

  Graph graph = testGraph();
  ComputeSet cs = graph.addComputeSet("scales");
  Tensor x = graph.addVariable(FLOAT, {8}, "x");
  Tensor y = graph.addVariable(FLOAT, {8}, "y");
};

} // namespace

TEST_F(RulesTest, ALegalGraphCompiles) {
  scale(x, y);
  EXPECT_NO_THROW(compileGraph(graph, {Execute(cs)}));
}

TEST_F(RulesTest, VerticesMustBeMapped) {
  graph.addVertex(cs, "Scale", {{"in", x}, {"out", y}, {"factor", 2.0f}});
  const std::string message = failure<invalid_tile_mapping>(Execute(cs));
  EXPECT_THAT(message, HasSubstr("Scale"));
  EXPECT_THAT(message, HasSubstr("scales"));
}

TEST_F(RulesTest, ElementsOfEdgesMustBeMapped) {
  const Tensor z = graph.addVariable(FLOAT, {8}, "z");
  graph.setTileMapping(z.slice(0, 4), 0);
  scale(x, z);
  const std::string message = failure<invalid_tile_mapping>(Execute(cs));
  EXPECT_THAT(message, HasSubstr("'z'"));
  EXPECT_THAT(message, HasSubstr("'out'"));
}

TEST_F(RulesTest, OnlyElementsInUseMustBeMapped) {
  const Tensor z = graph.addVariable(FLOAT, {16}, "z");
  graph.setTileMapping(z.subSample(2, 0), 0);
  scale(x, z.subSample(2, 0));
  graph.addVariable(FLOAT, {3}, "unused");
  EXPECT_NO_THROW(compileGraph(graph, {Execute(cs)}));
}

TEST_F(RulesTest, ConstantsMustBeMapped) {
  const Tensor c = graph.addConstant(FLOAT, {8}, 1.0f, "ones");
  EXPECT_THAT(failure<invalid_tile_mapping>(Copy(c, x)), HasSubstr("'ones'"));
  graph.setTileMapping(c, 2);
  EXPECT_NO_THROW(compileGraph(graph, {Copy(c, x)}));
}

TEST_F(RulesTest, EveryEdgeMustBeConnected) {
  const VertexRef v = graph.addVertex(cs, "Scale", {{"in", x}});
  graph.setTileMapping(v, 0);
  const std::string message = failure<graph_connection_error>(Execute(cs));
  EXPECT_THAT(message, HasSubstr("'out'"));
  EXPECT_THAT(message, HasSubstr("not connected"));
}

TEST_F(RulesTest, EveryVectorOfAListMustBeConnected) {
  const VertexRef v = graph.addVertex(cs, "ListSum", {{"sum", y[0]}});
  graph.setTileMapping(v, 0);
  graph.setInitialValue<unsigned>(v["weights"], std::vector<unsigned>{1, 1, 1});
  graph.setFieldSize(v["in"], 3);
  graph.connect(v["in"][0], x.slice(0, 2));
  graph.connect(v["in"][2], x.slice(2, 4));
  EXPECT_THAT(failure<graph_connection_error>(Execute(cs)), HasSubstr("only 2"));
}

TEST_F(RulesTest, VectorsOfValuesNeedASize) {
  const VertexRef v = graph.addVertex(cs, "ListSum", {{"sum", y[0]}, {"in", x.reshape({2, 4})}});
  graph.setTileMapping(v, 0);
  EXPECT_THAT(failure<no_size_specified>(Execute(cs)), HasSubstr("'weights'"));
}

TEST_F(RulesTest, TwoVerticesMayNotWriteOneElement) {
  scale(x.slice(0, 4), y.slice(0, 4));
  scale(x.slice(4, 8), y.slice(3, 7));
  const std::string message = failure<graph_connection_error>(Execute(cs));
  EXPECT_THAT(message, HasSubstr("element 3 of 'y'"));
  EXPECT_THAT(message, HasSubstr("scales"));
}

TEST_F(RulesTest, StridedWritesMayInterleave) {
  scale(x.slice(0, 4), y.subSample(2, 0));
  scale(x.slice(4, 8), y.slice(1, 8).subSample(2, 0));
  EXPECT_NO_THROW(compileGraph(graph, {Execute(cs)}));
  scale(x.slice(0, 1), y.slice(5, 6));
  EXPECT_THAT(failure<graph_connection_error>(Execute(cs)), HasSubstr("element 5 of 'y'"));
}

TEST_F(RulesTest, OneVertexMayNotReadWhatAnotherWrites) {
  scale(x.slice(0, 4), y.slice(0, 4));
  scale(y.slice(2, 4), x.slice(6, 8));
  EXPECT_THAT(failure<graph_cycle_error>(Execute(cs)), HasSubstr("of 'y'"));
}

TEST_F(RulesTest, AVertexMayReadAndWriteItsOwnElements) {
  scale(x, x);
  EXPECT_NO_THROW(compileGraph(graph, {Execute(cs)}));
}

TEST_F(RulesTest, DifferentComputeSetsMayShareElements) {
  scale(x, y);
  const ComputeSet second = graph.addComputeSet("second");
  const VertexRef v = graph.addVertex(second, "Scale", {{"in", y}, {"out", x}, {"factor", 1.0f}});
  graph.setTileMapping(v, 1);
  EXPECT_NO_THROW(compileGraph(graph, {Sequence{Execute(cs), Execute(second)}}));
}

TEST_F(RulesTest, ConstantsAreNotWritten) {
  const Tensor c = graph.addConstant(FLOAT, {8}, 1.0f, "ones");
  graph.setTileMapping(c, 0);
  EXPECT_THAT(failure<control_program_error>(Copy(x, c)), HasSubstr("'ones'"));
  scale(x, c);
  EXPECT_THAT(failure<graph_connection_error>(Execute(cs)), HasSubstr("'ones'"));
}

TEST_F(RulesTest, CopiesMayNotWriteAnElementTwice) {
  const Tensor twice = y.slice(0, 4).broadcast(2, 0);
  EXPECT_THAT(failure<control_program_error>(Copy(x, twice, false, "copy")), HasSubstr("'copy'"));
  EXPECT_NO_THROW(compileGraph(graph, {Copy(twice, x)}));
}

TEST_F(RulesTest, HostHandlesNeedMappedTensors) {
  graph.createHostRead("z", graph.addVariable(FLOAT, {2}, "z"));
  EXPECT_THAT(failure<invalid_tile_mapping>(Sequence()), HasSubstr("'z'"));
}

TEST_F(RulesTest, HostFunctionArgumentsMustFit) {
  const HostFunction f = graph.addHostFunction("f", {{FLOAT, 8}}, {});
  EXPECT_NO_THROW(compileGraph(graph, {Call(f, {x}, {})}));
  EXPECT_THAT(failure<control_program_error>(Call(f, {x.slice(0, 2)}, {})), HasSubstr("'f'"));
}

TEST_F(RulesTest, ReplicasMustExist) {
  EXPECT_THAT(failure<control_program_error>(CrossReplicaCopy(x, y, {{0, 1}})),
              HasSubstr("replica 1"));
}

TEST_F(RulesTest, ValuesOfInputsFollowTheirVertex) {
  const VertexRef v = graph.addVertex(cs, "ScalarSum", {{"a", 1.5f}, {"b", x[0]}, {"sum", y[0]}});
  graph.setTileMapping(v, 3);
  EXPECT_NO_THROW(compileGraph(graph, {Execute(cs)}));
}
