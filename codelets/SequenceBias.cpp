// The gradient of a gated layer's bias, where the errors of all steps are known.
#include "maths/EventGradients.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

// Sums over steps in descending and samples in ascending order, as BiasGradient does step by step.
class SequenceBiasGradient : public Vertex {
public:
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> errors; // [place][errorColumns]
  Output<Vector<float, VectorLayout::SPAN, 8>> gradient; // [column]
  const unsigned samples, steps;
  const unsigned errorColumns, split, gap; // as in ErrorRows

  bool compute() {
    const unsigned columns = static_cast<unsigned>(gradient.size());
    const ErrorRows rows{&errors[0], errorColumns, columns, split, gap};
    rows.forEachRange([&](unsigned begin, unsigned count, const float* error) {
      forEachRowBlock(count, [&](auto blockWidth, unsigned first) {
        constexpr unsigned W = decltype(blockWidth)::value;
        Row<W> sum(0.0f);
        for (unsigned step = steps; step-- > 0;) {
          const float* from = error + step * samples * rows.stride + first;
          for (unsigned sample = 0; sample < samples; ++sample) {
            sum = sum + loadRow<W>(from + sample * rows.stride);
          }
        }
        storeRow<W>(&gradient[begin + first], sum);
      });
    });
    return true;
  }

  unsigned long estimateCycles() const {
    return 20 + static_cast<unsigned long>(steps) * samples * (5 + 3 * gradient.size() / 2);
  }
};
