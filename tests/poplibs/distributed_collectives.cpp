// A Poplar program as PopRun starts it: a graph with a global number of replicas, of which each
// process runs its share on its own device. Run by mpirun -n N with replicas a process as argument;
// exit code 0 if every collective gives what one process alone would.
#include <gcl/Collectives.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <popops/codelets.hpp>

#include <cstdlib>
#include <iostream>
#include <vector>

namespace {

constexpr std::size_t kSize = 6;

std::vector<float> valuesOf(std::size_t replica) {
  std::vector<float> values(kSize);
  for (std::size_t i = 0; i < kSize; ++i)
    values[i] = static_cast<float>(i) + 100.0f * static_cast<float>(replica);
  return values;
}

poplar::Device deviceOf(unsigned numIPUs) {
  poplar::IPUModel model;
  model.numIPUs = numIPUs;
  model.tilesPerIPU = 4;
  return model.createDevice();
}

bool same(const char* what, const std::vector<float>& is, const std::vector<float>& expected) {
  if (is == expected)
    return true;
  std::cerr << what << ": wrong values\n";
  return false;
}

} // namespace

int main(int argc, char** argv) {
  const unsigned here = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
  const auto numProcesses = static_cast<unsigned>(std::atoi(std::getenv("OMPI_COMM_WORLD_SIZE")));
  const auto process = static_cast<unsigned>(std::atoi(std::getenv("OMPI_COMM_WORLD_RANK")));
  const unsigned all = here * numProcesses;

  poplar::Graph graph(deviceOf(all).getTarget(), poplar::replication_factor(all));
  popops::addCodelets(graph);
  const poplar::Tensor data = graph.addVariable(poplar::FLOAT, {kSize}, "data");
  for (unsigned tile = 0; tile < 3; ++tile)
    graph.setTileMapping(data.slice(2 * tile, 2 * tile + 2), tile);
  graph.createHostWrite("data", data);
  poplar::program::Sequence prog;
  graph.createHostRead("sum",
                       gcl::allReduceCrossReplica(graph, data, gcl::CollectiveOperator::ADD, prog));
  graph.createHostRead("all", gcl::allGatherCrossReplica(graph, data, prog));
  const poplar::Tensor index = graph.addReplicationIndexConstant();
  graph.setTileMapping(index, 0);
  graph.createHostRead("index", index);

  poplar::Engine engine(graph, prog);
  engine.load(deviceOf(here));
  std::vector<float> mine;
  for (unsigned r = 0; r < here; ++r)
    for (const float value : valuesOf(process * here + r))
      mine.push_back(value);
  engine.writeTensor("data", mine.data(), mine.data() + mine.size());
  engine.run();

  std::vector<float> sum(kSize * here), gathered(kSize * all * here), expectedSum, expectedAll;
  std::vector<unsigned> indices(here);
  engine.readTensor("sum", sum.data(), sum.data() + sum.size());
  engine.readTensor("all", gathered.data(), gathered.data() + gathered.size());
  engine.readTensor("index", indices.data(), indices.data() + indices.size());
  bool good = true;
  for (unsigned r = 0; r < here; ++r) {
    good = good && indices[r] == process * here + r;
    std::vector<float> total(kSize, 0.0f);
    for (unsigned other = 0; other < all; ++other) {
      const std::vector<float> values = valuesOf(other);
      expectedAll.insert(expectedAll.end(), values.begin(), values.end());
      for (std::size_t i = 0; i < kSize; ++i)
        total[i] += values[i];
    }
    expectedSum.insert(expectedSum.end(), total.begin(), total.end());
  }
  good = same("allReduce", sum, expectedSum) && same("allGather", gathered, expectedAll) && good;
  return good ? 0 : 1;
}
