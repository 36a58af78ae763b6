#include "TestGraph.hpp"

#include <poplar/CSRFunctions.hpp>
#include <poplar/RandomSeed.hpp>
#include <poplar/VertexIntrospector.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace poplar;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

typedef std::vector<std::size_t> Shape;

std::string pathOf(const DebugContext& context) {
  return context.getPathName();
}

class GraphTest : public testing::Test {
protected:
  Graph graph = testGraph();
  ComputeSet cs = graph.addComputeSet("cs");
  Tensor t = graph.addVariable(FLOAT, {2, 4}, "t");
};

} // namespace

TEST_F(GraphTest, UnknownVerticesAndFieldsThrowByName) {
  EXPECT_THAT(messageOf<unknown_vertex_type>([&] { graph.addVertex(cs, "Nothing"); }),
              HasSubstr("Nothing"));
  const VertexRef v = graph.addVertex(cs, "Scale");
  const std::string message = messageOf<unknown_field>([&] { graph.connect(v["inn"], t[0]); });
  EXPECT_THAT(message, HasSubstr("inn"));
  EXPECT_THAT(message, HasSubstr("Scale"));
  EXPECT_TRUE(graph.hasCodelet("Scale"));
  EXPECT_FALSE(graph.hasCodelet("Nothing"));
}

TEST_F(GraphTest, AFieldTakesTensorsOfItsTypeAndRank) {
  const VertexRef v = graph.addVertex(cs, "Scale");
  const Tensor ints = graph.addVariable(INT, {4}, "ints");
  const std::string message = messageOf<type_error>([&] { graph.connect(v["in"], ints); });
  EXPECT_THAT(message, HasSubstr("'in'"));
  EXPECT_THAT(message, HasSubstr("'ints'"));
  EXPECT_THROW(graph.connect(v["in"], t), graph_connection_error);
  EXPECT_THROW(graph.connect(v["factor"], t[0][0]), graph_connection_error);
  const VertexRef s = graph.addVertex(cs, "AddOne");
  EXPECT_THROW(graph.connect(s["x"], t[0]), graph_connection_error);
}

TEST_F(GraphTest, AFieldIsConnectedOnce) {
  const VertexRef v = graph.addVertex(cs, "Scale");
  graph.connect(v["in"], t[0]);
  EXPECT_THAT(messageOf<graph_connection_error>([&] { graph.connect(v["in"], t[1]); }),
              HasSubstr("already connected"));
}

TEST_F(GraphTest, ListsOfVectorsAreConnectedInEveryForm) {
  const VertexRef a = graph.addVertex(cs, "ListSum", {{"in", t}, {"sum", t[0][0]}});
  EXPECT_EQ(graph.getFieldSize(a["in"]), 2u);
  const VertexRef b = graph.addVertex(cs, "ListSum");
  graph.connect(b["in"], std::vector<Tensor>{t[0], t[1].slice(0, 2), t[1]});
  EXPECT_EQ(graph.getFieldSize(b["in"]), 3u);
  EXPECT_EQ(graph.getFieldSize(b["in"][1]), 2u);
  const VertexRef c = graph.addVertex(cs, "ListSum");
  graph.setFieldSize(c["in"], 2);
  graph.connect(c["in"][0], t[0]);
  EXPECT_THROW(graph.connect(c["in"][0], t[0]), graph_connection_error);
  graph.connect(c["in"][1], t[1]);
  EXPECT_THROW(graph.connect(c["in"][2], t[1]), index_error);
}

TEST_F(GraphTest, SizesOfUnsetFieldsAreUnknown) {
  const VertexRef v = graph.addVertex(cs, "ListSum");
  EXPECT_THROW(graph.getFieldSize(v["weights"]), no_size_specified);
  graph.setInitialValue<unsigned>(v["weights"], std::vector<unsigned>{1, 2, 3});
  EXPECT_EQ(graph.getFieldSize(v["weights"]), 3u);
}

TEST_F(GraphTest, ConstantsTakeScalarsListsAndPointers) {
  EXPECT_EQ(graph.addConstant(FLOAT, {2, 3}, 1.0f).shape(), (Shape{2, 3}));
  EXPECT_EQ(graph.addConstant<float>(FLOAT, {3}, {1.0, 2.0, 3.0}).numElements(), 3u);
  EXPECT_EQ(graph.addConstant<int>(INT, {}, 0).rank(), 0u);
  // A list of one zero is a list, not a null pointer.
  EXPECT_EQ(graph.addConstant<int>(INT, {1}, {0}, "zero").numElements(), 1u);
  const std::vector<double> values = {1, 2};
  EXPECT_EQ(graph.addConstant(HALF, {2}, values.data()).elementType(), HALF);
  EXPECT_EQ(graph.addConstant(FLOAT, {2}, ArrayRef<double>(values)).numElements(), 2u);
  EXPECT_EQ(graph.addConstantHalf(HALF, {}, 0x3c00).elementType(), HALF);
  EXPECT_THROW(graph.addConstant(FLOAT, {3}, ArrayRef<double>(values)), tensor_creation_error);
  EXPECT_TRUE(graph.addReplicationIndexConstant().containsConstant());
}

TEST_F(GraphTest, MappingGoesToElementsAndTheLastOneWins) {
  graph.setTileMapping(t, 0);
  graph.setTileMapping(t.slice(1, 3, 1), 2);
  const Graph::TileToTensorMapping mapping = graph.getTileMapping(t);
  ASSERT_EQ(mapping.size(), 4u);
  EXPECT_EQ(mapping[0], (std::vector<Interval>{{0, 1}, {3, 5}, {7, 8}}));
  EXPECT_EQ(mapping[2], (std::vector<Interval>{{1, 3}, {5, 7}}));
  // The same elements through another view.
  EXPECT_EQ(graph.getTileMapping(t.transpose())[2], (std::vector<Interval>{{2, 6}}));
}

TEST_F(GraphTest, AMappingListsIntervalsPerTile) {
  graph.setTileMapping(t.transpose(), {{{0, 2}}, {{2, 6}}, {}, {{6, 8}}});
  const Graph::TileToTensorMapping mapping = graph.getTileMapping(t);
  EXPECT_EQ(mapping[0], (std::vector<Interval>{{0, 1}, {4, 5}}));
  EXPECT_EQ(mapping[1], (std::vector<Interval>{{1, 3}, {5, 7}}));
  EXPECT_THROW(graph.setTileMapping(t, {{{0, 9}}}), invalid_tile_mapping);
}

TEST_F(GraphTest, AnIncompleteMappingIsOnlyToldWhenAllowed) {
  EXPECT_THROW(graph.getTileMapping(t), invalid_tile_mapping);
  EXPECT_TRUE(graph.getTileMapping(t, false)[0].empty());
  graph.setTileMapping(t[0], 1);
  bool isComplete = true;
  EXPECT_EQ(graph.getTileMapping(t, &isComplete)[1].size(), 1u);
  EXPECT_FALSE(isComplete);
}

TEST_F(GraphTest, TilesOutOfRangeThrow) {
  EXPECT_THROW(graph.setTileMapping(t, 4), invalid_tile_mapping);
  EXPECT_THROW(graph.setTileMapping(graph.addVertex(cs, "Scale"), 4), invalid_tile_mapping);
}

TEST_F(GraphTest, LinearVariablesComeMapped) {
  const Tensor v = graph.addVariable(FLOAT, {10}, VariableMappingMethod::LINEAR, "v");
  const Graph::TileToTensorMapping mapping = graph.getTileMapping(v);
  EXPECT_EQ(mapping[0], (std::vector<Interval>{{0, 3}}));
  EXPECT_EQ(mapping[3], (std::vector<Interval>{{9, 10}}));
}

TEST_F(GraphTest, VirtualGraphsNumberTheirTilesFromZero) {
  Graph whole(testTarget(4, 2));
  Graph second = whole.createVirtualGraph(4, 8);
  EXPECT_EQ(second.getTarget().getNumTiles(), 4u);
  EXPECT_EQ(second.getTarget().getNumIPUs(), 1u);
  const Tensor v = second.addVariable(FLOAT, {2}, "v");
  second.setTileMapping(v, 1);
  EXPECT_EQ(whole.getTileMapping(v)[5].size(), 1u);
  EXPECT_EQ(second.getTileMapping(v)[1].size(), 1u);
  EXPECT_THROW(second.setTileMapping(v, 4), invalid_tile_mapping);
  EXPECT_EQ(second.convertVirtualTileToPhysicalTile(3), 7u);
  Graph top = second.getTopLevelGraph();
  EXPECT_EQ(top.getTarget().getNumTiles(), 8u);

  Graph perIpu = whole.createVirtualGraph(2);
  EXPECT_EQ(perIpu.getTarget().getNumTiles(), 4u);
  EXPECT_EQ(perIpu.convertVirtualTileToPhysicalTile(2), 4u);
  Graph chosen = whole.createVirtualGraph(std::vector<unsigned>{3, 1});
  EXPECT_EQ(chosen.convertVirtualTileToPhysicalTile(0), 3u);
  EXPECT_EQ(chosen.convertVirtualTileToPhysicalTile(3), 5u);
  Graph first = whole.createVirtualGraph(0, 4);
  EXPECT_THROW(first.getTileMapping(v), invalid_tile_mapping);
  EXPECT_TRUE(first.getTileMapping(v, true, true)[1].empty());
}

TEST_F(GraphTest, ReplicationDividesTheTarget) {
  Graph replicated(testTarget(4, 2), replication_factor(2));
  EXPECT_EQ(replicated.getReplicationFactor(), 2u);
  EXPECT_EQ(replicated.getTarget().getNumTiles(), 4u);
  EXPECT_THROW(Graph(testTarget(4, 2), replication_factor(3)), graph_replication_error);
}

TEST_F(GraphTest, HandlesAreUnique) {
  graph.addHostToDeviceFIFO("x", FLOAT, 4);
  EXPECT_THROW(graph.addHostToDeviceFIFO("x", FLOAT, 4), stream_connection_error);
  EXPECT_THROW(graph.addDeviceToHostFIFO("x", FLOAT, 4), stream_connection_error);
  const RemoteBuffer buffer = graph.addRemoteBuffer("r", FLOAT, 8, 3);
  EXPECT_EQ(buffer.getRepeats(), 3u);
  EXPECT_THROW(graph.addRemoteBuffer("r", FLOAT, 8), stream_connection_error);
  EXPECT_THROW(graph.addHostToDeviceFIFO("y", FLOAT, 4, ReplicatedStreamMode::REPLICATE,
                                         {{"noSuchOption", "1"}}),
               invalid_option);
  graph.createHostRead("h", t);
  graph.createHostWrite("h", t);
  EXPECT_THROW(graph.createHostRead("h", t), stream_connection_error);
}

TEST_F(GraphTest, PerfEstimatesComeFromTheVertexOrItsType) {
  const VertexRef v = graph.addVertex(cs, "Scale", {{"in", t[0]}, {"out", t[1]}, {"factor", 3}});
  EXPECT_THROW(graph.getPerfEstimate(v), missing_perf_estimate);
  graph.registerPerfEstimator("Scale", [](const VertexIntrospector& vertex, const Target& target) {
    const FieldData in = vertex.getFieldInfo("in");
    EXPECT_EQ(in.rank(), 1u);
    EXPECT_EQ(vertex.getFieldInfo("factor").getInitialValue<float>(target), 3.0f);
    EXPECT_EQ(in.getProfilerVectorLayout(0), layout::Vector::Span);
    return VertexPerfEstimate(10 + in.size(), 1);
  });
  EXPECT_EQ(graph.getPerfEstimate(v).cycles, 14u);
  graph.setPerfEstimate(v, 7, 2);
  EXPECT_EQ(graph.getPerfEstimate(v), VertexPerfEstimate(7, 2));
}

TEST_F(GraphTest, IntrospectionTellsTheSizesOfLists) {
  const VertexRef v = graph.addVertex(cs, "ListSum");
  graph.connect(v["in"], std::vector<Tensor>{t[0], t[1].slice(0, 3)});
  graph.setInitialValue<unsigned>(v["weights"], std::vector<unsigned>{5, 6});
  graph.registerPerfEstimator(
      "ListSum", [](const VertexIntrospector& vertex, const Target& target) {
        const FieldData in = vertex.getFieldInfo("in");
        EXPECT_EQ(in.size(), 2u);
        EXPECT_EQ(in.getSizeAtIndex(1), 3u);
        EXPECT_EQ(in[0].size(), 4u);
        const std::vector<unsigned> weights =
            vertex.getFieldInfo("weights").getInitialValues<unsigned>(target);
        EXPECT_THROW(vertex.getFieldInfo("nothing"), unknown_field);
        return VertexPerfEstimate(weights[1]);
      });
  EXPECT_EQ(graph.getPerfEstimate(v).cycles, 6u);
}

TEST_F(GraphTest, IntrospectionReadsTheConstantsThatFieldsAreConnectedTo) {
  const Tensor row = graph.addConstant<unsigned>(UNSIGNED_SHORT, {4}, {7, 8, 9, 10});
  const VertexRef v = graph.addVertex(
      cs, "Lookup",
      {{"first", graph.addConstant(INT, {}, -3)}, {"ends", row.slice(1, 3).reverse(0)}});
  graph.connect(v["rows"], std::vector<Tensor>{row.slice(2, 4), row.slice(0, 1).broadcast(3, 0)});
  graph.connect(v["out"], t[0][0]);
  graph.registerPerfEstimator("Lookup", [](const VertexIntrospector& vertex, const Target& target) {
    EXPECT_EQ(vertex.getFieldInfo("first").getInitialValue<int>(target), -3);
    EXPECT_THAT(vertex.getFieldInfo("ends").getInitialValues<unsigned>(target), ElementsAre(9, 8));
    EXPECT_EQ(vertex.getFieldInfo("ends")[1].size(), 1u);
    EXPECT_THAT(vertex.getFieldInfo("rows").getInitialValues<std::vector<unsigned>>(target),
                ElementsAre(ElementsAre(9, 10), ElementsAre(7, 7, 7)));
    EXPECT_THROW(vertex.getFieldInfo("out").getInitialValue<float>(target), poplar_error);
    return VertexPerfEstimate(1);
  });
  EXPECT_EQ(graph.getPerfEstimate(v).cycles, 1u);
}

TEST_F(GraphTest, DebugNamesAreJoinedWithSlashes) {
  DebugInfo info("layer", "test");
  EXPECT_EQ(pathOf({info, "forward"}), "layer/forward");
  const DebugNameAndId name(info, "step");
  EXPECT_EQ(DebugNameAndId(name, "inner").getPathName(), "layer/step/inner");
  EXPECT_EQ(pathOf({name, "x"}), "layer/step/x");
  EXPECT_EQ(pathOf({name}), "layer/step");
  std::ostringstream text;
  text << name << ' ' << DebugContext(name, "y");
  EXPECT_EQ(text.str(), "layer/step layer/step/y");
  EXPECT_THAT(graph.addVariable(FLOAT, {1}, {name, "w"}).getDebugStr(), HasSubstr("layer/step/w"));
}

TEST_F(GraphTest, OnlyTheWholeGraphIsReplicated) {
  Graph whole(testTarget(4, 2));
  Graph same = whole.createReplicatedGraph(1);
  EXPECT_EQ(same.getTarget().getNumTiles(), whole.getTarget().getNumTiles());
  const Tensor held = same.addVariable(FLOAT, {2, 3}, "t");
  EXPECT_EQ(whole.getNonReplicatedTensor(held), held.expand({0}));
  EXPECT_THROW(whole.createReplicatedGraph(2), graph_replication_error);

  Graph empty(testTarget(4, 2));
  EXPECT_THROW(empty.createReplicatedGraph(3), graph_replication_error);
  Graph replicated = empty.createReplicatedGraph(2);
  EXPECT_EQ(replicated.getReplicationFactor(), 2u);
  EXPECT_EQ(replicated.getTarget().getNumTiles(), 4u);
  EXPECT_EQ(replicated.getTopLevelGraph().getTarget().getNumIPUs(), 1u);
}

TEST_F(GraphTest, TileRegistersAreSharedByAGraphAndItsVirtualGraphs) {
  program::Sequence prog;
  const Tensor seeds = getHwSeeds(graph, prog);
  EXPECT_EQ(seeds.shape(), (Shape{4, graph.getTarget().getNumWorkerContexts(), 4}));
  Graph half = graph.createVirtualGraph(2);
  setHwSeeds(half, seeds, prog);
  EXPECT_THROW(setHwSeeds(half, seeds[0], prog), poplar_error);
  setFloatingPointBehaviour(graph, prog, {true, true, true, false, true}, "behaviour");
  EXPECT_FALSE(prog.isEmpty());
}
