// Adds the further copies of a tile's weight gradients to the first, in ascending order, once all
// steps are summed.
#include "maths/Cycles.hpp"
#include "maths/Workers.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

class AddGradientCopies : public MultiVertex {
public:
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> gradient;     // [size]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> biasGradient; // [biasSize]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> copies;       // [copy][size + biasSize]

  const unsigned size, biasSize;
  const unsigned numCopies; // with the first

  bool compute(unsigned worker) {
    const unsigned long stride = static_cast<unsigned long>(size) + biasSize;
    for (unsigned copy = 0; copy + 1 < numCopies; ++copy) {
      const Slice own = workerSlice(size, worker, numWorkers());
      add(&gradient[0], &copies[copy * stride], own.begin, own.end);
      if (worker == 0) {
        add(&biasGradient[0], &copies[copy * stride + size], 0, biasSize);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(addCopiesInstructions(size, biasSize, numCopies));
  }

private:
  static void add(float* to, const float* from, unsigned long begin, unsigned long end) {
    for (unsigned long i = begin; i < end; ++i) {
      to[i] += from[i];
    }
  }
};
