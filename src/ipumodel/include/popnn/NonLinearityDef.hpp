// The non-linearities. Shared with codelets.
#pragma once

namespace popnn {

enum class NonLinearityType {
  SIGMOID,      // 1 / (1 + exp(-x))
  HARD_SIGMOID, // max(0, min(1, 0.2 x + 0.5))
  RELU,         // max(0, x)
  TANH,
  GELU,           // 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
  SWISH,          // x sigmoid(x)
  SOFTMAX,        // exp(x) over its sum along the innermost dimension
  SOFTMAX_STABLE, // the same after the maximum is subtracted
  SOFTMAX_SCALED, // the same times SOFTMAX_SCALING
  GELU_ERF        // 0.5 x (1 + erf(x / sqrt(2)))
};

} // namespace popnn
