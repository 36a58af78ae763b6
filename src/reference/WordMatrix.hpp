// The matrix that embeds words and, transposed, is the softmax's (docs/language.md), in double
// precision.
#pragma once

#include "reference/DenseTensor.hpp"
#include "reference/Forward.hpp"

#include <optional>

namespace spillway::reference {

using Vector = std::vector<double>;

class WordMatrix {
public:
  // masked: random masks are drawn, and penalties are part of the loss.
  WordMatrix(const NetworkSpec& network, const DenseSet& parameters, bool masked);

  std::optional<std::size_t> word(BatchSample sample, std::size_t step) const;
  Vector embedded(BatchSample sample, std::size_t step) const;    // without a word: zeros
  Vector softmaxInput(BatchSample sample, const Vector& y) const; // y as the softmax receives it
  Vector logits(const Vector& softmaxInput) const;

  // The sample's share of the penalties. inputs: softmaxInput() of every step.
  double penalty(BatchSample sample, const std::vector<Vector>& inputs) const;

  // dL/dy[t] from dL/d logits[t]; adds the gradients of the softmax.
  Vector backward(BatchSample sample, const std::vector<Vector>& inputs, std::size_t step,
                  const Vector& dLogits, DenseSet& gradients) const;
  // Adds the gradient of the word embedded at that step.
  void addEmbedded(BatchSample sample, std::size_t step, const Vector& dx,
                   DenseSet& gradients) const;

private:
  double outputScale(BatchSample sample, std::size_t i) const;
  double wordScale(BatchSample sample, std::size_t word) const;

  const NetworkSpec& network_;
  const DenseTensor& matrix_;
  const DenseTensor* bias_;
  bool masked_;
};

} // namespace spillway::reference
