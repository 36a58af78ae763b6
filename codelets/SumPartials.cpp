// Sums what the tiles above send back to a list's entries, for a group of samples, in tile order.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Lists.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class SumPartials : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>>
      controlAbove;                                          // of the unit that received the lists
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> controlOwn; // of the layer itself
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists;    // slab of these samples, as received above
  Input<Vector<Id, VectorLayout::ONE_PTR>> ownLists; // and as received by the layer itself
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> above; // per tile above: [sample][row][entry]
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>>
      own; // per tile of a recurrent layer, else one unused
  InOut<Vector<float, VectorLayout::ONE_PTR>> gradients; // [sample][row][entry]

  const unsigned samples;
  const unsigned blockSteps;
  const unsigned rows, width;
  const bool hasAbove, recurrent;

  bool compute(unsigned worker) {
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      if (hasAbove && controlAbove[kNumSteps] != 0) {
        sumAbove(sample);
      }
      if (recurrent && controlOwn[kNumSteps] != 0) {
        addOwn(sample);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width};
    const unsigned steps = hasAbove ? controlAbove[kNumSteps] : 0;
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 10;
      for (unsigned j = 0; j < steps; ++j) {
        work += 10 + above.size() * (4 + lists[slab.at(sample, j) + 1]);
      }
      return work;
    }));
  }

private:
  unsigned entries() const { return width - kListHeader; }
  float* gradientRow(unsigned sample, unsigned row) {
    return &gradients[(static_cast<unsigned long>(sample) * rows + row) * entries()];
  }

  // Row j is the gradient for row j of the lists; the row after the block is the one before's
  // first.
  void sumAbove(unsigned sample) {
    const unsigned steps = controlAbove[kNumSteps];
    const SlabShape slab{rows, width};
    const float* first = gradientRow(sample, 0);
    float* afterBlock = gradientRow(sample, steps);
    for (unsigned k = 0; k < entries(); ++k) {
      afterBlock[k] = first[k];
    }
    for (unsigned j = 0; j < steps; ++j) {
      float* to = gradientRow(sample, j);
      const unsigned active = lists[slab.at(sample, j) + 1];
      for (unsigned k = 0; k < active; ++k) {
        to[k] = 0.0f;
      }
      for (unsigned tile = 0; tile < above.size(); ++tile) {
        add(to, &above[tile][(static_cast<unsigned long>(sample) * blockSteps + j) * entries()],
            active);
      }
    }
  }

  // A recurrent layer runs one step at a time, and so does the unit above: the sum is in row 0.
  void addOwn(unsigned sample) {
    const SlabShape slab{rows, width};
    const unsigned active = ownLists[slab.at(sample, 0) + 1];
    float* to = gradientRow(sample, 0);
    if (!hasAbove) {
      for (unsigned k = 0; k < active; ++k) {
        to[k] = 0.0f;
      }
    }
    for (unsigned tile = 0; tile < own.size(); ++tile) {
      add(to, &own[tile][static_cast<unsigned long>(sample) * blockSteps * entries()], active);
    }
  }

  static void add(float* to, const float* from, unsigned count) {
    for (unsigned k = 0; k < count; ++k) {
      to[k] += from[k];
    }
  }
};

template class SumPartials<unsigned short>;
template class SumPartials<unsigned>;
