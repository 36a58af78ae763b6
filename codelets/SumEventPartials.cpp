// Sums what tiles send back to the entries of a gated layer's lists, for a group of samples, in
// tile order: from the unit above for the step it has just run, and from the layer itself for the
// step before its own. The two meet when the layer runs that step, which may be in a later action.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Lists.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class SumEventPartials : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> controlAbove; // of the unit above
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> controlOwn;   // of the layer itself
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;    // slab of these samples, as received above
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> ownLists; // and as received by the layer itself
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> above; // per tile: [sample][entry]; or none
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> own;   // likewise
  InOut<Vector<float, VectorLayout::ONE_PTR>>
      gradients; // [sample][from the recurrence, from above][entry]

  const unsigned samples;
  const unsigned rows, width, capacity;

  bool compute(unsigned worker) {
    const SlabShape slab{rows, width};
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      float* to = &gradients[static_cast<unsigned long>(sample) * rows * capacity];
      const unsigned long from = static_cast<unsigned long>(sample) * capacity;
      if (own.size() != 0 && controlOwn[kNumSteps] != 0) {
        sum(own, from, ownLists[slab.at(sample, 0) + 1], to);
      }
      if (above.size() != 0 && controlAbove[kNumSteps] != 0) {
        sum(above, from, lists[slab.at(sample, 1) + 1], to + capacity);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width};
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 20;
      work += controlOwn[kNumSteps] * own.size() * (4ul + ownLists[slab.at(sample, 0) + 1]);
      work += controlAbove[kNumSteps] * above.size() * (4ul + lists[slab.at(sample, 1) + 1]);
      return work;
    }));
  }

private:
  template <class Tiles>
  static void sum(Tiles& tiles, unsigned long from, unsigned active, float* to) {
    for (unsigned k = 0; k < active; ++k) {
      to[k] = tiles[0][from + k];
    }
    for (unsigned tile = 1; tile < tiles.size(); ++tile) {
      const float* partial = &tiles[tile][from];
      for (unsigned k = 0; k < active; ++k) {
        to[k] += partial[k];
      }
    }
  }
};

template class SumEventPartials<unsigned short>;
template class SumEventPartials<unsigned>;
