// What codelets learn about their place when an engine runs them.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace poplar;
using namespace poplar::program;

constexpr unsigned kNumTiles = 64, kPerTile = 1024;

struct Result {
  std::vector<float> numbers = std::vector<float>(kNumTiles * kPerTile);
  std::vector<unsigned> tiles = std::vector<unsigned>(kNumTiles);
};

// Runs a vertex on each tile once per run.
std::vector<Result> run(unsigned numRuns, const std::string& numThreads = "2") {
  IPUModel model;
  model.tilesPerIPU = kNumTiles;
  const Device device = model.createDevice();
  Graph graph(device.getTarget());
  std::stringstream codelets(R"(
    #include <poplar/Vertex.hpp>
    #include <ipu_builtins.h>
    struct Noise : poplar::Vertex {
      poplar::Output<poplar::Vector<float>> numbers;
      poplar::Output<unsigned> tile;
      void compute() {
        for (auto& x : numbers) x = __builtin_ipu_f32v2grand()[0];
        *tile = __builtin_ipu_get_tile_id();
      }
    };)");
  graph.addCodelets(codelets);
  const Tensor numbers = graph.addVariable(FLOAT, {kNumTiles, kPerTile}, "numbers");
  const Tensor tiles = graph.addVariable(UNSIGNED_INT, {kNumTiles}, "tiles");
  const ComputeSet set = graph.addComputeSet("noise");
  for (unsigned tile = 0; tile < kNumTiles; ++tile) {
    graph.setTileMapping(numbers[tile], tile);
    graph.setTileMapping(tiles[tile], tile);
    const VertexRef vertex =
        graph.addVertex(set, "Noise", {{"numbers", numbers[tile]}, {"tile", tiles[tile]}});
    graph.setTileMapping(vertex, tile);
  }
  graph.createHostRead("numbers", numbers);
  graph.createHostRead("tiles", tiles);
  Engine engine(graph, Execute(set), {{"ipumodel.numThreads", numThreads}});
  engine.load(device);
  std::vector<Result> results(numRuns);
  for (Result& result : results) {
    engine.run();
    engine.readTensor("numbers", result.numbers.data(),
                      result.numbers.data() + result.numbers.size());
    engine.readTensor("tiles", result.tiles.data(), result.tiles.data() + result.tiles.size());
  }
  return results;
}

TEST(Context, TellsTheTile) {
  const Result result = run(1).front();
  for (unsigned tile = 0; tile < kNumTiles; ++tile)
    EXPECT_EQ(result.tiles[tile], tile);
}

TEST(Context, GivesEachVertexAndExecutionItsOwnNumbers) {
  const std::vector<Result> results = run(4);
  std::set<std::vector<float>> streams;
  for (const Result& result : results)
    for (unsigned tile = 0; tile < kNumTiles; ++tile)
      streams.emplace(result.numbers.begin() + tile * kPerTile,
                      result.numbers.begin() + (tile + 1) * kPerTile);
  EXPECT_EQ(streams.size(), results.size() * kNumTiles);
}

TEST(Context, DoesNotDependOnThreads) {
  const std::vector<Result> one = run(3, "1"), three = run(3, "3");
  for (std::size_t i = 0; i < one.size(); ++i)
    EXPECT_EQ(one[i].numbers, three[i].numbers);
}

} // namespace
