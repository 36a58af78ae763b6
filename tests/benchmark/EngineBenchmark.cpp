// How much the engine adds to the work itself. Each bar is a ratio or a figure of one run, and
// Bars.cpp prints them at the end:
//   ComputeSet/...: 1,472 trivial vertices, against a plain loop over the same function and objects
//   Copy/...:       100 MB, against memcpy
//   Repeat:         2,048 steps of three small compute sets, time per superstep
//   Build:          100,000 vertices with 1,000,000 edges, graph to loaded engine
#include "popc/CodeletLibrary.hpp"

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>

#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <cstring>
#include <sstream>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

const char* const kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Increment : public Vertex {
public:
  InOut<float> x;
  bool compute() { *x = *x + 1; return true; }
};
class Sum : public Vertex {
public:
  Vector<Input<Vector<float>>> in;
  Output<float> out;
  bool compute() {
    float total = 0;
    for (unsigned i = 0; i < in.size(); ++i)
      for (unsigned j = 0; j < in[i].size(); ++j) total += in[i][j];
    *out = total;
    return true;
  }
};
)";

constexpr unsigned kTiles = 1472;

void addCodelets(Graph& graph) {
  std::stringstream source(kCodelets);
  graph.addCodelets(source, "-O3");
}

ComputeSet incrementAll(Graph& graph, const Tensor& x) {
  ComputeSet cs = graph.addComputeSet("increment");
  for (unsigned tile = 0; tile < x.numElements(); ++tile) {
    VertexRef v = graph.addVertex(cs, "Increment", {{"x", x[tile]}});
    graph.setTileMapping(v, tile);
    graph.setTileMapping(x[tile], tile);
  }
  return cs;
}

void runProgram(benchmark::State& state, const Device& device, const Graph& graph,
                const Program& program, bool account) {
  Engine engine(graph, program, {{"ipumodel.account", account ? "true" : "false"}});
  engine.load(device);
  engine.run();
  for (auto _ : state)
    engine.run();
}

void computeSetOnEngine(benchmark::State& state) {
  constexpr unsigned kRepeats = 100;
  Device device = IPUModel().createDevice();
  Graph graph(device);
  addCodelets(graph);
  Tensor x = graph.addVariable(FLOAT, {kTiles}, "x");
  runProgram(state, device, graph, Repeat(kRepeats, Execute(incrementAll(graph, x))),
             state.range(0));
  state.counters["perSet"] = benchmark::Counter(
      kRepeats, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(computeSetOnEngine)
    ->Name("ComputeSet/engine")
    ->ArgName("account")
    ->Arg(0)
    ->Arg(1)
    ->UseRealTime();

void computeSetAsLoop(benchmark::State& state) {
  constexpr unsigned kRepeats = 100;
  ipumodel::CodeletLibrary library;
  library.addText(kCodelets, "-O3");
  const ipumodel::VertexType* type = library.find("Increment");
  std::vector<float> data(kTiles);
  std::vector<float*> vertices;
  for (float& value : data)
    vertices.push_back(&value); // an InOut<float> is a pointer
  for (auto _ : state)
    for (unsigned repeat = 0; repeat < kRepeats; ++repeat)
      for (float*& vertex : vertices)
        type->run(&vertex, sizeof vertex, 1, 6);
  state.counters["perSet"] = benchmark::Counter(
      kRepeats, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(computeSetAsLoop)->Name("ComputeSet/loop")->UseRealTime();

constexpr std::size_t kCopyFloats = 25'000'000;

void copyOnEngine(benchmark::State& state) {
  Device device = IPUModel().createDevice();
  Graph graph(device);
  Tensor x = graph.addVariable(FLOAT, {kCopyFloats}, "x");
  Tensor y = graph.addVariable(FLOAT, {kCopyFloats}, "y");
  graph.setTileMapping(x, 0);
  graph.setTileMapping(y, 1);
  runProgram(state, device, graph, Copy(x, y), false);
  state.SetBytesProcessed(state.iterations() * std::int64_t(kCopyFloats * sizeof(float)));
}
BENCHMARK(copyOnEngine)->Name("Copy/engine")->UseRealTime();

void copyByMemcpy(benchmark::State& state) {
  std::vector<float> x(kCopyFloats, 1.0f), y(kCopyFloats);
  for (auto _ : state) {
    std::memcpy(y.data(), x.data(), kCopyFloats * sizeof(float));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * std::int64_t(kCopyFloats * sizeof(float)));
}
BENCHMARK(copyByMemcpy)->Name("Copy/memcpy")->UseRealTime();

void repeatSmallSets(benchmark::State& state) {
  constexpr unsigned kSteps = 2048, kSetsPerStep = 3, kVertices = 64;
  Device device = IPUModel().createDevice();
  Graph graph(device);
  addCodelets(graph);
  Sequence step;
  for (unsigned set = 0; set < kSetsPerStep; ++set)
    step.add(Execute(incrementAll(graph, graph.addVariable(FLOAT, {kVertices}, "x"))));
  runProgram(state, device, graph, Repeat(kSteps, step), state.range(0));
  state.counters["perSuperstep"] =
      benchmark::Counter(kSteps * kSetsPerStep, benchmark::Counter::kIsIterationInvariantRate |
                                                    benchmark::Counter::kInvert);
}
BENCHMARK(repeatSmallSets)->Name("Repeat")->ArgName("account")->Arg(0)->Arg(1)->UseRealTime();

void buildAndLower(benchmark::State& state) {
  constexpr std::size_t kVertices = 100'000, kEdgesPerVertex = 9; // and one output each
  for (auto _ : state) {
    Device device = IPUModel().createDevice();
    Graph graph(device);
    addCodelets(graph);
    Tensor x = graph.addVariable(FLOAT, {kVertices, 4}, "x");
    Tensor sums = graph.addVariable(FLOAT, {kVertices}, "sums");
    const std::size_t perTile = (kVertices + kTiles - 1) / kTiles;
    for (unsigned tile = 0; tile < kTiles; ++tile) {
      const std::size_t begin = std::min(kVertices, tile * perTile),
                        end = std::min(kVertices, begin + perTile);
      graph.setTileMapping(x.slice(begin, end), tile);
      graph.setTileMapping(sums.slice(begin, end), tile);
    }
    ComputeSet cs = graph.addComputeSet("sum");
    std::vector<Tensor> rows;
    for (std::size_t i = 0; i < kVertices; ++i)
      rows.push_back(x[i]);
    for (std::size_t i = 0; i < kVertices; ++i) {
      std::vector<Tensor> edges;
      for (std::size_t e = 0; e < kEdgesPerVertex; ++e)
        edges.push_back(rows[(i * 7919 + e * 104729) % kVertices]);
      VertexRef v = graph.addVertex(cs, "Sum");
      graph.connect(v["in"], edges);
      graph.connect(v["out"], sums[i]);
      graph.setTileMapping(v, static_cast<unsigned>(i / perTile));
    }
    Engine engine(graph, Execute(cs), {{"ipumodel.account", state.range(0) ? "true" : "false"}});
    engine.load(device);
    engine.run();
  }
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  state.counters["peakMB"] = static_cast<double>(use.ru_maxrss) / 1024; // of all benchmarks so far
}
BENCHMARK(buildAndLower)
    ->Name("Build")
    ->ArgName("account")
    ->Arg(0)
    ->Arg(1)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
