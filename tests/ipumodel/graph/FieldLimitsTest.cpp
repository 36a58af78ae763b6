#include "TestGraph.hpp"

#include <poplar/Engine.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

using namespace poplar;
using namespace poplar::program;
using testing::AllOf;
using testing::HasSubstr;

namespace {

constexpr const char* kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Short : public Vertex {
public:
  Input<Vector<char, VectorLayout::SHORT_SPAN>> in;
  bool compute() { return true; }
};
class ShortRows : public Vertex {
public:
  Vector<Input<Vector<char, VectorLayout::SHORT_SPAN>>> in;
  bool compute() { return true; }
};
class ShortTable : public Vertex {
public:
  Vector<unsigned char, VectorLayout::SHORT_SPAN> table;
  bool compute() { return true; }
};
class Elements : public Vertex {
public:
  Input<VectorList<char, VectorListLayout::DELTANELEMENTS>> in;
  bool compute() { return true; }
};
class Deltas : public Vertex {
public:
  Input<VectorList<char, VectorListLayout::DELTAN>> in;
  bool compute() { return true; }
};
)";

Graph makeGraph(const Target& target) {
  Graph graph(target);
  std::stringstream codelets(kCodelets);
  graph.addCodelets(codelets);
  return graph;
}

// Compiles a graph in which a vertex reads so many elements, from a list of one vector if the field
// is a list. The message of the error, if there is one.
std::string failureOf(const char* vertex, std::size_t length, const Target& target = testTarget()) {
  Graph graph = makeGraph(target);
  const ComputeSet cs = graph.addComputeSet("reads");
  const Tensor t = graph.addVariable(CHAR, {length}, "t");
  graph.setTileMapping(t, 0);
  const VertexRef v = graph.addVertex(cs, vertex);
  graph.setTileMapping(v, 0);
  if (std::string(vertex) == "Short")
    graph.connect(v["in"], t);
  else
    graph.connect(v["in"], std::vector<Tensor>{t});
  return messageOf<graph_connection_error>([&] { compileGraph(graph, {Execute(cs)}); });
}

} // namespace

TEST(FieldLimits, ShortSpansCountElevenBits) {
  EXPECT_EQ(failureOf("Short", 2047), "");
  EXPECT_THAT(failureOf("Short", 2048),
              AllOf(HasSubstr("'in'"), HasSubstr("'Short'"), HasSubstr("2048"),
                    HasSubstr("SHORT_SPAN"), HasSubstr("2047")));
  EXPECT_EQ(failureOf("ShortRows", 2047), "");
  EXPECT_THAT(failureOf("ShortRows", 2048), HasSubstr("SHORT_SPAN counts at most 2047"));
}

TEST(FieldLimits, VectorsOfListsCountWhatTheirOffsetsLeave) {
  EXPECT_EQ(failureOf("Elements", 4095), "");
  EXPECT_THAT(failureOf("Elements", 4096), HasSubstr("DELTANELEMENTS counts at most 4095"));
  EXPECT_EQ(failureOf("Deltas", 16383), "");
  EXPECT_THAT(failureOf("Deltas", 16384), HasSubstr("DELTAN counts at most 16383"));
}

TEST(FieldLimits, AreThoseThatTheGraphTells) {
  const Graph graph = makeGraph(testTarget());
  EXPECT_EQ(graph.getMaxFieldDim("Short", "in", 0), 2047u);
  EXPECT_EQ(graph.getMaxFieldDim("ShortRows", "in", 1), 2047u);
  EXPECT_EQ(graph.getMaxFieldDim("Elements", "in", 1), 4095u);
  EXPECT_EQ(graph.getMaxFieldDim("Deltas", "in", 1), 16383u);
  EXPECT_GT(graph.getMaxFieldDim("Deltas", "in", 0), 1u << 20);
}

TEST(FieldLimits, HoldForTablesOfValues) {
  Graph graph = makeGraph(testTarget());
  const ComputeSet cs = graph.addComputeSet();
  const VertexRef v = graph.addVertex(cs, "ShortTable");
  graph.setTileMapping(v, 0);
  graph.setFieldSize(v["table"], 3000);
  EXPECT_THAT(messageOf<graph_connection_error>([&] { compileGraph(graph, {Execute(cs)}); }),
              HasSubstr("'table'"));
}

TEST(FieldLimits, DoNotHoldOnTheCpu) {
  EXPECT_EQ(failureOf("Short", 5000, Target::createCPUTarget()), "");
}
