// A block of steps of the adjoint of one tile's share of the leaky-integrator readout, latest step
// first.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Readout.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

class ReadoutBackward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control;  // ControlWord
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> errors;   // [sample][neurons]; d loss / d logit
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> bestStep; // [sample][neurons]; of the maximum
  Input<Vector<float, VectorLayout::ONE_PTR>> stepErrors;  // [sample][row][neurons]; PerStep only
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> adjoint;  // [sample][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> scaled;  // [sample][row][neurons]; gain * adjoint

  const unsigned neurons;
  const unsigned samples;
  const unsigned blockSteps;
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
    const unsigned long steps = control[kNumSteps];
    return tileCycles(
        slowestWorker(samples, [&](unsigned) { return steps * stepInstructions(neurons); }));
  }

private:
  void step(unsigned sample, unsigned j) {
    const unsigned long row = static_cast<unsigned long>(sample) * blockSteps + j;
    const unsigned long offset = static_cast<unsigned long>(sample) * neurons;
    float* scaledRow = &scaled[row * neurons];
    for (unsigned i = 0; i < neurons; ++i) {
      const float adj = alpha * adjoint[offset + i] +
                        arriving(offset + i, row * neurons + i, control[kFirstStep] + j);
      adjoint[offset + i] = adj;
      scaledRow[i] = gain * adj;
    }
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
