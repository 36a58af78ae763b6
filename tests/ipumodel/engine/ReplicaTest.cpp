// Replicated graphs: each replica has its own memory, and they meet where they exchange.
#include "Codelets.hpp"

#include <poplar/exceptions.hpp>

#include <gtest/gtest.h>

using namespace poplar;
using namespace poplar::program;
using namespace enginetest;

namespace {

constexpr unsigned kReplicas = 4;

class ReplicaTest : public ::testing::Test {
protected:
  ReplicaTest() : device(makeDevice(2, kReplicas)), graph(device, replication_factor(kReplicas)) {
    addCodelets(graph);
    x = variable(graph, FLOAT, {2}, "x");
    graph.createHostRead("x", x);
    graph.createHostWrite("x", x);
  }
  Device device;
  Graph graph;
  Tensor x;
};

TEST_F(ReplicaTest, TargetIsThatOfOneReplica) {
  EXPECT_EQ(graph.getReplicationFactor(), kReplicas);
  EXPECT_EQ(graph.getTarget().getNumIPUs(), 1u);
  EXPECT_EQ(graph.getTarget().getNumTiles(), 2u);
}

TEST_F(ReplicaTest, TensorsAreReadAndWrittenReplicaAfterReplica) {
  Engine engine(graph, Execute(addOne(graph, x)));
  engine.load(device);
  std::vector<float> values{0, 1, 10, 11, 20, 21, 30, 31};
  engine.writeTensor("x", values.data(), values.data() + values.size());
  engine.run();
  for (float& value : values)
    value += 1;
  EXPECT_EQ(read<float>(engine, "x", 8), values);
}

TEST_F(ReplicaTest, AreMadeOfAWholeGraphThatIsEmpty) {
  Graph whole(device);
  addCodelets(whole);
  Graph replicated = whole.createReplicatedGraph(kReplicas);
  Tensor y = variable(replicated, FLOAT, {2}, "y");
  replicated.createHostRead("y", y);
  replicated.createHostWrite("y", y);
  Engine engine(whole, Execute(addOne(replicated, y)));
  engine.load(device);
  std::vector<float> values{0, 1, 10, 11, 20, 21, 30, 31};
  engine.writeTensor("y", values.data(), values.data() + values.size());
  engine.run();
  EXPECT_EQ(read<float>(engine, "y", 8), (std::vector<float>{1, 2, 11, 12, 21, 22, 31, 32}));
}

TEST_F(ReplicaTest, EveryReplicaKnowsItsIndex) {
  Tensor index = graph.addReplicationIndexConstant();
  graph.setTileMapping(index, 0);
  Tensor copy = variable(graph, UNSIGNED_INT, {}, "copy");
  graph.createHostRead("index", copy);
  Engine engine(graph, Copy(index, copy));
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<unsigned>(engine, "index", kReplicas), (std::vector<unsigned>{0, 1, 2, 3}));
}

TEST_F(ReplicaTest, CrossReplicaCopyReadsAllSourcesFirst) {
  Sequence prog;
  prog.add(Repeat(3, CrossReplicaCopy(x, x, {{0, 1}, {1, 2}, {2, 3}, {3, 0}})));
  Engine engine(graph, prog);
  engine.load(device);
  std::vector<float> values{0, 1, 10, 11, 20, 21, 30, 31};
  engine.writeTensor("x", values.data(), values.data() + values.size());
  engine.run();
  EXPECT_EQ(read<float>(engine, "x", 8), (std::vector<float>{10, 11, 20, 21, 30, 31, 0, 1}));
}

TEST_F(ReplicaTest, ReplicatedStreamsServeEveryReplica) {
  DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 2);
  DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, 2);
  Engine engine(graph, Repeat(2, Sequence{Copy(in, x), Execute(addOne(graph, x)), Copy(x, out)}));
  std::vector<float> from(16), to(16), expected(16);
  for (std::size_t i = 0; i < 16; ++i) {
    from[i] = float(i);
    expected[i] = float(i + 1);
  }
  engine.connectStream("in", from.data(), from.data() + 16);
  engine.connectStream("out", to.data(), to.data() + 16);
  engine.load(device);
  engine.run();
  EXPECT_EQ(to, expected);
}

TEST_F(ReplicaTest, CallbacksAreConnectedPerReplica) {
  DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 2);
  Engine engine(graph, Copy(in, x));
  for (unsigned r = 0; r < kReplicas; ++r)
    engine.connectStreamToCallback("in", r, [r](void* p) {
      static_cast<float*>(p)[0] = float(r);
      static_cast<float*>(p)[1] = float(r) + 0.5f;
    });
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<float>(engine, "x", 8), (std::vector<float>{0, 0.5f, 1, 1.5f, 2, 2.5f, 3, 3.5f}));
  EXPECT_THROW(engine.connectStreamToCallback("in", kReplicas, [](void*) {}),
               stream_connection_error);
}

TEST_F(ReplicaTest, BroadcastStreamsFetchOnceForAll) {
  DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 2, ReplicatedStreamMode::BROADCAST);
  Engine engine(graph, Repeat(3, Copy(in, x)));
  int calls = 0;
  engine.connectStreamToCallback("in", [&](void* p) {
    ++calls;
    static_cast<float*>(p)[0] = static_cast<float*>(p)[1] = float(calls);
  });
  engine.load(device);
  engine.run();
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(read<float>(engine, "x", 8), std::vector<float>(8, 3.0f));
}

TEST_F(ReplicaTest, RemoteBuffersAreSeparate) {
  RemoteBuffer buffer = graph.addRemoteBuffer("spill", FLOAT, 2);
  Engine engine(graph, Copy(x, buffer));
  engine.load(device);
  std::vector<float> values{0, 1, 10, 11, 20, 21, 30, 31};
  engine.writeTensor("x", values.data(), values.data() + values.size());
  engine.run();
  for (unsigned r = 0; r < kReplicas; ++r) {
    std::vector<float> row(2);
    engine.copyFromRemoteBuffer("spill", row.data(), 0, r);
    EXPECT_EQ(row, (std::vector<float>{float(10 * r), float(10 * r + 1)}));
  }
}

TEST_F(ReplicaTest, CpuDevicesReplicateToo) {
  Device cpu = Device::createCPUDevice(2);
  Graph two(cpu, replication_factor(2));
  addCodelets(two);
  Tensor y = variable(two, FLOAT, {1}, "y");
  two.createHostRead("y", y);
  Engine engine(two, Repeat(5, Execute(addOne(two, y))));
  engine.load(cpu);
  engine.run();
  EXPECT_EQ(read<float>(engine, "y", 2), (std::vector<float>{5, 5}));
}

TEST_F(ReplicaTest, NeedsADeviceWithAllReplicas) {
  Engine engine(graph, Sequence());
  EXPECT_THROW(engine.load(makeDevice(2, 1)), poplar_error);
}

} // namespace
