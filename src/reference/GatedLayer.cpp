#include "reference/GatedLayer.hpp"

#include "reference/GatedMasks.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::reference {

namespace {

Vector valuesOf(const DenseSet& parameters, const std::string& name, std::size_t size) {
  const DenseTensor* tensor = find(parameters, name);
  return tensor == nullptr ? Vector(size) : tensor->values;
}

std::string nameOf(std::size_t layer, const char* tensor) {
  return "layer" + std::to_string(layer) + "/" + tensor;
}

// Streams of maskUniform().
std::uint32_t zoneoutStream(std::size_t layer) {
  return 2 * static_cast<std::uint32_t>(layer + 1);
}
std::uint32_t dropconnectStream(std::size_t layer) {
  return zoneoutStream(layer) + 1;
}
std::uint32_t dropoutStream(std::size_t layer) {
  return 0x10000u + static_cast<std::uint32_t>(layer);
}

} // namespace

GatedLayer::GatedLayer(const NetworkSpec& network, const DenseSet& parameters, std::size_t l,
                       const EventBatch& batch, bool isMasked)
    : spec(network.layers[l]),
      index(l),
      size(spec.size),
      masked(isMasked),
      weight(*find(parameters, nameOf(l, "weight"))),
      recurrent(find(parameters, nameOf(l, "recurrent"))->values),
      recurrentScale(recurrent.size(), 1.0),
      bias(valuesOf(parameters, nameOf(l, "bias"), kNumGates * size)),
      recurrentBias(valuesOf(parameters, nameOf(l, "recurrentBias"), kNumGates * size)),
      threshold(valuesOf(parameters, nameOf(l, "threshold"), size)) {
  const double p = spec.gated.dropconnect;
  for (std::size_t e = 0; masked && p > 0.0 && e < recurrent.size(); ++e) {
    const double uniform =
        maskUniform(batch.maskKey, dropconnectStream(l), static_cast<std::uint32_t>(e));
    recurrentScale[e] = uniform >= p ? 1.0 / (1.0 - p) : 0.0;
    recurrent[e] *= recurrentScale[e];
  }
}

Vector GatedLayer::outputs(const Vector& c) const {
  Vector y(size);
  for (std::size_t i = 0; i < size; ++i) {
    y[i] = fires(c[i], i) ? c[i] : 0.0;
  }
  return y;
}

Vector GatedLayer::afterReset(const Vector& c) const {
  Vector h = c;
  for (std::size_t i = 0; i < size && spec.kind == LayerKind::Egru && !isPaper(); ++i) {
    h[i] -= fires(c[i], i) ? threshold[i] : 0.0;
  }
  return h;
}

double GatedLayer::pseudoDerivative(double c, std::size_t i) const {
  if (spec.kind == LayerKind::Gru) {
    return 0.0;
  }
  const double distance = std::abs(c - threshold[i]) / spec.gated.pseudoWidth;
  return spec.gated.dampening * std::max(0.0, 1.0 - distance);
}

Vector GatedLayer::state(const SampleTrace& trace, std::ptrdiff_t step) const {
  if (step < 0) {
    return trace.before.layers.empty() ? Vector(size) : trace.before.layers[index];
  }
  const auto begin = trace.layers[index].u.begin() + step * static_cast<std::ptrdiff_t>(size);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

bool GatedLayer::moves(BatchSample sample, std::size_t step, std::size_t i) const {
  const std::size_t element = (step * sample.batch.numSamples + sample.index) * size + i;
  return maskUniform(sample.batch.maskKey, zoneoutStream(index),
                     static_cast<std::uint32_t>(element)) >= spec.gated.zoneout;
}

double GatedLayer::inputScale(BatchSample sample, std::size_t j) const {
  const std::size_t fanIn = weight.shape[0];
  return maskScale(masked ? spec.gated.dropout : 0.0, sample.batch.maskKey, dropoutStream(index),
                   static_cast<std::uint32_t>(sample.index * fanIn + j));
}

void addProduct(const Vector& x, const Vector& matrix, Vector& sum) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (std::size_t c = 0; c < sum.size(); ++c) {
      sum[c] += x[j] * matrix[j * sum.size() + c];
    }
  }
}

namespace {

Vector inputValues(BatchSample sample, std::size_t step) {
  const EventBatch& batch = sample.batch;
  Vector x(batch.numInputs);
  const std::size_t row = step * batch.numSamples + sample.index;
  for (std::size_t k = 0; k < batch.counts[row]; ++k) {
    const std::size_t at = row * batch.maxEvents + k;
    x[batch.ids[at]] = batch.values.empty() ? 1.0 : double{batch.values[at]};
  }
  return x;
}

} // namespace

Vector received(const std::vector<GatedLayer>& layers, std::size_t l, BatchSample sample,
                const SampleTrace& trace, std::size_t step, const WordMatrix* words) {
  Vector x;
  if (l > 0) {
    x = layers[l - 1].outputs(layers[l - 1].state(trace, static_cast<std::ptrdiff_t>(step)));
  } else {
    x = words != nullptr ? words->embedded(sample, step) : inputValues(sample, step);
  }
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] *= layers[l].inputScale(sample, j);
  }
  return x;
}

std::vector<GatedLayer> gatedLayers(const NetworkSpec& network, const DenseSet& parameters,
                                    const EventBatch& batch, bool masked) {
  std::vector<GatedLayer> layers;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    layers.emplace_back(network, parameters, l, batch, masked);
  }
  return layers;
}

} // namespace spillway::reference
