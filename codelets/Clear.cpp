// Sets a tensor on a tile to zero.
#include "maths/Cycles.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename T>
class Clear : public MultiVertex {
public:
  Output<Vector<T, VectorLayout::SPAN>> values;

  bool compute(unsigned worker) {
    const unsigned size = values.size();
    for (unsigned i = worker; i < size; i += numWorkers()) {
      values[i] = 0;
    }
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(10 + values.size() * sizeof(T) / (8 * kWorkers)); // 64-bit stores
  }
};

template class Clear<float>;
template class Clear<unsigned>;
template class Clear<unsigned short>;
