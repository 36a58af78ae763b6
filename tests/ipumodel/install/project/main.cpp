// Doubles four numbers on the model; argv[1] is the codelet file, source or compiled.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

using namespace poplar;
using namespace poplar::program;

int main(int, char** argv) {
  IPUModel model;
  Device device = model.createDevice();
  Graph graph(device.getTarget());
  graph.addCodelets(argv[1]);
  Tensor in = graph.addVariable(FLOAT, {4}, "in");
  Tensor out = graph.addVariable(FLOAT, {4}, "out");
  graph.setTileMapping(in, 0);
  graph.setTileMapping(out, 1);
  graph.createHostWrite("in", in);
  graph.createHostRead("out", out);
  ComputeSet cs = graph.addComputeSet("twice");
  VertexRef v = graph.addVertex(cs, "Twice", {{"in", in}, {"out", out}});
  graph.setTileMapping(v, 0);
  graph.setPerfEstimate(v, 20);

  Engine engine(graph, Sequence(Execute(cs), PrintTensor("out", out)));
  engine.load(device);
  std::vector<float> values = {1, 2, 3, 4};
  engine.writeTensor("in", values.data(), values.data() + values.size());
  engine.run(0);
  engine.readTensor("out", values.data(), values.data() + values.size());
  for (unsigned i = 0; i < 4; ++i)
    if (values[i] != 2.0f * static_cast<float>(i + 1))
      return 1;
  return 0;
}
