// Adds the gradients of a micro-batch to the sums that the replica keeps, as TreeOrder.hpp says.
#include "maths/Cycles.hpp"
#include "maths/Keep.hpp"
#include "maths/Workers.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

// The sums are a stack of vectors. The gradient is added to the `merges` on top, the topmost first,
// and takes the place of the lowest.
class KeepGradient : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // KeepWord
  Input<Vector<float, VectorLayout::SPAN, 8>> gradient;
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> sums; // [slot][gradient.size()]

  bool compute(unsigned worker) {
    if (control[kKeepActive] == 0) {
      return true;
    }
    const unsigned long size = gradient.size();
    const unsigned slot = control[kKeepSlot], merges = control[kKeepMerges];
    const Slice slice = workerSlice(size, worker, numWorkers());
    const float* from = &gradient[0];
    for (unsigned m = merges; m > 0; --m) {
      float* sum = &sums[(slot + m - 1) * size];
      for (unsigned long i = slice.begin; i < slice.end; ++i) {
        sum[i] += from[i];
      }
      from = sum;
    }
    if (merges == 0) {
      float* to = &sums[slot * size];
      for (unsigned long i = slice.begin; i < slice.end; ++i) {
        to[i] = from[i];
      }
    }
    return true;
  }

  // Two loads, an addition and a store for each pair of floats and each sum.
  unsigned long estimateCycles() const {
    const unsigned long passes = control[kKeepMerges] == 0 ? 1 : control[kKeepMerges];
    return tileCycles(20 + 4 * passes * ((gradient.size() / kWorkers + 1) / 2));
  }
};
