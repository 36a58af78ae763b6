// A block of steps of the adjoint of one tile's share of the leaky-integrator readout, latest step
// first.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Gather.hpp"
#include "maths/Readout.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class ReadoutBackward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control;  // ControlWord
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists;          // what it received: row j for step j
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights;  // [fan-in][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> errors;   // [sample][neurons]; d loss / d logit
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> bestStep; // [sample][neurons]; of the maximum
  Input<Vector<float, VectorLayout::ONE_PTR>> stepErrors;  // [sample][row][neurons]; PerStep only
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> adjoint;  // [sample][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> scaled;  // [sample][row][neurons]; gain * adjoint
  Output<Vector<float, VectorLayout::ONE_PTR>> partials;   // [sample][row][entry of the list]

  const unsigned neurons;
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned rows, width;
  const unsigned numSteps;  // of the whole sequence
  const unsigned reduction; // ReadoutMode
  const float alpha, gain;

  bool compute(unsigned worker) {
    const unsigned steps = control[kNumSteps];
    for (unsigned sample = worker; steps != 0 && sample < samples; sample += numWorkers()) {
      for (unsigned j = steps; j-- > 0;) {
        step(sample, j);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned steps = control[kNumSteps];
    const SlabShape slab{rows, width};
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 0;
      for (unsigned j = 0; j < steps; ++j) {
        work += stepInstructions(neurons) +
                lists[slab.at(sample, j) + 1] * (spikeInstructions(neurons) + 2);
      }
      return work;
    }));
  }

private:
  void step(unsigned sample, unsigned j) {
    const SlabShape slab{rows, width};
    const unsigned long row = static_cast<unsigned long>(sample) * blockSteps + j;
    const unsigned long offset = static_cast<unsigned long>(sample) * neurons;
    float* scaledRow = &scaled[row * neurons];
    for (unsigned i = 0; i < neurons; ++i) {
      const float adj = alpha * adjoint[offset + i] +
                        arriving(offset + i, row * neurons + i, control[kFirstStep] + j);
      adjoint[offset + i] = adj;
      scaledRow[i] = gain * adj;
    }
    dotRows<Id>({&lists[slab.at(sample, j)]}, &weights[0], scaledRow, neurons,
                &partials[row * (width - kListHeader)]);
  }

  // d loss / d potential at a step, apart from what flows through the leak.
  float arriving(unsigned long at, unsigned long inBlock, unsigned step) const {
    switch (static_cast<ReadoutMode>(reduction)) {
    case ReadoutMode::Mean:
      return errors[at] / static_cast<float>(numSteps);
    case ReadoutMode::Max:
      return bestStep[at] == step ? errors[at] : 0.0f;
    case ReadoutMode::PerStep:
      return stepErrors[inBlock];
    case ReadoutMode::Last:
      return step + 1 == numSteps ? errors[at] : 0.0f;
    }
    return 0.0f;
  }
};

template class ReadoutBackward<unsigned short>;
template class ReadoutBackward<unsigned>;
