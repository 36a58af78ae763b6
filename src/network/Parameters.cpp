#include "network/Parameters.hpp"

#include "network/CounterRandom.hpp"

#include <algorithm>
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

void addGatedShapes(const LayerSpec& layer, const std::string& prefix, std::size_t fanIn,
                    ParameterSet& set) {
  const std::size_t columns = std::size_t{kNumGates} * layer.size;
  set.push_back({prefix + "weight", {fanIn, columns}, {}});
  set.push_back({prefix + "recurrent", {layer.size, columns}, {}});
  if (layer.bias) {
    set.push_back({prefix + "bias", {columns}, {}});
  }
  if (layer.gated.recurrentBias) {
    set.push_back({prefix + "recurrentBias", {columns}, {}});
  }
  if (layer.kind == LayerKind::Egru) {
    set.push_back({prefix + "threshold", {layer.size}, {}});
  }
}

// Beta(a, 3) as a product of powers of three uniform numbers.
double drawThreshold(const CounterRandom& random, std::uint64_t index, double mean) {
  const double a = 3.0 * mean / (1.0 - mean);
  double product = 1.0;
  for (std::uint64_t k = 0; k < 3; ++k) {
    product *= std::pow(1.0 - random.uniform(3 * index + k), 1.0 / (a + static_cast<double>(k)));
  }
  return product;
}

// The layer a tensor belongs to, or null for the readout's.
const LayerSpec* layerOf(const NetworkSpec& network, const std::string& name) {
  return name.starts_with("layer") ? &network.layers[std::stoul(name.substr(5))] : nullptr;
}

double weightBound(const LayerSpec* layer, const ParameterTensor& tensor) {
  constexpr double kEmbeddingBound = 0.1;
  if (tensor.name == "embedding/weight") {
    return kEmbeddingBound;
  }
  const bool gated = layer != nullptr && layer->isGated();
  return std::sqrt(6.0 / static_cast<double>(tensor.shape[0] + (gated ? tensor.shape[1] : 0)));
}

} // namespace

ParameterSet parameterShapes(const NetworkSpec& network) {
  ParameterSet set;
  std::size_t fanIn = network.numInputs;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const LayerSpec& layer = network.layers[l];
    const std::string prefix = "layer" + std::to_string(l) + "/";
    if (layer.isGated()) {
      addGatedShapes(layer, prefix, fanIn, set);
      fanIn = layer.size;
      continue;
    }
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
  if (network.readsWords()) {
    set.push_back({"embedding/weight", {network.readout.numOutputs, network.numInputs}, {}});
    if (network.readout.bias) {
      set.push_back({"embedding/bias", {network.readout.numOutputs}, {}});
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
    const LayerSpec* layer = layerOf(network, tensor.name);
    const CounterRandom random(seed, {streamOfName(tensor.name)});
    if (tensor.name.ends_with("/threshold")) {
      for (std::size_t i = 0; i < size; ++i) {
        tensor.values[i] = static_cast<float>(drawThreshold(random, i, layer->gated.thresholdMean));
      }
    }
    if (layer != nullptr && layer->isGated() && tensor.name.ends_with("/bias")) {
      const bool paper = layer->gated.convention == GatedConvention::Paper;
      std::fill_n(tensor.values.begin(), layer->size,
                  static_cast<float>(paper ? -layer->gated.keepBias : layer->gated.keepBias));
    }
    if (tensor.shape.size() == 1) {
      continue; // a bias, or thresholds
    }
    const double bound = weightScale * weightBound(layer, tensor);
    for (std::size_t i = 0; i < size; ++i) {
      tensor.values[i] = static_cast<float>(bound * (2.0 * random.uniform(i) - 1.0));
    }
  }
  return set;
}

std::string firstNotFinite(const ParameterTensor& tensor) {
  const auto found = std::find_if_not(tensor.values.begin(), tensor.values.end(),
                                      [](float value) { return std::isfinite(value); });
  if (found == tensor.values.end()) {
    return {};
  }
  auto rest = static_cast<std::size_t>(found - tensor.values.begin());
  std::string index;
  for (std::size_t d = tensor.shape.size(); d-- > 0; rest /= tensor.shape[d]) {
    index = std::to_string(rest % tensor.shape[d]) + (index.empty() ? "" : ", ") + index;
  }
  return "[" + index + "] is " + std::to_string(*found);
}

} // namespace spillway
