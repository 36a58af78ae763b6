#include "reference/Gated.hpp"
#include "reference/GatedLayer.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::reference {

namespace {

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

struct StepInput {
  Vector x;         // received
  Vector y, before; // own events of the step before, and its c
};

// Gates of a step: [keep or update, reset, candidate, the recurrent part of the candidate][size].
Vector gatesOf(const GatedLayer& layer, const StepInput& in) {
  const std::size_t n = layer.size;
  Vector a = layer.bias, q = layer.recurrentBias;
  addProduct(in.x, layer.weight.values, a);
  addProduct(in.y, layer.recurrent, q);
  Vector gates(4 * n);
  for (std::size_t i = 0; i < n; ++i) {
    gates[i] = sigmoid(a[i] + q[i]);
    gates[n + i] = sigmoid(a[n + i] + q[n + i]);
  }
  if (layer.isPaper()) { // the reset gate of the sending unit acts before the product
    Vector gated = in.y;
    for (std::size_t j = 0; j < n; ++j) {
      gated[j] *= gates[n + j];
    }
    q.assign(kNumGates * n, 0.0);
    addProduct(gated, layer.recurrent, q);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double reset = layer.isPaper() ? 1.0 : gates[n + i];
    gates[2 * n + i] = std::tanh(a[2 * n + i] + reset * q[2 * n + i]);
    gates[3 * n + i] = q[2 * n + i];
  }
  return gates;
}

Vector nextState(const GatedLayer& layer, const StepInput& in, const Vector& gates,
                 BatchSample sample, std::size_t step, Phase phase) {
  const std::size_t n = layer.size;
  const double zoneout = layer.spec.gated.zoneout;
  const Vector start = layer.afterReset(in.before);
  Vector c(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double gate = gates[i], candidate = gates[2 * n + i];
    if (layer.isPaper()) {
      c[i] = gate * candidate + (1.0 - gate) * in.before[i] - in.y[i];
      continue;
    }
    const double moved = gate * start[i] + (1.0 - gate) * candidate;
    if (zoneout == 0.0) {
      c[i] = moved;
    } else if (phase == Phase::Evaluation) {
      c[i] = zoneout * start[i] + (1.0 - zoneout) * moved;
    } else {
      c[i] = layer.moves(sample, step, i) ? moved : start[i];
    }
  }
  return c;
}

// Events, then the silent units within the pseudo-derivative's support.
ActiveList activeUnits(const GatedLayer& layer, const Vector& c, double& margin) {
  ActiveList list;
  std::vector<std::uint32_t> candidates;
  for (std::uint32_t i = 0; i < layer.size; ++i) {
    if (layer.fires(c[i], i)) {
      list.ids.push_back(i);
    } else if (c[i] > layer.threshold[i] - layer.spec.gated.pseudoWidth) {
      candidates.push_back(i);
    }
    if (layer.spec.kind == LayerKind::Egru) {
      margin = std::min(margin, std::abs(c[i] - layer.threshold[i]));
    }
  }
  list.numSpikes = list.ids.size();
  list.ids.insert(list.ids.end(), candidates.begin(), candidates.end());
  return list;
}

void stepLayer(const std::vector<GatedLayer>& layers, std::size_t l, BatchSample sample,
               std::size_t step, Phase phase, const WordMatrix* words, SampleTrace& trace) {
  const GatedLayer& layer = layers[l];
  StepInput in;
  in.x = received(layers, l, sample, trace, step, words);
  in.before = layer.state(trace, static_cast<std::ptrdiff_t>(step) - 1);
  in.y = layer.outputs(in.before);
  const Vector gates = gatesOf(layer, in);
  const Vector c = nextState(layer, in, gates, sample, step, phase);
  LayerTrace& own = trace.layers[l];
  own.u.insert(own.u.end(), c.begin(), c.end());
  own.gates.insert(own.gates.end(), gates.begin(), gates.end());
  own.active.push_back(activeUnits(layer, c, trace.thresholdMargin));
}

void stepReadout(const NetworkSpec& network, const DenseSet& parameters,
                 const std::vector<GatedLayer>& layers, std::size_t step, SampleTrace& trace) {
  const ReadoutSpec& readout = network.readout;
  const Vector y =
      layers.back().outputs(layers.back().state(trace, static_cast<std::ptrdiff_t>(step)));
  Vector input(readout.numOutputs);
  if (const DenseTensor* bias = find(parameters, "readout/bias")) {
    input = bias->values;
  }
  addProduct(y, find(parameters, "readout/weight")->values, input);
  for (std::size_t k = 0; k < readout.numOutputs; ++k) {
    double before = trace.before.readout.empty() ? 0.0 : trace.before.readout[k];
    if (step > 0) {
      before = trace.readout[(step - 1) * readout.numOutputs + k];
    }
    trace.readout.push_back(readout.alpha * before + readout.gain() * input[k]);
  }
}

} // namespace

std::optional<WordMatrix> wordMatrix(const NetworkSpec& network, const DenseSet& parameters,
                                     bool masked) {
  if (!network.readsWords()) {
    return std::nullopt;
  }
  return WordMatrix(network, parameters, masked);
}

std::vector<Vector> softmaxInputs(const WordMatrix& words, const GatedLayer& top,
                                  BatchSample sample, const SampleTrace& trace) {
  std::vector<Vector> inputs;
  for (std::size_t t = 0; t < sample.batch.numSteps; ++t) {
    const Vector y = top.outputs(top.state(trace, static_cast<std::ptrdiff_t>(t)));
    inputs.push_back(words.softmaxInput(sample, y));
  }
  return inputs;
}

double eventCost(const LayerSpec& layer, const EventBatch& batch) {
  return layer.gated.eventPenalty / (double{1.0} * batch.numSteps * batch.numSamples * layer.size);
}

double eventLoss(const NetworkSpec& network, const EventBatch& batch, const SampleTrace& trace) {
  double loss = 0.0;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    for (const ActiveList& list : trace.layers[l].active) {
      loss += eventCost(network.layers[l], batch) * static_cast<double>(list.numSpikes);
    }
  }
  return loss;
}

double languagePenalty(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample,
                       const SampleTrace& trace) {
  const std::optional<WordMatrix> words = wordMatrix(network, parameters, true);
  if (!words) {
    return 0.0;
  }
  const std::vector<GatedLayer> layers = gatedLayers(network, parameters, sample.batch, true);
  return words->penalty(sample, softmaxInputs(*words, layers.back(), sample, trace));
}

SampleTrace gatedForward(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample,
                         Phase phase, const CarriedState& before) {
  const std::vector<GatedLayer> layers =
      gatedLayers(network, parameters, sample.batch, phase == Phase::Training);
  SampleTrace trace;
  trace.before = before;
  trace.layers.resize(layers.size());
  const std::optional<WordMatrix> words = wordMatrix(network, parameters, phase == Phase::Training);
  for (std::size_t t = 0; t < sample.batch.numSteps; ++t) {
    for (std::size_t l = 0; l < layers.size(); ++l) {
      stepLayer(layers, l, sample, t, phase, words ? &*words : nullptr, trace);
    }
    if (words) {
      const Vector y =
          layers.back().outputs(layers.back().state(trace, static_cast<std::ptrdiff_t>(t)));
      const Vector logits = words->logits(words->softmaxInput(sample, y));
      trace.readout.insert(trace.readout.end(), logits.begin(), logits.end());
    } else {
      stepReadout(network, parameters, layers, t, trace);
    }
  }
  trace.logits = reduceReadout(network.readout, trace.readout);
  return trace;
}

CarriedState carriedState(const NetworkSpec& network, const SampleTrace& trace) {
  CarriedState carried;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Vector& c = trace.layers[l].u;
    carried.layers.emplace_back(c.end() - network.layers[l].size, c.end());
  }
  carried.readout.assign(trace.readout.end() - network.readout.numOutputs, trace.readout.end());
  return carried;
}

} // namespace spillway::reference
