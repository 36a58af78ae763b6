// Gradients clipped by their global norm: what the optimisers multiply them with.
#include "maths/Update.hpp"
#include "maths/Workers.hpp"

#include <poplar/Vertex.hpp>

#include <cmath>

using namespace poplar;
using namespace spillway;

// The sum of squares of one tile's gradients, a partial sum per worker.
class SumOfSquares : public MultiVertex {
public:
  Input<Vector<float, VectorLayout::SPAN, 8>> gradient;
  Output<Vector<float, VectorLayout::ONE_PTR>> sums; // [worker]

  bool compute(unsigned worker) {
    float sum = 0.0f;
    const Slice slice = workerSlice(gradient.size(), worker, numWorkers());
    for (unsigned long i = slice.begin; i < slice.end; ++i) {
      sum += gradient[i] * gradient[i];
    }
    sums[worker] = sum;
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(updateInstructions(gradient.size(), 4));
  }
};

// The factor that brings the global norm down to its limit; 0 where the norm is not finite.
class ClipFactor : public Vertex {
public:
  Input<Vector<float, VectorLayout::SPAN>> sums;
  Output<float> factor;
  const float limit;

  bool compute() {
    float total = 0.0f;
    for (unsigned i = 0; i < sums.size(); ++i) {
      total += sums[i];
    }
    const float norm = std::sqrt(total);
    *factor = norm <= limit ? 1.0f : std::isfinite(norm) ? limit / norm : 0.0f;
    return true;
  }

  unsigned long estimateCycles() const { return 40 + 2 * sums.size(); }
};
