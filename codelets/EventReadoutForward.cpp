// Steps of one tile's share of the leaky-integrator readout of a gated network.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/EventProducts.hpp"
#include "maths/Readout.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class EventReadoutForward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;      // slab of the last layer's events
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights; // [fan-in][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> bias;    // [neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> initial; // [sample][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> slots;   // [slot][sample][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> last;    // [sample][neurons]; of the last step
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> logits;  // [sample][neurons]; the reduction so far
  InOut<Vector<unsigned, VectorLayout::ONE_PTR>> bestStep;    // [sample][neurons]; of the maximum
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> potentials; // [sample][neurons]; PerStep only

  const unsigned neurons;
  const unsigned samples;
  const unsigned rows, width, capacity;
  const unsigned numSteps;  // of the whole sequence
  const unsigned reduction; // ReadoutMode
  const float alpha, gain;

  bool compute(unsigned worker) {
    if (control[kNumSteps] != 0) {
      for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
        forEachRowBlock(neurons, [&](auto blockWidth, unsigned first) {
          runBlock<decltype(blockWidth)::value>(sample, first);
        });
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width};
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 20;
      for (unsigned j = 0; j < control[kNumSteps]; ++j) {
        work += lists[slab.at(sample, control[kListRow] + j)] * eventInstructions(neurons) +
                stepInstructions(neurons);
      }
      return work;
    }));
  }

private:
  template <unsigned W>
  void runBlock(unsigned sample, unsigned first) {
    const unsigned steps = control[kNumSteps];
    const bool keepAll = control[kKeepAll] != 0;
    const SlabShape slab{rows, width};
    const unsigned long slotSize = static_cast<unsigned long>(neurons) * samples;
    const unsigned long offset = static_cast<unsigned long>(neurons) * sample + first;
    Row<W> potential = control[kReadSlot] == 0
                           ? loadRow<W>(&initial[offset])
                           : loadRow<W>(&slots[(control[kReadSlot] - 1) * slotSize + offset]);
    float* keep = &slots[control[kWriteSlot] * slotSize + offset];
    for (unsigned j = 0; j < steps; ++j) {
      const List<Id> list{&lists[slab.at(sample, control[kListRow] + j)]};
      const Row<W> current =
          gatherEventRow<Id, W>(loadRow<W>(&bias[first]), list, capacity, &weights[first], neurons);
      potential = alpha * potential + gain * current;
      if (keepAll || j + 1 == steps) {
        storeRow<W>(keep, potential);
        keep += slotSize;
      }
      if (control[kLight] == 0) {
        finish<W>(potential, offset, control[kFirstStep] + j);
      }
    }
  }

  // A first execution runs one step at a time.
  template <unsigned W>
  void finish(Row<W> potential, unsigned long offset, unsigned step) {
    const ReadoutMode mode = static_cast<ReadoutMode>(reduction);
    if (mode == ReadoutMode::PerStep) {
      storeRow<W>(&potentials[offset], potential);
    } else {
      reducePotential<W>(mode, potential, step, numSteps, &logits[offset], &bestStep[offset]);
    }
    if (step + 1 == numSteps) {
      storeRow<W>(&last[offset], potential);
    }
  }
};

template class EventReadoutForward<unsigned short>;
template class EventReadoutForward<unsigned>;
