// Sums what the tiles above send back to a list's entries, for a group of samples, in tile order.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Lists.hpp"
#include "maths/VectorSum.hpp"

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
    for (unsigned sample = 0; sample < samples; ++sample) {
      if (hasAbove && controlAbove[kNumSteps] != 0) {
        sumAbove(sample, worker);
      }
      if (recurrent && controlOwn[kNumSteps] != 0) {
        addOwn(sample, worker);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width};
    unsigned long work = 0;
    for (unsigned sample = 0; sample < samples; ++sample) {
      work += 10 + entries() / kWorkers;
      for (unsigned j = 0; hasAbove && j < controlAbove[kNumSteps]; ++j) {
        work += sumPartialsInstructions(lists[slab.at(sample, j) + 1], above.size());
      }
      if (recurrent && controlOwn[kNumSteps] != 0) {
        work += sumPartialsInstructions(ownLists[slab.at(sample, 0) + 1], own.size());
      }
    }
    return tileCycles(work);
  }

private:
  unsigned entries() const { return width - kListHeader; }
  float* gradientRow(unsigned sample, unsigned row) {
    return &gradients[(static_cast<unsigned long>(sample) * rows + row) * entries()];
  }

  // Row j is the gradient for row j of the lists; the row after the block is the one before's
  // first.
  void sumAbove(unsigned sample, unsigned worker) {
    const unsigned steps = controlAbove[kNumSteps];
    const SlabShape slab{rows, width};
    const float* first = gradientRow(sample, 0);
    float* afterBlock = gradientRow(sample, steps);
    forEachStretch(worker, numWorkers(), entries(), [&](unsigned begin, unsigned end) {
      for (unsigned k = begin; k < end; ++k) {
        afterBlock[k] = first[k];
      }
    });
    for (unsigned j = 0; j < steps; ++j) {
      const unsigned long row = (static_cast<unsigned long>(sample) * blockSteps + j) * entries();
      sum(above, row, gradientRow(sample, j), lists[slab.at(sample, j) + 1], Start::Zero, worker);
    }
  }

  // A recurrent layer runs one step at a time, and so does the unit above: the sum is in row 0.
  void addOwn(unsigned sample, unsigned worker) {
    const SlabShape slab{rows, width};
    sum(own, static_cast<unsigned long>(sample) * blockSteps * entries(), gradientRow(sample, 0),
        ownLists[slab.at(sample, 0) + 1], hasAbove ? Start::Add : Start::Zero, worker);
  }

  enum class Start { Zero, Add };

  template <class Partials>
  static void sum(const Partials& partials, unsigned long row, float* to, unsigned active,
                  Start start, unsigned worker) {
    if (start == Start::Zero) {
      forEachStretch(worker, numWorkers(), active, [&](unsigned begin, unsigned end) {
        for (unsigned k = begin; k < end; ++k) {
          to[k] = 0.0f;
        }
      });
    }
    addVectors(partials, row, to, active, worker, numWorkers());
  }
};

template class SumPartials<unsigned short>;
template class SumPartials<unsigned>;
