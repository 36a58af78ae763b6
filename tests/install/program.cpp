// A program in the manner of the tutorials: doubles four numbers and prints them.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

#include <iostream>

using namespace poplar;
using namespace poplar::program;

static void run(const char* codelets) {
  IPUModel ipuModel;
  Device device = ipuModel.createDevice();
  Graph graph(device.getTarget());
  graph.addCodelets(codelets);
  Tensor x = graph.addConstant<float>(FLOAT, {4}, {1, 2, 3, 4});
  Tensor y = graph.addVariable(FLOAT, {4}, "y");
  graph.setTileMapping(x, 0);
  graph.setTileMapping(y, 1);
  ComputeSet set = graph.addComputeSet("double");
  VertexRef vertex = graph.addVertex(set, "Double", {{"in", x}, {"out", y}});
  graph.setTileMapping(vertex, 1);
  graph.createHostRead("y", y);
  Engine engine(graph, Execute(set));
  engine.load(device);
  engine.run();
  float result[4];
  engine.readTensor("y", result, result + 4);
  // Standard containers that programs use without including them.
  if (std::unordered_set<float>(result, result + 4).size() != 4)
    std::cout << "equal numbers ";
  for (float value : result)
    std::cout << value << ' ';
  std::cout << std::endl;
}

int main(int, char** argv) {
  try {
    run(argv[1]);
  } catch (const poplar_error& error) {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
