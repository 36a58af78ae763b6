// A Poplar program as PopRun starts it: a graph with a global number of replicas, of which each
// process runs its share on its own device. Run by mpirun -n N, or alone, with replicas a process
// as argument; exit code 0 if every collective gives what one process alone would.
#include <gcl/Collectives.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>
#include <popops/codelets.hpp>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kSize = 6;

float valueOf(std::size_t replica, std::size_t i) {
  return static_cast<float>(i) + 100.0f * static_cast<float>(replica);
}

std::vector<float> valuesOf(std::size_t replica, std::size_t size) {
  std::vector<float> values(size);
  for (std::size_t i = 0; i < size; ++i)
    values[i] = valueOf(replica, i);
  return values;
}

// A whole number; none where the text is something else.
std::optional<unsigned> numberIn(const char* text) {
  char* end = nullptr;
  const unsigned long number = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || number > 1000)
    return std::nullopt;
  return static_cast<unsigned>(number);
}

// Of Open MPI's mpirun; without one, `alone`.
unsigned fromLauncher(const char* name, unsigned alone) {
  const char* value = std::getenv(name);
  if (value == nullptr)
    return alone;
  if (const auto number = numberIn(value))
    return *number;
  std::cerr << name << " = " << value << ": not a number of processes\n";
  std::exit(2);
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
  const unsigned here = numberIn(argc > 1 ? argv[1] : "1").value_or(0);
  if (here == 0) {
    std::cerr << "usage: distributed_collectives [replicas a process, at least 1]\n";
    return 2;
  }
  const unsigned numProcesses = fromLauncher("OMPI_COMM_WORLD_SIZE", 1);
  const unsigned process = fromLauncher("OMPI_COMM_WORLD_RANK", 0);
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
  // Row r of what a replica sends goes to replica r: a pair of floats each.
  const poplar::Tensor rows = graph.addVariable(poplar::FLOAT, {all, 2}, "rows");
  for (unsigned r = 0; r < all; ++r)
    graph.setTileMapping(rows[r], r % 4);
  graph.createHostWrite("rows", rows);
  graph.createHostRead("sent", gcl::allToAllCrossReplica(graph, rows, prog));
  const poplar::Tensor index = graph.addReplicationIndexConstant();
  graph.setTileMapping(index, 0);
  graph.createHostRead("index", index);

  // As frameworks tell an engine which replicas are its own; a wrong answer is refused.
  const auto options = [&](unsigned first) {
    return poplar::OptionFlags{{"target.syncReplicasIndependently", "true"},
                               {"target.firstRuntimeReplica", std::to_string(first)},
                               {"target.numberRuntimeReplica", std::to_string(here)}};
  };
  try {
    poplar::Engine mistaken(graph, prog, options(process * here + 1));
    mistaken.load(deviceOf(here));
    std::cerr << "replicas of another process were taken for one's own\n";
    return 1;
  } catch (const poplar::poplar_error&) {
  }
  poplar::Engine engine(graph, prog, options(process * here));
  engine.load(deviceOf(here));
  std::vector<float> mine, mineInRows;
  for (unsigned r = 0; r < here; ++r) {
    for (const float value : valuesOf(process * here + r, kSize))
      mine.push_back(value);
    for (const float value : valuesOf(process * here + r, 2 * std::size_t{all}))
      mineInRows.push_back(value);
  }
  engine.writeTensor("data", mine.data(), mine.data() + mine.size());
  engine.writeTensor("rows", mineInRows.data(), mineInRows.data() + mineInRows.size());
  engine.run();

  std::vector<float> sum(kSize * here), gathered(kSize * all * here), sent(mineInRows.size());
  std::vector<float> expectedSum, expectedAll, expectedSent;
  std::vector<unsigned> indices(here);
  engine.readTensor("sum", sum.data(), sum.data() + sum.size());
  engine.readTensor("all", gathered.data(), gathered.data() + gathered.size());
  engine.readTensor("sent", sent.data(), sent.data() + sent.size());
  engine.readTensor("index", indices.data(), indices.data() + indices.size());
  bool good = true;
  for (unsigned r = 0; r < here; ++r) {
    const unsigned replica = process * here + r;
    good = good && indices[r] == replica;
    std::vector<float> total(kSize, 0.0f);
    for (unsigned other = 0; other < all; ++other) {
      const std::vector<float> values = valuesOf(other, kSize);
      expectedAll.insert(expectedAll.end(), values.begin(), values.end());
      for (std::size_t i = 0; i < kSize; ++i)
        total[i] += values[i];
      for (std::size_t i = 0; i < 2; ++i)
        expectedSent.push_back(valueOf(other, 2 * std::size_t{replica} + i));
    }
    expectedSum.insert(expectedSum.end(), total.begin(), total.end());
  }
  good = same("allReduce", sum, expectedSum) && same("allGather", gathered, expectedAll) &&
         same("allToAll", sent, expectedSent) && good;
  return good ? 0 : 1;
}
