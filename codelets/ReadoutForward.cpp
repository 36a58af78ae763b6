// A block of steps of one tile's share of the leaky-integrator readout.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Gather.hpp"
#include "maths/Readout.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class ReadoutForward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists;         // slab of the last layer's spikes
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights; // [fan-in][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> bias;    // [neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> slots;   // [slot][sample][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> logits;  // [sample][neurons]; the reduction so far
  InOut<Vector<unsigned, VectorLayout::ONE_PTR>> bestStep; // [sample][neurons]; of the maximum
  Output<Vector<float, VectorLayout::ONE_PTR, 8>>
      potentials; // [sample][row][neurons]; PerStep only

  const unsigned neurons;
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned rows, width;
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
    const unsigned steps = control[kNumSteps];
    const SlabShape slab{rows, width};
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = steps == 0 ? 0 : 20;
      for (unsigned j = 0; j < steps; ++j) {
        work += lists[slab.at(sample, control[kListRow] + j)] * gatherInstructions(neurons) +
                gatherListInstructions(neurons) + stepInstructions(neurons);
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

    Row<W> potential(0.0f);
    if (control[kReadSlot] != 0) {
      potential = loadRow<W>(&slots[(control[kReadSlot] - 1) * slotSize + offset]);
    }
    float* keep = &slots[control[kWriteSlot] * slotSize + offset];
    const Row<W> constant = loadRow<W>(&bias[first]);
    for (unsigned j = 0; j < steps; ++j) {
      const Row<W> current = gatherRows<Id, W>(
          constant, {&lists[slab.at(sample, control[kListRow] + j)]}, &weights[first], neurons);
      potential = alpha * potential + gain * current;
      if (keepAll || j + 1 == steps) {
        storeRow<W>(keep, potential);
        keep += slotSize;
      }
      if (control[kLight] == 0) {
        reducePotential<W>(static_cast<ReadoutMode>(reduction), potential, control[kFirstStep] + j,
                           numSteps, &logits[offset], &bestStep[offset]);
        emit<W>(potential, sample, j, first);
      }
    }
  }

  // Every step has its own loss: it is worked out where a sample's outputs come together.
  template <unsigned W>
  void emit(Row<W> potential, unsigned sample, unsigned row, unsigned first) {
    if (static_cast<ReadoutMode>(reduction) == ReadoutMode::PerStep) {
      storeRow<W>(
          &potentials[(static_cast<unsigned long>(sample) * blockSteps + row) * neurons + first],
          potential);
    }
  }
};

template class ReadoutForward<unsigned short>;
template class ReadoutForward<unsigned>;
