// What language models have beside gated layers. Equations: docs/language.md.
#pragma once

namespace spillway {

// Of networks whose readout is a tied softmax, in training alone. A mask is the same at all steps
// of a batch.
struct LanguageSpec {
  double wordDropout = 0.0;   // probability that a word's embedding is left out of a batch
  double outputDropout = 0.0; // that an output of the last layer is, sample by sample
  // Factors of mean(y^2) and mean((y[t] - y[t-1])^2), y being what the softmax receives.
  double activityPenalty = 0.0, slownessPenalty = 0.0;
};

} // namespace spillway
