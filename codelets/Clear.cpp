// Sets a tensor on a tile to zero.
#include "maths/Cycles.hpp"
#include "maths/Workers.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename T>
class Clear : public MultiVertex {
public:
  Output<Vector<T, VectorLayout::SPAN>> values;

  bool compute(unsigned worker) {
    const Slice slice = workerSlice(values.size(), worker, numWorkers());
    T* value = &values[0];
    for (unsigned long i = slice.begin; i < slice.end; ++i) {
      value[i] = 0;
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
