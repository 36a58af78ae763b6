// The reset gates of one tile's units in a block of steps, in the paper's convention
// (docs/egru.md): the gate of the unit that sends acts on an event before the product, so that
// gates are worked out, and sent, before candidates.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Dropout.hpp"
#include "maths/EventProducts.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class ResetGates : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control;   // ControlWord
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;     // PhaseWord
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;        // slab of what the layer receives
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> ownLists;     // slab of its own events
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights;   // [fan-in][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> recurrent; // [layer size][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> bias;      // [gate][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> resets;   // [sample][step of the block][neurons]
  InOut<Vector<Id, VectorLayout::ONE_PTR, 8>> kept;         // [worker][width]; scratch

  const unsigned neurons, layerSize, fanIn, samples;
  const unsigned rows, width, capacity, ownWidth;
  const unsigned room;   // steps of `resets`
  const bool isBackward; // own events of the step before lie in row 0
  const unsigned dropoutStream;
  const float dropout;

  bool compute(unsigned worker) {
    const SlabShape slab{rows, width}, own{rows, ownWidth};
    const ValueMask mask = maskOfBatch(phase, dropoutStream, fanIn, dropout);
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      for (unsigned j = 0; j < control[kNumSteps]; ++j) {
        const List<Id> received =
            maskedList<Id>({&lists[slab.at(sample, control[kListRow] + j)]}, capacity, mask, sample,
                           kept, static_cast<unsigned long>(worker) * width);
        const unsigned row = isBackward ? 0 : control[kCarryRow] + j;
        const List<Id> events{&ownLists[own.at(sample, row)]};
        forEachRowBlock(neurons, [&](auto blockWidth, unsigned first) {
          constexpr unsigned W = decltype(blockWidth)::value;
          Row<W> sum = loadRow<W>(&bias[neurons + first]);
          sum = gatherEventRow<Id, W>(sum, received, capacity, &weights[neurons + first],
                                      3 * neurons);
          sum = gatherEventRow<Id, W>(sum, events, layerSize, &recurrent[neurons + first],
                                      3 * neurons);
          storeRow<W>(&resets[(static_cast<unsigned long>(sample) * room + j) * neurons + first],
                      sigmoidRow<W>(sum));
        });
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width}, own{rows, ownWidth};
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 0;
      for (unsigned j = 0; j < control[kNumSteps]; ++j) {
        const unsigned long events =
            lists[slab.at(sample, control[kListRow] + j)] +
            ownLists[own.at(sample, isBackward ? 0 : control[kCarryRow] + j)];
        work += 20 + events * eventInstructions(neurons) + gateInstructions(neurons) / 3;
      }
      return work;
    }));
  }
};

template class ResetGates<unsigned short>;
template class ResetGates<unsigned>;
