// A gated layer's parameters, and what its trace says of one step.
#pragma once

#include "network/NetworkSpec.hpp"
#include "reference/DenseTensor.hpp"
#include "reference/Forward.hpp"
#include "reference/WordMatrix.hpp"

#include <string>
#include <vector>

namespace spillway::reference {

struct GatedLayer {
  // numSteps, numSamples and maskKey of the batch place the masks.
  GatedLayer(const NetworkSpec& network, const DenseSet& parameters, std::size_t index,
             const EventBatch& batch, bool masked);

  const LayerSpec& spec;
  std::size_t index, size;
  bool masked;
  const DenseTensor& weight;
  Vector recurrent;                      // with dropconnect's zeros and factor
  Vector recurrentScale;                 // what each recurrent weight was multiplied with
  Vector bias, recurrentBias, threshold; // zeros where there is none

  bool isPaper() const { return spec.gated.convention == GatedConvention::Paper; }
  bool fires(double c, std::size_t i) const {
    return spec.kind == LayerKind::Gru || c > threshold[i];
  }
  Vector outputs(const Vector& c) const;    // y
  Vector afterReset(const Vector& c) const; // what the next leak starts from
  double pseudoDerivative(double c, std::size_t i) const;
  // c of a step; step -1 is what the sequence goes on from.
  Vector state(const SampleTrace& trace, std::ptrdiff_t step) const;
  // Whether zoneout lets unit i of a sample move at a step.
  bool moves(BatchSample sample, std::size_t step, std::size_t i) const;
  // What value j received by a sample is multiplied with.
  double inputScale(BatchSample sample, std::size_t j) const;
};

// sum[c] += sum over j of x[j] * matrix[j][c]
void addProduct(const Vector& x, const Vector& matrix, Vector& sum);

// What layer l receives at a step: the input's values, or y of the layer below at the same step;
// dropout's zeros and factor are in it. words: of networks that read words, else null.
Vector received(const std::vector<GatedLayer>& layers, std::size_t l, BatchSample sample,
                const SampleTrace& trace, std::size_t step, const WordMatrix* words);

// Of networks that read words.
std::optional<WordMatrix> wordMatrix(const NetworkSpec& network, const DenseSet& parameters,
                                     bool masked);
// What the softmax receives at every step.
std::vector<Vector> softmaxInputs(const WordMatrix& words, const GatedLayer& top,
                                  BatchSample sample, const SampleTrace& trace);

std::vector<GatedLayer> gatedLayers(const NetworkSpec& network, const DenseSet& parameters,
                                    const EventBatch& batch, bool masked);

} // namespace spillway::reference
