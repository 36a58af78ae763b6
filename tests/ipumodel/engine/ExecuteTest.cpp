// Compute sets: how vertices see their fields.
#include "Codelets.hpp"

#include <gtest/gtest.h>

using namespace poplar;
using namespace poplar::program;
using namespace enginetest;

namespace {

TEST(Execute, RunsEveryVertexOnce) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  Tensor x = variable(graph, FLOAT, {100}, "x");
  graph.setInitialValue(x, ArrayRef<float>(std::vector<float>(100, 2.0f)));
  graph.createHostRead("x", x);
  Engine engine(graph, Execute(addOne(graph, x)));
  engine.load(device);
  engine.run(0);
  EXPECT_EQ(read<float>(engine, "x", 100), std::vector<float>(100, 3.0f));
  engine.run(0);
  EXPECT_EQ(read<float>(engine, "x", 100), std::vector<float>(100, 4.0f));
}

TEST(Execute, GathersStridedInputsAndScattersStridedOutputs) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  Tensor m = variable(graph, FLOAT, {3, 4}, "m");
  Tensor x = variable(graph, FLOAT, {3}, "x");
  Tensor a = graph.addConstant(FLOAT, {}, 10.0f);
  graph.setTileMapping(a, 1);
  std::vector<float> initial(12);
  for (std::size_t i = 0; i < 12; ++i)
    initial[i] = float(i);
  graph.setInitialValue(m, ArrayRef<float>(initial));
  graph.setInitialValue(x, ArrayRef<float>(std::vector<float>{1, 2, 3}));
  graph.createHostRead("m", m);
  ComputeSet cs = graph.addComputeSet("cs");
  // Column 1 backwards: y is three separate elements in reverse order.
  Tensor column = m.slice(1, 2, 1).flatten().reverse(0);
  VertexRef v = graph.addVertex(cs, "Axpy", {{"x", x}, {"a", a}, {"y", column}});
  graph.setTileMapping(v, 2);
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  std::vector<float> expected = initial;
  expected[9] += 10;
  expected[5] += 20;
  expected[1] += 30;
  EXPECT_EQ(read<float>(engine, "m", 12), expected);
}

TEST(Execute, GivesVectorsOfScalarsAnElementEach) {
  Device device = makeDevice();
  Graph graph(device);
  std::stringstream codelet(R"(
    #include <poplar/Vertex.hpp>
    class Exceed : public poplar::Vertex {
    public:
      poplar::Vector<poplar::Input<float>> in;
      poplar::Vector<poplar::InOut<float>> best;
      bool compute() {
        for (unsigned i = 0; i < in.size(); ++i)
          best[i] = best[i] > in[i] ? best[i] : in[i];
        return true;
      }
    };)");
  graph.addCodelets(codelet);
  Tensor in = variable(graph, FLOAT, {3, 2}, "in");
  Tensor best = variable(graph, FLOAT, {3}, "best");
  graph.setInitialValue(in, ArrayRef<float>(std::vector<float>{1, 2, 3, 4, 5, 6}));
  graph.setInitialValue(best, ArrayRef<float>(std::vector<float>{3, 3, 3}));
  graph.createHostRead("best", best);
  ComputeSet cs = graph.addComputeSet("cs");
  const Tensor column = in.slice(1, 2, 1).flatten();
  graph.setTileMapping(graph.addVertex(cs, "Exceed", {{"in", column}, {"best", best}}), 1);
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<float>(engine, "best", 3), (std::vector<float>{3, 4, 6}));
}

TEST(Execute, GivesVectorsOfVectorsTheirRows) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  Tensor m = variable(graph, FLOAT, {4, 5}, "m");
  std::vector<float> initial(20, 1.0f);
  initial[7] = 100;
  graph.setInitialValue(m, ArrayRef<float>(initial));
  Tensor sums = variable(graph, FLOAT, {2}, "sums");
  graph.createHostRead("sums", sums);
  ComputeSet cs = graph.addComputeSet("cs");
  VertexRef whole = graph.addVertex(cs, "SumRows");
  graph.connect(whole["rows"], m.slice(1, 4));
  graph.connect(whole["sum"], sums[0]);
  VertexRef ragged = graph.addVertex(cs, "SumRows");
  graph.connect(ragged["rows"], std::vector<Tensor>{m[1].slice(2, 3), m[0], concat(m[3], m[2])});
  graph.connect(ragged["sum"], sums[1]);
  graph.setTileMapping(whole, 0);
  graph.setTileMapping(ragged, 1);
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<float>(engine, "sums", 2), (std::vector<float>{114, 115}));
}

TEST(Execute, KeepsVertexStateBetweenRunsAndResetsItAtLoad) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  Tensor seen = variable(graph, INT, {1}, "seen");
  graph.createHostRead("seen", seen);
  ComputeSet cs = graph.addComputeSet("cs");
  VertexRef v = graph.addVertex(cs, "CountCalls", {{"seen", seen[0]}});
  graph.setInitialValue(v["calls"], 5);
  graph.setTileMapping(v, 0);
  Engine engine(graph, Repeat(3, Execute(cs)));
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<int>(engine, "seen", 1)[0], 8);
  engine.run();
  EXPECT_EQ(read<int>(engine, "seen", 1)[0], 11);
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<int>(engine, "seen", 1)[0], 8);
}

TEST(Execute, ReadsStateVectors) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  Tensor index = graph.addConstant(UNSIGNED_INT, {}, 2u);
  graph.setTileMapping(index, 0);
  Tensor value = variable(graph, UNSIGNED_INT, {}, "value");
  graph.createHostRead("value", value);
  ComputeSet cs = graph.addComputeSet("cs");
  VertexRef v = graph.addVertex(cs, "LookUp", {{"index", index}, {"value", value}});
  graph.setFieldSize(v["table"], 4);
  graph.setInitialValue(v["table"], ArrayRef<unsigned>(std::vector<unsigned>{10, 20, 30, 40}));
  graph.setTileMapping(v, 0);
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<unsigned>(engine, "value", 1)[0], 30u);
}

TEST(Execute, ReturnsTheAndOfAllVertices) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  Tensor x = variable(graph, FLOAT, {8}, "x");
  graph.setInitialValue(x, ArrayRef<float>(std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
  Tensor exits = variable(graph, BOOL, {2}, "exits");
  graph.createHostRead("exits", exits);
  Sequence prog;
  for (unsigned i = 0; i < 2; ++i) {
    ComputeSet cs = graph.addComputeSet("cs");
    for (unsigned j = 0; j < 8; ++j) {
      VertexRef v = graph.addVertex(cs, "IsBelow", {{"x", x[j]}});
      graph.setInitialValue(v["limit"], i == 0 ? 8.0f : 7.0f);
      graph.setTileMapping(v, j % 4);
    }
    prog.add(Execute(cs, exits[i]));
  }
  Engine engine(graph, prog);
  engine.load(device);
  engine.run();
  const std::vector<char> values = read<char>(engine, "exits", 2);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[1], 0);
}

TEST(Execute, RunsAllWorkersOfAMultiVertex) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  const unsigned workers = graph.getTarget().getNumWorkerContexts();
  EXPECT_EQ(workers, 6u);
  Tensor ids = variable(graph, UNSIGNED_INT, {workers}, "ids");
  graph.createHostRead("ids", ids);
  ComputeSet cs = graph.addComputeSet("cs");
  graph.setTileMapping(graph.addVertex(cs, "WorkerIds", {{"ids", ids}}), 0);
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<unsigned>(engine, "ids", workers), (std::vector<unsigned>{1, 2, 3, 4, 5, 6}));
}

TEST(Execute, AlignsEdgesAsTheCodeletAsks) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  Tensor x = variable(graph, FLOAT, {16}, "x");
  graph.setInitialValue(x, ArrayRef<float>(std::vector<float>(16, 1.0f)));
  Tensor sum = variable(graph, FLOAT, {4}, "sum");
  Tensor misaligned = variable(graph, UNSIGNED_INT, {4}, "misaligned");
  graph.createHostRead("sum", sum);
  graph.createHostRead("misaligned", misaligned);
  ComputeSet cs = graph.addComputeSet("cs");
  for (unsigned i = 0; i < 4; ++i) {
    VertexRef v = graph.addVertex(
        cs, "AlignedSum",
        {{"x", x.slice(i, i + 10)}, {"sum", sum[i]}, {"misaligned", misaligned[i]}});
    graph.setInitialValue(v["n"], 10u);
    graph.setTileMapping(v, i);
  }
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<float>(engine, "sum", 4), std::vector<float>(4, 10.0f));
  EXPECT_EQ(read<unsigned>(engine, "misaligned", 4), std::vector<unsigned>(4, 0u));
}

TEST(Execute, LetsVerticesShareDataThroughInputs) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  // Rows of 5 numbers: every other one is not aligned to 8 bytes.
  Tensor data = variable(graph, INT, {4, 5}, "data");
  graph.setInitialValue(data, ArrayRef<int>(std::vector<int>(20, 0)));
  graph.createHostRead("data", data);
  ComputeSet cs = graph.addComputeSet("cs");
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned i = 0; i < 5; ++i) {
      VertexRef v = graph.addVertex(cs, "AddThroughInput", {{"shared", data[row]}, {"index", i}});
      graph.setTileMapping(v, row);
    }
  Engine engine(graph, Repeat(3, Execute(cs)));
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<int>(engine, "data", 20), std::vector<int>(20, 3));
}

TEST(Execute, LeavesUnwrittenOutputsAlone) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  Tensor m = variable(graph, FLOAT, {2, 3}, "m");
  graph.setInitialValue(m, ArrayRef<float>(std::vector<float>(6, 7.0f)));
  graph.createHostRead("m", m);
  ComputeSet cs = graph.addComputeSet("cs");
  Tensor column = m.slice(0, 1, 1).flatten();
  graph.setTileMapping(graph.addVertex(cs, "WriteFirst", {{"out", column}}), 0);
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<float>(engine, "m", 6), (std::vector<float>{42, 7, 7, 7, 7, 7}));
}

TEST(Execute, NeedsNoMappingOnAHostOfOneTile) {
  Graph graph(Target::createCPUTarget());
  addCodelets(graph);
  const Tensor x = graph.addVariable(FLOAT, {3}, "x");
  const Tensor a = graph.addConstant(FLOAT, {}, 2.0f);
  const ComputeSet cs = graph.addComputeSet("cs");
  graph.addVertex(cs, "Axpy", {{"x", graph.addConstant(FLOAT, {3}, 1.0f)}, {"a", a}, {"y", x}});
  graph.createHostRead("x", x);
  Engine engine(graph, Execute(cs));
  engine.load(Device::createCPUDevice());
  engine.run();
  EXPECT_EQ(read<float>(engine, "x", 3), std::vector<float>(3, 2.0f));
}

} // namespace
