#include "network/Parameters.hpp"

#include "network/CounterRandom.hpp"

#include <cmath>
#include <functional>
#include <numeric>

namespace spillway {

namespace {

// Keyed by name rather than position: giving one layer a bias leaves all other weights as they
// were.
std::uint64_t streamOfName(const std::string& name) {
  std::uint64_t hash = 0xCBF29CE484222325; // FNV-1a
  for (char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  }
  return hash;
}

} // namespace

ParameterSet parameterShapes(const NetworkSpec& network) {
  ParameterSet set;
  std::size_t fanIn = network.numInputs;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const LayerSpec& layer = network.layers[l];
    const std::string prefix = "layer" + std::to_string(l) + "/";
    set.push_back({prefix + "weight", {fanIn, layer.size}, {}});
    if (layer.recurrent) {
      set.push_back({prefix + "recurrent", {layer.size, layer.size}, {}});
    }
    if (layer.bias) {
      set.push_back({prefix + "bias", {layer.size}, {}});
    }
    fanIn = layer.size;
  }
  if (network.readout.kind == ReadoutKind::LeakyIntegrator) {
    set.push_back({"readout/weight", {fanIn, network.readout.numOutputs}, {}});
    if (network.readout.bias) {
      set.push_back({"readout/bias", {network.readout.numOutputs}, {}});
    }
  }
  return set;
}

ParameterSet initialParameters(const NetworkSpec& network, std::uint64_t seed, double weightScale) {
  ParameterSet set = parameterShapes(network);
  for (ParameterTensor& tensor : set) {
    const std::size_t size = std::accumulate(tensor.shape.begin(), tensor.shape.end(),
                                             std::size_t{1}, std::multiplies<>());
    tensor.values.assign(size, 0.0f);
    if (tensor.shape.size() == 1) {
      continue; // a bias
    }
    const double bound = weightScale * std::sqrt(6.0 / static_cast<double>(tensor.shape[0]));
    const CounterRandom random(seed, {streamOfName(tensor.name)});
    for (std::size_t i = 0; i < size; ++i) {
      tensor.values[i] = static_cast<float>(bound * (2.0 * random.uniform(i) - 1.0));
    }
  }
  return set;
}

} // namespace spillway
