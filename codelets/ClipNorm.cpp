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
    const Slice slice = workerSlice(gradient.size(), worker, numWorkers());
    float sum = 0.0f, excess = 0.0f; // of what was added to the sum, by rounding
    for (unsigned long begin = slice.begin; begin < slice.end; begin += kPart) {
      const unsigned long end = begin + kPart < slice.end ? begin + kPart : slice.end;
      float part = 0.0f;
      for (unsigned long i = begin; i < end; ++i) {
        part += gradient[i] * gradient[i];
      }
      const float added = part - excess, before = sum;
      sum += added;
      excess = (sum - before) - added;
    }
    sums[worker] = sum;
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(updateInstructions(gradient.size(), 4));
  }

private:
  // A sum that has grown large loses what small squares add: those of a part are added up first,
  // and what rounding does to the sum of parts is taken back.
  static constexpr unsigned long kPart = 512;
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
