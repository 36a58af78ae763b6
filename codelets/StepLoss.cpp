// A loss at every step: on the readout's potential in a block of steps, for a group of samples.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/LossError.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

// Label is int for classes (negative: no loss at this step) and float for targets of mean-squared
// error.
template <typename Label>
class StepLoss : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the readout
  Input<Vector<float, VectorLayout::ONE_PTR>> potentials; // [sample][row][output]
  Input<Vector<Label, VectorLayout::ONE_PTR>> labels; // [step][sample] or [step][sample][output]
  Input<float> scale;                                 // 1 / number of labels
  Output<Vector<float, VectorLayout::ONE_PTR>>
      errors; // as potentials; d (scale * loss) / d potential
  InOut<Vector<float, VectorLayout::ONE_PTR>> losses;     // [sample]; grows in the forward pass
  InOut<Vector<unsigned, VectorLayout::ONE_PTR>> correct; // [sample]; likewise

  const unsigned samples, outputs;
  const unsigned blockSteps;
  const bool accumulate; // the forward pass; the backward pass wants the errors alone

  bool compute(unsigned worker) {
    const unsigned steps = control[kNumSteps];
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      for (unsigned j = 0; j < steps; ++j) {
        const unsigned long row = (static_cast<unsigned long>(sample) * blockSteps + j) * outputs;
        const unsigned long at =
            static_cast<unsigned long>(control[kFirstStep] + j) * samples + sample;
        const ClassLoss loss = stepLoss(&potentials[row], &labels[0], at, &errors[row]);
        if (accumulate) {
          losses[sample] += loss.loss;
          correct[sample] += loss.correct ? 1 : 0;
        }
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long perSample = control[kNumSteps] * lossInstructions(outputs);
    return tileCycles(slowestWorker(samples, [&](unsigned) { return perSample; }));
  }

private:
  ClassLoss stepLoss(const float* values, const int* classes, unsigned long at,
                     float* error) const {
    const int label = classes[at];
    if (label < 0) {
      scaleErrors(error, 0.0f);
      return {0.0f, false};
    }
    const ClassLoss loss = softmaxError(values, outputs, static_cast<unsigned>(label), error);
    scaleErrors(error, *scale);
    return loss;
  }

  ClassLoss stepLoss(const float* values, const float* targets, unsigned long at,
                     float* error) const {
    const float loss = squaredError(values, targets + at * outputs, outputs, error);
    scaleErrors(error, *scale);
    return {loss, false};
  }

  void scaleErrors(float* error, float factor) const {
    for (unsigned i = 0; i < outputs; ++i) {
      error[i] =
          factor == 0.0f ? 0.0f : error[i] * factor; // what was never written must not be read
    }
  }
};

// The potentials of a block, from the slots that hold its states.
class ReadoutPotentials : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control;     // of the readout's next block
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> slots;       // [slot][sample][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> potentials; // [sample][row][neurons]

  const unsigned neurons, samples;
  const unsigned blockSteps;

  bool compute(unsigned worker) {
    const unsigned steps = control[kNumSteps];
    for (unsigned sample = worker; steps != 0 && sample < samples; sample += numWorkers()) {
      for (unsigned j = 0; j < steps; ++j) {
        const unsigned long slot = control[kReadSlot] - 1 + j;
        const float* from = &slots[(slot * samples + sample) * neurons];
        float* to = &potentials[(static_cast<unsigned long>(sample) * blockSteps + j) * neurons];
        for (unsigned i = 0; i < neurons; ++i) {
          to[i] = from[i];
        }
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long perSample = control[kNumSteps] * (8ul + neurons);
    return tileCycles(slowestWorker(samples, [&](unsigned) { return perSample; }));
  }
};

template class StepLoss<int>;
template class StepLoss<float>;
