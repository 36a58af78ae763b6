// Engine::reportIntervals: what the tiles were doing over time.
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>

#include <gtest/gtest.h>

#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace {

struct Row {
  unsigned long begin, end, compute, sync, exchange;
};

std::vector<Row> parse(const std::string& text) {
  std::vector<Row> rows;
  std::istringstream in(text);
  char comma;
  for (Row row; in >> row.begin >> comma >> row.end >> comma >> row.compute >> comma >> row.sync >>
                comma >> row.exchange;)
    rows.push_back(row);
  return rows;
}

TEST(ReportIntervals, CountsTilesThatComputeUntilTheyAreDone) {
  IPUModel model;
  model.tilesPerIPU = 4;
  Device device = model.createDevice();
  Graph graph(device.getTarget());
  std::stringstream codelets(R"(
    #include <poplar/Vertex.hpp>
    struct Work : poplar::Vertex {
      poplar::InOut<float> x;
      bool compute() { return true; }
    };)");
  graph.addCodelets(codelets);
  Tensor x = graph.addVariable(FLOAT, {2});
  const ComputeSet set = graph.addComputeSet();
  for (unsigned tile = 0; tile < 2; ++tile) {
    graph.setTileMapping(x[tile], tile);
    const VertexRef v = graph.addVertex(set, "Work", {{"x", x[tile]}});
    graph.setTileMapping(v, tile);
    graph.setPerfEstimate(v, tile == 0 ? 100 : 1000);
  }
  Engine engine(graph, Repeat(2, Execute(set)));
  engine.load(device);
  engine.run();

  std::ostringstream text;
  engine.reportIntervals(text);
  const std::vector<Row> rows = parse(text.str());
  ASSERT_FALSE(rows.empty()) << text.str();
  unsigned both = 0, one = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_LT(rows[i].begin, rows[i].end);
    EXPECT_EQ(rows[i].compute + rows[i].sync + rows[i].exchange, 4u);
    EXPECT_GE(rows[i].begin, i > 0 ? rows[i - 1].end : 0) << "rows are in order";
    both += rows[i].compute == 2;
    one += rows[i].compute == 1;
    if (rows[i].compute == 2) { // then the slower one goes on alone
      ASSERT_LT(i + 1, rows.size());
      EXPECT_GT(rows[i + 1].end - rows[i + 1].begin, rows[i].end - rows[i].begin);
    }
  }
  EXPECT_EQ(both, 2u);
  EXPECT_EQ(one, 2u);
}

} // namespace
