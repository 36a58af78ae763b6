// Streams, remote buffers and host functions.
#include "Codelets.hpp"

#include <poplar/exceptions.hpp>

#include <gtest/gtest.h>

using namespace poplar;
using namespace poplar::program;
using namespace enginetest;

namespace {

// in -> x -> AddOne -> out, as many times as asked.
struct Echo {
  Echo(unsigned times, OptionFlags options = {})
      : device(makeDevice()), graph(device), engine(nullptr) {
    addCodelets(graph);
    Tensor x = variable(graph, FLOAT, {4}, "x");
    in = graph.addHostToDeviceFIFO("in", FLOAT, 4);
    out = graph.addDeviceToHostFIFO("out", FLOAT, 4);
    Sequence body{Copy(in, x), Execute(addOne(graph, x)), Copy(x, out)};
    engine.reset(new Engine(graph, Repeat(times, body), options));
  }
  Device device;
  Graph graph;
  DataStream in, out;
  std::unique_ptr<Engine> engine;
};

TEST(Stream, WrapsAroundCircularBuffers) {
  Echo echo(5);
  std::vector<float> in{0, 1, 2, 3, 10, 11, 12, 13};
  std::vector<float> out(12, -1.0f);
  echo.engine->connectStream("in", in.data(), in.data() + in.size());
  echo.engine->connectStream("out", out.data(), out.data() + out.size());
  echo.engine->load(echo.device);
  echo.engine->run();
  // Transfers 4 and 5 land on the places of 1 and 2.
  EXPECT_EQ(out, (std::vector<float>{11, 12, 13, 14, 1, 2, 3, 4, 1, 2, 3, 4}));
}

TEST(Stream, ReadsASinglePointerAgainAndAgain) {
  Echo echo(3);
  std::vector<float> in{5, 6, 7, 8}, out(4);
  echo.engine->load(echo.device);
  echo.engine->connectStream("in", in.data());
  echo.engine->connectStream("out", out.data());
  echo.engine->run();
  EXPECT_EQ(out, (std::vector<float>{6, 7, 8, 9}));
  in[0] = 50;
  echo.engine->run();
  EXPECT_EQ(out[0], 51);
}

TEST(Stream, TakesArrayRefs) {
  Echo echo(1);
  std::vector<float> in{1, 2, 3, 4}, out(4);
  echo.engine->connectStream<float>("in", in);
  echo.engine->connectStream<float>("out", out);
  echo.engine->load(echo.device);
  echo.engine->run();
  EXPECT_EQ(out, (std::vector<float>{2, 3, 4, 5}));
}

TEST(Stream, IsConnectedByItselfAsByItsHandle) {
  Echo echo(1);
  std::vector<float> in{1, 2, 3, 4}, out(4);
  echo.engine->connectStream(echo.in, in.data(), in.data() + in.size());
  echo.engine->connectStreamToCallback(
      echo.out, [&](void* p) { std::copy_n(static_cast<float*>(p), 4, out.begin()); });
  echo.engine->load(echo.device);
  echo.engine->run();
  EXPECT_EQ(out, (std::vector<float>{2, 3, 4, 5}));
  echo.engine->connectStream(echo.out, in.data());
  echo.engine->run();
  EXPECT_EQ(in, (std::vector<float>{2, 3, 4, 5}));
}

TEST(Stream, CallsFunctions) {
  Echo echo(3);
  float next = 0;
  std::vector<float> seen;
  echo.engine->connectStreamToCallback("in", [&](void* p) {
    for (int i = 0; i < 4; ++i)
      static_cast<float*>(p)[i] = next++;
  });
  echo.engine->connectStreamToCallback("out", [&](void* p) {
    seen.insert(seen.end(), static_cast<float*>(p), static_cast<float*>(p) + 4);
  });
  echo.engine->load(echo.device);
  echo.engine->run();
  EXPECT_EQ(seen, (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

class Recorder final : public StreamCallback {
public:
  explicit Recorder(std::string& log) : log_(log) {}
  Result prefetch(void*) override {
    log_ += 'p';
    return Result::Success;
  }
  void fetch(void*) override { log_ += 'f'; }
  void complete() override { log_ += 'c'; }
  void invalidatePrefetched() override { log_ += 'i'; }

private:
  std::string& log_;
};

TEST(Stream, CallsFetchAndCompleteAndPrefetchesOnlyWhenAsked) {
  const auto log = [](const char* prefetch) {
    std::string text;
    std::vector<float> out(4);
    {
      Echo echo(3, {{"exchange.enablePrefetch", prefetch}});
      echo.engine->connectStreamToCallback("in", std::unique_ptr<Recorder>(new Recorder(text)));
      echo.engine->connectStream("out", out.data());
      echo.engine->load(echo.device);
      echo.engine->run();
    }
    return text;
  };
  EXPECT_EQ(log("false"), "fcfcfc");
  EXPECT_EQ(log("true"), "fcpcpcpi");
}

TEST(Stream, CallbacksOfTheOldKindOnlyFetch) {
  class Counter : public LegacyStreamCallback {
  public:
    explicit Counter(unsigned& calls) : calls_(calls) {}
    void fetch(void*) override { ++calls_; }

  private:
    unsigned& calls_;
  };
  unsigned calls = 0;
  std::vector<float> out(4);
  Echo echo(3, {{"exchange.enablePrefetch", "true"}});
  echo.engine->connectStreamToCallback("in", 0, std::unique_ptr<Counter>(new Counter(calls)));
  echo.engine->connectStream("out", out.data());
  echo.engine->load(echo.device);
  echo.engine->run();
  EXPECT_EQ(calls, 3u);
}

TEST(Stream, IsAnErrorWhenNotConnected) {
  Echo echo(1);
  std::vector<float> in(4);
  echo.engine->connectStream("in", in.data());
  echo.engine->load(echo.device);
  EXPECT_THROW(echo.engine->run(), stream_connection_error);
  EXPECT_THROW(echo.engine->connectStream("nothing", in.data()), stream_connection_error);
  EXPECT_THROW(echo.engine->connectStream("in", in.data(), in.data() + 3), stream_connection_error);
}

TEST(Stream, ListsItsHandles) {
  Echo echo(1);
  EXPECT_EQ(echo.engine->listStreams(), (std::vector<std::string>{"in", "out"}));
}

class RemoteTest : public ::testing::Test {
protected:
  RemoteTest() : device(makeDevice()), graph(device) {
    buffer = graph.addRemoteBuffer("spill", FLOAT, 4, 8);
    x = variable(graph, FLOAT, {4}, "x");
    graph.createHostRead("x", x);
    graph.createHostWrite("x", x);
    row = variable(graph, INT, {1}, "row");
    graph.createHostWrite("row", row);
  }

  void setRow(Engine& engine, int value) { engine.writeTensor("row", &value, &value + 1); }

  Device device;
  Graph graph;
  RemoteBuffer buffer;
  Tensor x, row;
};

TEST_F(RemoteTest, CopiesTheRowTheOffsetNames) {
  Engine engine(graph, {Copy(x, buffer, row), Copy(buffer, x, row)});
  engine.load(device);
  for (int r = 0; r < 8; ++r) {
    std::vector<float> values(4, float(r));
    engine.writeTensor("x", values.data(), values.data() + 4);
    setRow(engine, r);
    engine.run(0);
  }
  setRow(engine, 3);
  engine.run(1);
  EXPECT_EQ(read<float>(engine, "x", 4), std::vector<float>(4, 3.0f));
  std::vector<float> fromHost(4);
  engine.copyFromRemoteBuffer("spill", fromHost.data(), 6);
  EXPECT_EQ(fromHost, std::vector<float>(4, 6.0f));
}

TEST_F(RemoteTest, CopiesSeveralRowsAtOnce) {
  Tensor rows = variable(graph, UNSIGNED_INT, {3}, "rows");
  graph.setInitialValue(rows, ArrayRef<unsigned>(std::vector<unsigned>{7, 0, 2}));
  Tensor y = variable(graph, FLOAT, {3, 4}, "y");
  graph.createHostRead("y", y);
  Engine engine(graph, Copy(buffer, y, rows));
  for (unsigned r = 0; r < 8; ++r) {
    std::vector<float> values(4, float(r));
    engine.copyToRemoteBuffer(values.data(), "spill", r); // before load
  }
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<float>(engine, "y", 12), (std::vector<float>{7, 7, 7, 7, 0, 0, 0, 0, 2, 2, 2, 2}));
}

TEST_F(RemoteTest, RejectsRowsOutOfRange) {
  Engine engine(graph, Copy(buffer, x, row));
  engine.load(device);
  setRow(engine, 8);
  EXPECT_THROW(engine.run(), application_runtime_error);
  setRow(engine, -1);
  EXPECT_THROW(engine.run(), application_runtime_error);
  float values[4];
  EXPECT_THROW(engine.copyFromRemoteBuffer("spill", values, 8), stream_connection_error);
  EXPECT_THROW(engine.copyFromRemoteBuffer("other", values, 0), stream_connection_error);
}

TEST(HostFunction, TakesInputsAndGivesOutputs) {
  Device device = makeDevice();
  Graph graph(device);
  Tensor a = variable(graph, FLOAT, {2, 2}, "a");
  graph.setInitialValue(a, ArrayRef<float>(std::vector<float>{1, 2, 3, 4}));
  Tensor b = variable(graph, INT, {2}, "b");
  graph.createHostRead("b", b);
  HostFunction f = graph.addHostFunction("f", {{FLOAT, 4}}, {{INT, 2}});
  Engine engine(graph, Call(f, {a.transpose()}, {b}));
  engine.load(device);
  EXPECT_THROW(engine.run(), stream_connection_error);
  engine.connectHostFunction("f", 0, [](ArrayRef<const void*> in, ArrayRef<void*> out) {
    const float* x = static_cast<const float*>(in[0]);
    static_cast<int*>(out[0])[0] = int(x[0] + 10 * x[1]); // 1 + 10*3
    static_cast<int*>(out[0])[1] = int(x[2] + 10 * x[3]); // 2 + 10*4
  });
  engine.run();
  EXPECT_EQ(read<int>(engine, "b", 2), (std::vector<int>{31, 42}));
}

} // namespace
