// Steps of gated units in the paper's convention (docs/egru.md), once ResetGates has worked out
// what the events are multiplied with.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Dropout.hpp"
#include "maths/EventProducts.hpp"
#include "maths/PaperUnit.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class PaperForward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control;       // ControlWord
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;         // PhaseWord
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;            // slab of what the layer receives
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> ownLists;         // slab of its own events
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> gates; // per tile: its resets
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights;       // [fan-in][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> recurrent;     // [layer size][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> bias;          // [gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> threshold;     // [neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> initial;       // [sample][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> slots;         // [slot][sample][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> last;     // [sample][neurons]; of the last step
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> outputs; // [sample][neurons]; c, for its events
  Output<Vector<unsigned char, VectorLayout::ONE_PTR>>
      masks; // [sample][event, within the support][maskBytes]
  InOut<Vector<Id, VectorLayout::ONE_PTR, 8>> kept;       // [worker][width]; scratch
  InOut<Vector<Id, VectorLayout::ONE_PTR, 8>> gatedLists; // [worker][ownWidth]; scratch

  const unsigned neurons, layerSize, fanIn, samples;
  const unsigned rows, width, capacity, ownWidth;
  const unsigned room;           // steps of the resets
  const unsigned neuronsPerTile; // the last tile may hold fewer
  const unsigned numSteps;       // of the whole sequence
  const float pseudoWidth;
  const unsigned dropoutStream;
  const float dropout;

  bool compute(unsigned worker) {
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      for (unsigned j = 0; j < control[kNumSteps]; ++j) {
        step(sample, j, worker);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width}, own{rows, ownWidth};
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 0;
      for (unsigned j = 0; j < control[kNumSteps]; ++j) {
        const unsigned long events = lists[slab.at(sample, control[kListRow] + j)] +
                                     ownLists[own.at(sample, control[kCarryRow] + j)];
        work += 20 + events * (8 + eventInstructions(2 * neurons)) + gateInstructions(neurons);
      }
      return work;
    }));
  }

private:
  void step(unsigned sample, unsigned j, unsigned worker) {
    const SlabShape slab{rows, width}, own{rows, ownWidth};
    const ValueMask mask = maskOfBatch(phase, dropoutStream, fanIn, dropout);
    const List<Id> received =
        maskedList<Id>({&lists[slab.at(sample, control[kListRow] + j)]}, capacity, mask, sample,
                       kept, static_cast<unsigned long>(worker) * width);
    const List<Id> events{&ownLists[own.at(sample, control[kCarryRow] + j)]};
    const List<Id> gated =
        gatedList<Id>(events, layerSize, ResetsOf{room, neuronsPerTile, layerSize}, gates, sample,
                      j, &gatedLists[static_cast<unsigned long>(worker) * ownWidth]);
    const unsigned long slotSize = static_cast<unsigned long>(neurons) * samples;
    const float* before = stateBefore(control, initial, slots, slotSize, j);
    const unsigned slot = slotAfter(control, j);
    forEachRowBlock<kElementRow>(neurons, [&](auto blockWidth, unsigned first) {
      constexpr unsigned W = decltype(blockWidth)::value;
      const PaperGates<W> rowGates =
          paperGates<Id, W>(received, capacity, events, gated, layerSize,
                            {&weights[0], &recurrent[0], &bias[0]}, neurons, first);
      const unsigned long at = static_cast<unsigned long>(neurons) * sample + first;
      const Row<W> theta = loadRow<W>(&threshold[first]);
      const Row<W> was = loadRow<W>(before + at);
      const Row<W> sent = was > theta ? was : Row<W>(0.0f);
      const Row<W> c = rowGates.update * rowGates.candidate + (1.0f - rowGates.update) * was - sent;
      storeRow<W>(&slots[slot * slotSize + at], c);
      if (control[kLight] == 0) {
        storeRow<W>(&outputs[at], c);
        putEventBits<W>(c, theta, pseudoWidth, &masks[sample * 2ul * ((neurons + 7) / 8)],
                        (neurons + 7) / 8, first);
        if (control[kFirstStep] + 1 == numSteps) {
          storeRow<W>(&last[at], c);
        }
      }
    });
  }
};

template class PaperForward<unsigned short>;
template class PaperForward<unsigned>;
