// Compiles only: vertices beside host code, as host compilers see them in C++11.
#include <poplar/AvailableVTypes.h>
#include <poplar/FieldTypes.hpp>
#include <poplar/HalfFloat.hpp>
#include <poplar/InOutTypes.hpp>
#include <poplar/StackSizeDefs.hpp>
#include <poplar/TileConstants.hpp>
#include <poplar/VectorTypes.hpp>
#include <poplar/Vertex.hpp>

using namespace poplar;

DEF_STACK_USAGE(512, "function");

template <typename T>
class Scale : public Vertex {
public:
  Scale();
  Input<Vector<T, VectorLayout::ONE_PTR, 8>> in;
  InOut<Vector<T>> out;
  const float factor;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i) {
      out[i] = in[i] * factor;
      out[i] += in[i];
    }
    return true;
  }
};

template class Scale<float>;
template class Scale<half>;

struct Lists : public MultiVertex {
  Vector<Input<Vector<half>>> edges;
  Input<VectorList<int, VectorListLayout::COMPACT_DELTAN, 4, false>> list;
  Output<unsigned> n;
  InOut<int> count;
  Vector<Output<int>> results;
  void compute(unsigned worker) {
    *n = edges.size() + edges[0].size() + list[1].size() + worker + numWorkers();
    count += 1;
    for (auto& edge : edges)
      for (half x : edge)
        results[0] = static_cast<int>(x);
  }
};

template <bool S>
struct Either : SupervisorVertexIf<S> {
  void compute() {}
};
template struct Either<true>;
