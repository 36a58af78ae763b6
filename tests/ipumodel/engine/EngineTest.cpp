// Engines and executables as a whole.
#include "Codelets.hpp"

#include <poplar/DeviceManager.hpp>
#include <poplar/Executable.hpp>
#include <poplar/exceptions.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

using namespace poplar;
using namespace poplar::program;
using namespace enginetest;

namespace {

// Sets an environment variable for the length of a test.
class Environment {
public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }

private:
  const char* name_;
};

// x += 1 five times over 4 tiles, with a stream, a remote buffer, a function and a print in it.
Sequence everything(Graph& graph) {
  Tensor x = variable(graph, FLOAT, {3, 4}, "x");
  graph.createHostRead("x", x);
  DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 12);
  RemoteBuffer buffer = graph.addRemoteBuffer("spill", FLOAT, 12);
  Tensor y = variable(graph, FLOAT, {4, 3}, "y", 1);
  Function count = graph.addFunction(Execute(addOne(graph, x)));
  return Sequence{Copy(in, x), Repeat(5, Call(count)), Copy(x, buffer), Copy(buffer, y.flatten()),
                  PrintTensor("y", y)};
}

std::string runEverything(Engine& engine, const Device& device) {
  std::vector<float> in(12);
  for (std::size_t i = 0; i < 12; ++i)
    in[i] = float(i);
  std::ostringstream text;
  engine.connectStream("in", in.data());
  engine.setPrintTensorStream(text);
  engine.load(device);
  engine.run();
  text << ::testing::PrintToString(read<float>(engine, "x", 12));
  return text.str();
}

Executable compileEverything(Graph& graph) {
  addCodelets(graph);
  return compileGraph(graph, {everything(graph)});
}

TEST(Executable, RunsAfterSerialisationWithoutItsGraph) {
  std::stringstream file;
  std::string expected;
  Device device = makeDevice();
  {
    Graph graph(device);
    Executable executable = compileEverything(graph);
    executable.serialize(file);
    Engine direct(std::move(executable));
    expected = runEverything(direct, device);
  }
  Engine engine(Executable::deserialize(file));
  EXPECT_EQ(runEverything(engine, device), expected);
}

TEST(Executable, KeepsTheNamesOfVariables) {
  const OptionFlags partly{{"ipumodel.partlyUsed", "x"}};
  std::stringstream file;
  Device device = makeDevice();
  Graph graph(device);
  Executable executable = compileEverything(graph);
  executable.serialize(file);
  for (int i = 0; i < 100; ++i) // the graph's own names move
    graph.addVariable(FLOAT, {1}, "later");
  Engine direct(std::move(executable), partly);
  const std::string expected = runEverything(direct, device);
  Engine engine(Executable::deserialize(file), partly);
  EXPECT_EQ(runEverything(engine, device), expected);
}

TEST(Executable, RejectsWhatItDidNotWrite) {
  std::stringstream empty, text("this is a text file"), cut;
  EXPECT_THROW(Executable::deserialize(empty), poplar_error);
  EXPECT_THROW(Executable::deserialize(text), poplar_error);
  Device device = makeDevice();
  Graph graph(device);
  std::stringstream whole;
  compileEverything(graph).serialize(whole);
  const std::string bytes = whole.str();
  cut.str(bytes.substr(0, bytes.size() / 2));
  EXPECT_THROW(Executable::deserialize(cut), poplar_error);
}

TEST(Engine, OutlivesItsGraphAndMoves) {
  Device device = makeDevice();
  std::unique_ptr<Engine> engine;
  {
    Graph graph(device);
    addCodelets(graph);
    Sequence prog = everything(graph);
    engine.reset(new Engine(std::move(graph), prog, {{"debug.instrument", "true"}}));
  }
  Engine moved(std::move(*engine));
  engine.reset();
  EXPECT_NE(runEverything(moved, device).find("16.000000"), std::string::npos);
}

TEST(Engine, LoadPutsVariablesBack) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  Tensor x = variable(graph, FLOAT, {2}, "x");
  graph.setInitialValue(x, ArrayRef<float>(std::vector<float>{1, 2}));
  graph.createHostRead("x", x);
  Engine engine(graph, Execute(addOne(graph, x)));
  engine.loadAndRun(device);
  engine.run();
  EXPECT_EQ(read<float>(engine, "x", 2), (std::vector<float>{3, 4}));
  engine.load(device);
  EXPECT_EQ(read<float>(engine, "x", 2), (std::vector<float>{1, 2}));
}

TEST(Engine, ChecksHandlesAndSizes) {
  Device device = makeDevice();
  Graph graph(device);
  Tensor x = variable(graph, FLOAT, {2}, "x");
  graph.createHostRead("x", x);
  Engine engine(graph, Sequence());
  float values[3];
  EXPECT_THROW(engine.run(), poplar_error);
  engine.load(device);
  EXPECT_THROW(engine.readTensor("x", values, values + 3), stream_connection_error);
  EXPECT_THROW(engine.readTensor("y", values, values + 2), stream_connection_error);
  EXPECT_THROW(engine.writeTensor("x", values, values + 2), stream_connection_error);
}

TEST(Engine, WritesTheHostsTimeByStep) {
  const std::string file = ::testing::TempDir() + "engineTimes.json";
  {
    Device device = makeDevice();
    Graph graph(device);
    Tensor x = graph.addVariable(FLOAT, {4}, "x"), y = graph.addVariable(FLOAT, {4}, "y");
    graph.setTileMapping(x, 0);
    graph.setTileMapping(y, 1);
    Engine engine(graph, Repeat(3, Copy(x, y, false, {"moveIt"})), {{"ipumodel.timesFile", file}});
    engine.load(device);
    engine.run();
  }
  std::ifstream in(file);
  const nlohmann::json times = nlohmann::json::parse(in);
  std::filesystem::remove(file);
  const auto step = std::find_if(times.begin(), times.end(),
                                 [](const auto& entry) { return entry["name"] == "moveIt"; });
  ASSERT_NE(step, times.end());
  EXPECT_EQ((*step)["runs"], 3);
  EXPECT_GT((*step)["seconds"].get<double>(), 0.0);
}

TEST(Engine, RejectsUnknownOptionsAndValues) {
  Device device = makeDevice();
  Graph graph(device);
  EXPECT_NO_THROW(Engine(graph, Sequence(), {{"debug.nanOverflowMode", "true"}}));
  EXPECT_THROW(Engine(graph, Sequence(), {{"debug.noSuchOption", "true"}}), invalid_option);
  EXPECT_THROW(Engine(graph, Sequence(), {{"ipumodel.numThreads", "0"}}), invalid_option);
  EXPECT_THROW(Engine(graph, Sequence(), {{"ipumodel.account", "maybe"}}), invalid_option);
  EXPECT_NO_THROW(Engine(graph, Sequence(),
                         {{"target.syncReplicasIndependently", "true"},
                          {"autoReport.directory", "."},
                          {"opt.enableMultiAccessCopies", "false"}}));
}

TEST(Engine, TakesOptionsFromTheEnvironment) {
  Device device = makeDevice();
  Graph graph(device);
  {
    Environment options("POPLAR_ENGINE_OPTIONS", R"({"debug.instrument": "true"})");
    Engine engine(graph, Sequence(), {{"debug.instrument", "false"}});
    EXPECT_EQ(engine.getEngineOptions().at("debug.instrument").cloneAsString(), "true");
  }
  Environment options("POPLAR_ENGINE_OPTIONS", R"({"debug.nonsense": "true"})");
  EXPECT_THROW(Engine(graph, Sequence()), invalid_option);
}

TEST(Engine, RaisesWhenATileOverflowsOnAnIpuOnly) {
  const auto compileFor = [](const Target& target, const OptionFlags& options) {
    Graph graph(target);
    Tensor x = variable(graph, FLOAT, {200'000}, "x"); // 800,000 bytes on a tile of 638,976
    Tensor y = variable(graph, FLOAT, {200'000}, "y", 1);
    compileGraph(graph, {Copy(x, y)}, options);
  };
  const Target ipu = Target::createIPUTarget(1, 4, "ipu2");
  EXPECT_THROW(compileFor(ipu, {}), graph_memory_allocation_error);
  EXPECT_NO_THROW(compileFor(ipu, {{"debug.allowOutOfMemory", "true"}}));
  EXPECT_NO_THROW(compileFor(makeDevice().getTarget(), {}));
}

TEST(Engine, ReportsProgress) {
  Device device = makeDevice();
  Graph graph(device);
  int last = -1, total = 0;
  Engine engine(graph, Sequence(), {}, [&](int done, int all) {
    EXPECT_GE(done, last);
    last = done;
    total = all;
  });
  EXPECT_EQ(last, total);
}

TEST(Engine, StopsWhenAskedToFromACallback) {
  Device device = makeDevice();
  Graph graph(device);
  Tensor x = variable(graph, FLOAT, {1}, "x");
  DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, 1);
  Engine engine(graph, Repeat(1'000'000, Copy(x, out)));
  int calls = 0;
  engine.connectStreamToCallback("out", [&](void*) {
    if (++calls == 3)
      engine.stop();
  });
  engine.load(device);
  engine.run();
  EXPECT_EQ(calls, 3);
  engine.stop();
  calls = 1;
  engine.run(); // runs again after a stop
  EXPECT_EQ(calls, 3);
}

TEST(Engine, ALoopEndsOnlyWhenItIsStopped) {
  Device device = makeDevice();
  Graph graph(device);
  Tensor x = variable(graph, FLOAT, {1}, "x");
  DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, 1);
  Engine engine(graph, Loop(Copy(x, out), "forever"));
  int calls = 0;
  engine.connectStreamToCallback("out", [&](void*) {
    if (++calls == 1000)
      engine.stop();
  });
  engine.load(device);
  engine.run();
  EXPECT_EQ(calls, 1000);
}

TEST(Engine, RunsFromSeveralThreadsOnSeparateEngines) {
  Device device = makeDevice();
  Graph graph(device);
  addCodelets(graph);
  Tensor x = variable(graph, FLOAT, {64}, "x");
  graph.createHostRead("x", x);
  Executable executable = compileGraph(graph, {Repeat(200, Execute(addOne(graph, x)))});
  std::vector<std::vector<float>> results(3);
  std::vector<std::thread> threads;
  for (auto& result : results)
    threads.emplace_back([&] {
      Engine engine(executable);
      engine.load(device);
      engine.run();
      result = read<float>(engine, "x", 64);
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const auto& result : results)
    EXPECT_EQ(result, std::vector<float>(64, 200.0f));
}

// Many vertices of two types with uneven work, in a loop with copies between.
std::vector<float> unevenWork(const char* numThreads) {
  Device device = makeDevice(37);
  Graph graph(device);
  addCodelets(graph);
  const std::size_t rows = 300, columns = 1200;
  Tensor x = graph.addVariable(FLOAT, {rows, columns}, "x");
  Tensor y = graph.addVariable(FLOAT, {rows, columns}, "y");
  Tensor a = graph.addConstant(FLOAT, {}, 0.37f);
  graph.setTileMapping(a, 5);
  std::mt19937 random(7);
  std::vector<float> initial(rows * columns);
  for (float& value : initial)
    value = float(random() % 1000) / 999.0f;
  graph.setInitialValue(x, ArrayRef<float>(initial));
  graph.setInitialValue(y, ArrayRef<float>(initial));
  ComputeSet cs = graph.addComputeSet("work");
  for (std::size_t r = 0; r < rows; ++r) {
    const unsigned tile = unsigned(random() % 37);
    graph.setTileMapping(x[r], tile);
    graph.setTileMapping(y[r], tile);
    const std::size_t n = 1 + random() % columns;
    VertexRef v =
        graph.addVertex(cs, "Axpy", {{"x", x[r].slice(0, n)}, {"a", a}, {"y", y[r].slice(0, n)}});
    graph.setTileMapping(v, tile);
    if (n < columns) {
      VertexRef w = graph.addVertex(cs, "AddOne", {{"x", y[r][n]}});
      graph.setTileMapping(w, tile);
    }
  }
  graph.createHostRead("y", y);
  Engine engine(graph, Repeat(20, Sequence{Execute(cs), Copy(y.reverse(0), x)}),
                {{"ipumodel.numThreads", numThreads}});
  engine.load(device);
  engine.run();
  return read<float>(engine, "y", rows * columns);
}

TEST(Engine, GivesTheSameBitsForAnyNumberOfThreads) {
  const std::vector<float> one = unevenWork("1");
  for (const char* threads : {"2", "3"}) {
    const std::vector<float> many = unevenWork(threads);
    EXPECT_EQ(std::memcmp(one.data(), many.data(), one.size() * sizeof(float)), 0)
        << threads << " threads";
  }
}

TEST(Engine, AccountingDoesNotChangeResults) {
  std::string results[2];
  for (int i = 0; i < 2; ++i) {
    Device device = makeDevice();
    Graph graph(device);
    addCodelets(graph);
    Engine engine(graph, everything(graph), {{"ipumodel.account", i ? "true" : "false"}});
    results[i] = runEverything(engine, device);
  }
  EXPECT_EQ(results[0], results[1]);
}

} // namespace
