// A graph for tests, on a small IPU Model, with vertices for every kind of field.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>
#include <poplar/exceptions.hpp>

#include <sstream>
#include <string>

inline constexpr const char* kTestCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Scale : public Vertex {
public:
  Input<Vector<float>> in;
  Output<Vector<float>> out;
  float factor;
  bool compute() {
    for (unsigned i = 0; i < in.size(); ++i)
      out[i] = in[i] * factor;
    return true;
  }
};
class AddOne : public Vertex {
public:
  InOut<float> x;
  bool compute() {
    *x = *x + 1;
    return true;
  }
};
class ScalarSum : public Vertex {
public:
  Input<float> a;
  Input<float> b;
  Output<float> sum;
  bool compute() {
    *sum = *a + *b;
    return true;
  }
};
class ListSum : public Vertex {
public:
  Vector<Input<Vector<float>>> in;
  Output<float> sum;
  Vector<unsigned> weights;
  bool compute() {
    float s = 0;
    for (unsigned i = 0; i < in.size(); ++i)
      for (unsigned j = 0; j < in[i].size(); ++j)
        s += in[i][j] * weights[i];
    *sum = s;
    return true;
  }
};
class Lookup : public Vertex {
public:
  Input<int> first;
  Input<Vector<unsigned short, VectorLayout::ONE_PTR>> ends;
  Input<VectorList<unsigned short, VectorListLayout::DELTAN>> rows;
  Output<float> out;
  bool compute() { return true; }
};
)";

// An ipu2 model with `tilesPerIPU` tiles on each of `numIPUs` IPUs.
inline poplar::Target testTarget(unsigned tilesPerIPU = 4, unsigned numIPUs = 1) {
  poplar::IPUModel model("ipu2");
  model.numIPUs = numIPUs;
  model.tilesPerIPU = tilesPerIPU;
  return model.createDevice().getTarget();
}

inline poplar::Graph testGraph(unsigned tilesPerIPU = 4, unsigned numIPUs = 1) {
  poplar::Graph graph(testTarget(tilesPerIPU, numIPUs));
  std::stringstream codelets(kTestCodelets);
  graph.addCodelets(codelets);
  return graph;
}

// The message of the exception of that class which f throws; empty if it throws none.
template <class Exception, class F>
std::string messageOf(F f) {
  try {
    f();
  } catch (const Exception& e) {
    return e.what();
  }
  return "";
}
