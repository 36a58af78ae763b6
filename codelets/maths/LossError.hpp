// Cross-entropy of a softmax against one class.
#pragma once

#include <cmath>

namespace spillway {

struct ClassLoss {
  float loss;
  bool correct; // the first largest logit is the label's
};

// errors: d loss / d logit. REQUIRES: 0 <= label < numOutputs.
inline ClassLoss softmaxError(const float* logits, unsigned numOutputs, unsigned label,
                              float* errors) {
  unsigned best = 0;
  for (unsigned i = 1; i < numOutputs; ++i) {
    best = logits[i] > logits[best] ? i : best;
  }
  float sum = 0.0f;
  for (unsigned i = 0; i < numOutputs; ++i) {
    errors[i] = std::exp(logits[i] - logits[best]);
    sum += errors[i];
  }
  for (unsigned i = 0; i < numOutputs; ++i) {
    errors[i] = errors[i] / sum - (i == label ? 1.0f : 0.0f);
  }
  return {std::log(sum) - (logits[label] - logits[best]), best == label};
}

// The mean over outputs of the squared distance to a target, and its gradient.
inline float squaredError(const float* values, const float* targets, unsigned numOutputs,
                          float* errors) {
  const float count = static_cast<float>(numOutputs);
  float sum = 0.0f;
  for (unsigned i = 0; i < numOutputs; ++i) {
    const float difference = values[i] - targets[i];
    sum += difference * difference;
    errors[i] = 2.0f * difference / count;
  }
  return sum / count;
}

// exp 3, ln 6 worker cycles (PopLibs' tables), loads, stores and loop control; per logit.
inline unsigned long lossInstructions(unsigned numOutputs) {
  return 40 + 16ul * numOutputs;
}

} // namespace spillway
