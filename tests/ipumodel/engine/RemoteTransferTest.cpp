// Remote buffers in memory and in files, with transfers that are waited for and that are not.
#include "Codelets.hpp"

#include <poplar/exceptions.hpp>

#include <gtest/gtest.h>

#include <ipumodel/TransferStalls.hpp>

#include <filesystem>

using namespace poplar;
using namespace poplar::program;
using namespace enginetest;

namespace {

constexpr std::size_t kSize = 1000;

OptionFlags options(bool overlap, const std::string& folder) {
  OptionFlags flags;
  flags.set("ipumodel.overlapRemote", overlap ? "true" : "false");
  flags.set("ipumodel.remoteBufferFolder", folder);
  return flags;
}

// Six states of a counter go out and come back in reverse, summed with growing weights: a value
// that arrives late, early or in the wrong order shows. The counter goes on while they travel.
struct Reversal {
  explicit Reversal(bool overlap, const std::string& folder) : device(makeDevice()), graph(device) {
    addCodelets(graph);
    RemoteBuffer buffer = graph.addRemoteBuffer("spill", FLOAT, kSize, 6);
    Tensor x = variable(graph, FLOAT, {kSize}, "x"), back = variable(graph, FLOAT, {kSize}, "back");
    Tensor sum = variable(graph, FLOAT, {kSize}, "sum"),
           scale = variable(graph, FLOAT, {}, "scale");
    Tensor row = variable(graph, INT, {1}, "row");
    graph.createHostRead("sum", sum);
    graph.createHostRead("x", x);
    Tensor rows = graph.addConstant(INT, {6}, std::vector<int>{0, 1, 2, 3, 4, 5}.data());
    graph.setTileMapping(rows, 0);
    const Execute count(addOne(graph, x)), grow(addOne(graph, scale.reshape({1})));
    ComputeSet add = graph.addComputeSet("add");
    VertexRef axpy = graph.addVertex(add, "Axpy", {{"x", back}, {"a", scale}, {"y", sum}});
    graph.setTileMapping(axpy, 0);
    Sequence prog;
    for (unsigned i = 0; i < 6; ++i)
      prog.add(Sequence{count, Copy(rows.slice(i, i + 1), row), Copy(x, buffer, row)});
    for (unsigned i = 6; i-- > 0;)
      prog.add(Sequence{Copy(rows.slice(i, i + 1), row), Copy(buffer, back, row), count, grow,
                        Execute(add)});
    engine = std::make_unique<Engine>(graph, prog, options(overlap, folder));
  }

  Device device;
  Graph graph;
  std::unique_ptr<Engine> engine;
};

TEST(RemoteTransfers, GiveTheSameWhereverRowsLieAndWhetherTheProgramWaits) {
  const std::string folder = std::filesystem::temp_directory_path();
  float expected = 0.0f;
  for (int i = 0; i < 6; ++i)
    expected += float(6 - i) * float(i + 1);
  for (const bool overlap : {false, true}) {
    for (const std::string& where : {std::string(), folder}) {
      Reversal reversal(overlap, where);
      reversal.engine->load(reversal.device);
      reversal.engine->run();
      EXPECT_EQ(read<float>(*reversal.engine, "sum", kSize), std::vector<float>(kSize, expected));
      EXPECT_EQ(read<float>(*reversal.engine, "x", kSize), std::vector<float>(kSize, 12.0f));
      const ipumodel::TransferStalls stalls = ipumodel::transferStalls(*reversal.engine);
      EXPECT_EQ(stalls.numTransfers, 12u);
      EXPECT_GE(stalls.numStalls, overlap ? 0u : 12u);
      EXPECT_LE(stalls.numStalls, 12u);
      std::vector<float> third(kSize);
      reversal.engine->copyFromRemoteBuffer("spill", third.data(), 2);
      EXPECT_EQ(third, std::vector<float>(kSize, 3.0f));
    }
  }
}

// Rows 0 to 3 of what the host put there are added up one after another, up and down again, and the
// row that comes next is written anew just before it is read.
struct Walk {
  explicit Walk(const std::string& folder) : device(makeDevice()), graph(device) {
    addCodelets(graph);
    RemoteBuffer buffer = graph.addRemoteBuffer("spill", FLOAT, kSize, 4);
    Tensor x = variable(graph, FLOAT, {kSize}, "x"), back = variable(graph, FLOAT, {kSize}, "back");
    Tensor sum = variable(graph, FLOAT, {kSize}, "sum"),
           scale = variable(graph, FLOAT, {}, "scale");
    Tensor row = variable(graph, INT, {1}, "row");
    graph.createHostRead("sum", sum);
    Tensor rows = graph.addConstant(INT, {4}, std::vector<int>{0, 1, 2, 3}.data());
    graph.setTileMapping(rows, 0);
    const Execute count(addOne(graph, x)), grow(addOne(graph, scale.reshape({1})));
    ComputeSet add = graph.addComputeSet("add");
    graph.setTileMapping(graph.addVertex(add, "Axpy", {{"x", back}, {"a", scale}, {"y", sum}}), 0);
    const auto at = [&](unsigned i) { return Copy(rows.slice(i, i + 1), row); };
    Sequence prog;
    for (const unsigned i : {0u, 1u, 2u, 3u, 2u, 1u, 0u})
      prog.add(Sequence{at(i), Copy(buffer, back, row), grow, Execute(add),
                        Repeat(500, count)}); // time to read ahead
    prog.add(Sequence{at(1), Copy(buffer, back, row), at(2), Copy(buffer, back, row),
                      Repeat(500, count), at(3), Copy(x, buffer, row), Copy(buffer, back, row),
                      grow, Execute(add)});
    engine = std::make_unique<Engine>(graph, prog, options(true, folder));
    engine->load(device);
  }

  void put(float first) {
    for (unsigned i = 0; i < 4; ++i) {
      std::vector<float> values(kSize, first + float(i));
      engine->copyToRemoteBuffer(values.data(), "spill", i);
    }
  }

  Device device;
  Graph graph;
  std::unique_ptr<Engine> engine;
};

TEST(RemoteTransfers, ReadAheadWhatIsThereWhenItIsAskedFor) {
  for (const std::string& where :
       {std::string(), std::string(std::filesystem::temp_directory_path())}) {
    Walk walk(where);
    float sum = 0.0f, scale = 0.0f, x = 0.0f;
    for (const float first : {10.0f, 20.0f}) {
      walk.put(first);
      walk.engine->run();
      for (const int i : {0, 1, 2, 3, 2, 1, 0})
        sum += ++scale * (first + float(i));
      x += 8 * 500;
      sum += ++scale * x;
      EXPECT_EQ(read<float>(*walk.engine, "sum", kSize), std::vector<float>(kSize, sum));
    }
  }
}

TEST(RemoteTransfers, LeaveNoFileBehind) {
  const auto folder = std::filesystem::temp_directory_path() / "spillway-remote-transfers";
  std::filesystem::create_directories(folder);
  Reversal reversal(true, folder);
  reversal.engine->load(reversal.device);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST(RemoteTransfers, SayWhichBufferFindsNoRoom) {
  Reversal reversal(false, "/nowhere");
  try {
    reversal.engine->load(reversal.device);
    FAIL() << "a folder that does not exist";
  } catch (const system_runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("'spill' in /nowhere"), std::string::npos)
        << error.what();
  }
  Device device = makeDevice();
  Graph graph(device);
  Tensor x = variable(graph, FLOAT, {4}, "x");
  RemoteBuffer buffer = graph.addRemoteBuffer("vast", FLOAT, 4, std::size_t{1} << 56);
  Tensor row = variable(graph, INT, {1}, "row");
  Engine engine(graph, Copy(x, buffer, row),
                options(false, std::filesystem::temp_directory_path()));
  EXPECT_THROW(engine.load(device), system_runtime_error);
}

} // namespace
