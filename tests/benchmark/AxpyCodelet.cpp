#include "Axpy.hpp"

#include <poplar/Vertex.hpp>

class Axpy : public poplar::Vertex {
public:
  poplar::Input<poplar::Vector<float>> x;
  poplar::InOut<poplar::Vector<float>> y;
  const float a;
  bool compute() {
    axpyLoop(a, x, y, x.size());
    return true;
  }
};
