// Losses on the logits of a group of samples, with their gradients.
#include "maths/Cycles.hpp"

#include <poplar/Vertex.hpp>

#include <cmath>

using namespace poplar;
using namespace spillway;

// exp 3, ln 6 worker cycles (PopLibs' tables), loads, stores and loop control; per logit.
static inline unsigned long lossInstructions(unsigned outputs) {
  return 40 + 16ul * outputs;
}

static inline unsigned largest(const float* values, unsigned count) {
  unsigned best = 0;
  for (unsigned i = 1; i < count; ++i) {
    best = values[i] > values[best] ? i : best;
  }
  return best;
}

// Cross-entropy of the softmax against one class per sample.
class CrossEntropyLoss : public MultiVertex {
public:
  Input<Vector<float, VectorLayout::ONE_PTR>> logits; // [sample][output]
  Input<Vector<int, VectorLayout::ONE_PTR>> labels;   // [sample]; negative: none
  Output<Vector<float, VectorLayout::ONE_PTR>>
      errors; // [sample][output]; d (scale * loss) / d logit
  Output<Vector<float, VectorLayout::ONE_PTR>> losses;         // [sample]
  Output<Vector<unsigned, VectorLayout::ONE_PTR>> predictions; // [sample]

  Input<float> scale; // 1 / number of labels

  const unsigned samples, outputs;

  bool compute(unsigned worker) {
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      const float* logit = &logits[sample * outputs];
      float* error = &errors[sample * outputs];
      const unsigned best = largest(logit, outputs);
      float sum = 0.0f;
      for (unsigned i = 0; i < outputs; ++i) {
        error[i] = std::exp(logit[i] - logit[best]);
        sum += error[i];
      }
      const int label = labels[sample];
      losses[sample] = label < 0 ? 0.0f : std::log(sum) - (logit[label] - logit[best]);
      predictions[sample] = best;
      for (unsigned i = 0; i < outputs; ++i) {
        const float target = static_cast<int>(i) == label ? 1.0f : 0.0f;
        error[i] = label < 0 ? 0.0f : *scale * (error[i] / sum - target);
      }
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
  Output<Vector<float, VectorLayout::ONE_PTR>> errors;
  Output<Vector<float, VectorLayout::ONE_PTR>> losses;
  Output<Vector<unsigned, VectorLayout::ONE_PTR>> predictions;

  Input<float> scale; // 1 / number of labels

  const unsigned samples, outputs;

  bool compute(unsigned worker) {
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      const float* logit = &logits[sample * outputs];
      const float count = static_cast<float>(outputs);
      float sum = 0.0f;
      for (unsigned i = 0; i < outputs; ++i) {
        const float difference = logit[i] - targets[sample * outputs + i];
        sum += difference * difference;
        errors[sample * outputs + i] = *scale * 2.0f * difference / count;
      }
      losses[sample] = sum / count;
      predictions[sample] = largest(logit, outputs);
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
