#include <poplar/Vertex.hpp>

class Twice : public poplar::Vertex {
public:
  poplar::Input<poplar::Vector<float>> in;
  poplar::Output<poplar::Vector<float>> out;

  bool compute() {
    for (unsigned i = 0; i < in.size(); ++i)
      out[i] = 2 * in[i];
    return true;
  }
};
