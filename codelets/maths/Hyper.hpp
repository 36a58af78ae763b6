// What the host sends before each update.
#pragma once

namespace spillway {

enum HyperWord : unsigned {
  kLearningRate,
  kMeanCorrection,     // 1 / (1 - beta1^step)
  kVarianceCorrection, // 1 / (1 - beta2^step)
  kHyperWords
};

} // namespace spillway
