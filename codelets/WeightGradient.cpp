// Adds a block's contribution to the weight gradients of one tile: only rows of inputs that spiked.
//
// Each weight sums over steps in descending and samples in ascending order, whatever the block
// length and the number of workers: that is what makes all schedules bit-identical. Workers share
// one gradient by taking the ids that are theirs (id modulo workers) and so each reads all lists.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Lists.hpp"
#include "maths/Rows.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class WeightGradient : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists;    // what the unit received: row j for step j
  Input<Vector<Id, VectorLayout::ONE_PTR>> ownLists; // its own (recurrent layers): row j for step j
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> scaled;   // [sample][row][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> gradient; // [fan-in + recurrent fan-in][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> biasGradient; // [neurons]

  const unsigned neurons;
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned rows, width;
  const unsigned ownRows, ownWidth;
  const unsigned fanIn;
  const bool recurrent;

  bool compute(unsigned worker) {
    const SlabShape slab{rows, width}, own{ownRows, ownWidth};
    for (unsigned j = control[kNumSteps]; j-- > 0;) {
      for (unsigned sample = 0; sample < samples; ++sample) {
        const float* factor =
            &scaled[(static_cast<unsigned long>(sample) * blockSteps + j) * neurons];
        scatter({&lists[slab.at(sample, j)]}, &gradient[0], factor, worker);
        if (recurrent) {
          scatter({&ownLists[own.at(sample, j)]},
                  &gradient[static_cast<unsigned long>(fanIn) * neurons], factor, worker);
        }
        if (worker == 0) {
          addRow(&biasGradient[0], factor);
        }
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width}, own{ownRows, ownWidth};
    unsigned long work = 0;
    for (unsigned j = 0; j < control[kNumSteps]; ++j) {
      for (unsigned sample = 0; sample < samples; ++sample) {
        unsigned long spikes = lists[slab.at(sample, j)];
        spikes += recurrent ? ownLists[own.at(sample, j)] : 0u;
        // Every worker tests every id (4 instructions) and adds a sixth of the rows.
        work += 12 + 4 * spikes + spikes * (spikeInstructions(neurons) + 2) / kWorkers;
      }
    }
    return tileCycles(work);
  }

private:
  void scatter(List<Id> list, float* rowsOfGradient, const float* factor, unsigned worker) {
    const Id* ids = list.ids();
    const unsigned numSpikes = list.numSpikes();
    for (unsigned k = 0; k < numSpikes; ++k) {
      if (ids[k] % numWorkers() == worker) {
        addRow(rowsOfGradient + static_cast<unsigned long>(ids[k]) * neurons, factor);
      }
    }
  }

  void addRow(float* to, const float* row) const {
    forEachRowBlock(neurons, [&](auto blockWidth, unsigned first) {
      constexpr unsigned W = decltype(blockWidth)::value;
      storeRow<W>(to + first, loadRow<W>(to + first) + loadRow<W>(row + first));
    });
  }
};

template class WeightGradient<unsigned short>;
template class WeightGradient<unsigned>;
