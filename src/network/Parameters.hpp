// The trainable tensors of a network, by name, in one fixed order.
#pragma once

#include "network/NetworkSpec.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace spillway {

struct ParameterTensor {
  std::string name;               // "layer0/weight", see parameterShapes()
  std::vector<std::size_t> shape; // row-major
  std::vector<float> values;
};

using ParameterSet = std::vector<ParameterTensor>;

// Names and shapes, values empty, in the order every file and every device uses:
//   layerL/weight    [fan-in, size]  row j is what input id j adds to the layer's neurons
//   layerL/recurrent [size, size]    recurrent layers only; row j for own neuron j
//   layerL/bias      [size]          where LayerSpec::bias
// of a gated layer, three gates side by side (GatedSpec.hpp):
//   layerL/weight [fan-in, 3 size], layerL/recurrent [size, 3 size], layerL/bias [3 size],
//   layerL/recurrentBias [3 size] where GatedSpec::recurrentBias, layerL/threshold [size] (Egru)
//   readout/weight   [size of last layer, numOutputs], readout/bias [numOutputs]   LeakyIntegrator
//   only
//   embedding/weight [numOutputs, numInputs], a row a word, embedding/bias [numOutputs] TiedSoftmax
//   only
ParameterSet parameterShapes(const NetworkSpec& network);

// Weights uniform in +-weightScale*sqrt(6/fan-in), fan-in being the tensor's rows, from a
// counter-based generator keyed by (seed, name, element), so that a value does not depend on the
// order of drawing. Of gated layers uniform in +-weightScale*sqrt(6/(rows + columns)), thresholds
// from Beta(3 m/(1-m), 3), m = GatedSpec::thresholdMean. Embeddings uniform in +-0.1*weightScale.
// Biases are 0.
ParameterSet initialParameters(const NetworkSpec& network, std::uint64_t seed, double weightScale);

// "[3, 5] is nan": where the first value stands that is not finite; empty if all are.
std::string firstNotFinite(const ParameterTensor& tensor);

} // namespace spillway
