// Losses on the logits of a group of samples, with their gradients.
#include "maths/Cycles.hpp"
#include "maths/LossError.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

static inline void scaleErrors(float* errors, unsigned count, float scale) {
  for (unsigned i = 0; i < count; ++i) {
    errors[i] *= scale;
  }
}

// Cross-entropy of the softmax against one class per sample.
class CrossEntropyLoss : public MultiVertex {
public:
  Input<Vector<float, VectorLayout::ONE_PTR>> logits; // [sample][output]
  Input<Vector<int, VectorLayout::ONE_PTR>> labels;   // [sample]; negative: none
  Input<float> scale;                                 // 1 / number of labels
  Output<Vector<float, VectorLayout::ONE_PTR>>
      errors; // [sample][output]; d (scale * loss) / d logit
  Output<Vector<float, VectorLayout::ONE_PTR>> losses;     // [sample]
  Output<Vector<unsigned, VectorLayout::ONE_PTR>> correct; // [sample]

  const unsigned samples, outputs;

  bool compute(unsigned worker) {
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      const int label = labels[sample];
      float* error = &errors[sample * outputs];
      const ClassLoss loss = softmaxError(&logits[sample * outputs], outputs,
                                          label < 0 ? 0 : static_cast<unsigned>(label), error);
      scaleErrors(error, outputs, label < 0 ? 0.0f : *scale);
      losses[sample] = label < 0 ? 0.0f : loss.loss;
      correct[sample] = label >= 0 && loss.correct ? 1 : 0;
    }
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(slowestWorker(samples, [&](unsigned) { return lossInstructions(outputs); }));
  }
};

// Mean over outputs of the squared distance to a target.
class MeanSquaredLoss : public MultiVertex {
public:
  Input<Vector<float, VectorLayout::ONE_PTR>> logits;  // [sample][output]
  Input<Vector<float, VectorLayout::ONE_PTR>> targets; // [sample][output]
  Input<float> scale;                                  // 1 / number of samples
  Output<Vector<float, VectorLayout::ONE_PTR>> errors;
  Output<Vector<float, VectorLayout::ONE_PTR>> losses;
  Output<Vector<unsigned, VectorLayout::ONE_PTR>> correct; // 0: there are no classes

  const unsigned samples, outputs;

  bool compute(unsigned worker) {
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      const unsigned at = sample * outputs;
      losses[sample] = squaredError(&logits[at], &targets[at], outputs, &errors[at]);
      scaleErrors(&errors[at], outputs, *scale);
      correct[sample] = 0;
    }
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(slowestWorker(samples, [&](unsigned) { return lossInstructions(outputs); }));
  }
};

// Adds the firing-rate hinge of one tile's neurons to the gradient that every spike receives.
class RateRegularisation : public MultiVertex {
public:
  Input<Vector<float, VectorLayout::ONE_PTR>> spikeCounts;   // [sample][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR>> countGradient; // [sample][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR>> penalties;    // [sample]

  const unsigned samples, neurons;
  const float scale; // 1 / samples
  const float inverseSteps;
  const float lower, lowerRate, upper, upperRate;

  bool compute(unsigned worker) {
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      float penalty = 0.0f;
      for (unsigned i = 0; i < neurons; ++i) {
        const float rate = spikeCounts[sample * neurons + i] * inverseSteps;
        const float below = lowerRate > rate ? lowerRate - rate : 0.0f;
        const float above = rate > upperRate ? rate - upperRate : 0.0f;
        penalty += lower * below * below + upper * above * above;
        countGradient[sample * neurons + i] +=
            scale * inverseSteps * 2.0f * (upper * above - lower * below);
      }
      penalties[sample] = penalty;
    }
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(slowestWorker(samples, [&](unsigned) { return 10 + 14ul * neurons; }));
  }
};
