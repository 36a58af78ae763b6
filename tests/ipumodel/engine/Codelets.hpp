// Vertices that the engine's tests share, and short ways to build graphs of them.
#pragma once

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace enginetest {

inline const char* const kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;

class AddOne : public Vertex {
public:
  InOut<float> x;
  bool compute() { *x = *x + 1; return true; }
};

class Axpy : public Vertex {
public:
  Input<Vector<float>> x;
  Input<float> a;
  InOut<Vector<float>> y;
  bool compute() {
    for (unsigned i = 0; i < y.size(); ++i) y[i] += a * x[i];
    return true;
  }
};

class SumRows : public Vertex {
public:
  Vector<Input<Vector<float>>> rows;
  Output<float> sum;
  bool compute() {
    float total = 0;
    for (unsigned r = 0; r < rows.size(); ++r)
      for (unsigned i = 0; i < rows[r].size(); ++i) total += rows[r][i];
    *sum = total;
    return true;
  }
};

class CountCalls : public Vertex {
public:
  int calls;
  Output<int> seen;
  bool compute() { *seen = ++calls; return true; }
};

class LookUp : public Vertex {
public:
  Vector<unsigned> table;
  Input<unsigned> index;
  Output<unsigned> value;
  bool compute() { *value = table[index]; return true; }
};

class IsBelow : public Vertex {
public:
  Input<float> x;
  float limit;
  bool compute() { return x < limit; }
};

class WorkerIds : public MultiVertex {
public:
  Output<Vector<unsigned>> ids;
  bool compute(unsigned workerId) { ids[workerId] = workerId + 1; return true; }
};

class Decrement : public Vertex {
public:
  InOut<int> x;
  Output<bool> more;
  bool compute() { *x = *x - 1; *more = *x > 0; return true; }
};

class AlignedSum : public Vertex {
public:
  Input<Vector<float, VectorLayout::ONE_PTR, 16>> x;
  unsigned n;
  Output<float> sum;
  Output<unsigned> misaligned;
  bool compute() {
    float total = 0;
    for (unsigned i = 0; i < n; ++i) total += x[i];
    *sum = total;
    *misaligned = reinterpret_cast<unsigned long>(&x[0]) % 16;
    return true;
  }
};

// Not what an input is for; but on a tile it writes the data where they lie, and programs rely on it.
class AddThroughInput : public Vertex {
public:
  Input<Vector<int, VectorLayout::ONE_PTR, 8>> shared;
  unsigned index;
  bool compute() {
    shared[index] += 1;
    return true;
  }
};

class WriteFirst : public Vertex {
public:
  Output<Vector<float>> out;
  bool compute() { out[0] = 42; return true; }
};
)";

inline poplar::Device makeDevice(unsigned tiles = 4, unsigned numIPUs = 1) {
  poplar::IPUModel model;
  model.tilesPerIPU = tiles;
  model.numIPUs = numIPUs;
  return model.createDevice();
}

inline void addCodelets(poplar::Graph& graph) {
  std::stringstream source(kCodelets);
  graph.addCodelets(source, "-O1");
}

// A variable on one tile.
inline poplar::Tensor variable(poplar::Graph& graph, poplar::Type type,
                               std::vector<std::size_t> shape, const std::string& name,
                               unsigned tile = 0) {
  poplar::Tensor t = graph.addVariable(type, shape, name);
  graph.setTileMapping(t, tile);
  return t;
}

template <class T>
std::vector<T> read(poplar::Engine& engine, const std::string& handle, std::size_t numElements) {
  std::vector<T> values(numElements);
  engine.readTensor(handle, values.data(), values.data() + values.size());
  return values;
}

// One AddOne vertex per element of x.
inline poplar::ComputeSet addOne(poplar::Graph& graph, const poplar::Tensor& x) {
  poplar::ComputeSet cs = graph.addComputeSet("addOne");
  const poplar::Tensor flat = x.flatten();
  for (std::size_t i = 0; i < flat.numElements(); ++i) {
    poplar::VertexRef v = graph.addVertex(cs, "AddOne", {{"x", flat[i]}});
    graph.setTileMapping(v, static_cast<unsigned>(i % graph.getTarget().getNumTiles()));
  }
  return cs;
}

} // namespace enginetest
