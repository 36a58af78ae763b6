#include "reference/Forward.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::reference {

namespace {

// sum[i] += sum over j in the first `count` ids of weight[j][i]
void addRows(const DenseTensor& weight, const std::vector<std::uint32_t>& ids, std::size_t count,
             std::vector<double>& sum) {
  for (std::size_t k = 0; k < count; ++k) {
    const double* row = weight.values.data() + ids[k] * sum.size();
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += row[i];
    }
  }
}

// Weights times the spikes that arrive, plus bias. prefix is "layer0/", ...
std::vector<double> synapticInput(const DenseSet& parameters, const std::string& prefix,
                                  std::size_t size, const std::vector<std::uint32_t>& ids,
                                  std::size_t numSpikes) {
  std::vector<double> sum(size);
  addRows(*find(parameters, prefix + "weight"), ids, numSpikes, sum);
  if (const DenseTensor* bias = find(parameters, prefix + "bias")) {
    for (std::size_t i = 0; i < size; ++i) {
      sum[i] += bias->values[i];
    }
  }
  return sum;
}

struct State {
  double u = 0.0, adaptation = 0.0;
};

// What neuron i brings from the step before: u after its reset, and the adaptation.
State carriedState(const LayerSpec& layer, const LayerTrace& trace, std::size_t step,
                   std::size_t i) {
  if (step == 0) {
    return {};
  }
  const std::size_t before = (step - 1) * layer.size + i;
  const double u = trace.u[before], theta = threshold(layer, trace, step - 1, i);
  const bool fired = u > theta;
  State state;
  state.u = !fired ? u : layer.reset == ResetMode::ToZero ? 0.0 : u - theta;
  if (layer.neuron == NeuronKind::Alif) {
    state.adaptation =
        layer.rho * trace.adaptation[before] + (1.0 - layer.rho) * (fired ? 1.0 : 0.0);
  }
  return state;
}

void updateState(const LayerSpec& layer, LayerTrace& trace, std::size_t step,
                 const std::vector<double>& input) {
  for (std::size_t i = 0; i < layer.size; ++i) {
    const State carried = carriedState(layer, trace, step, i);
    trace.u[step * layer.size + i] = layer.alpha * carried.u + layer.gain() * input[i];
    if (layer.neuron == NeuronKind::Alif) {
      trace.adaptation[step * layer.size + i] = carried.adaptation;
    }
  }
}

void appendUpTo(std::size_t cap, const std::vector<std::uint32_t>& source,
                std::vector<std::uint32_t>& ids) {
  const std::size_t count = std::min(source.size(), cap - ids.size());
  ids.insert(ids.end(), source.begin(), source.begin() + static_cast<std::ptrdiff_t>(count));
}

// Who spikes, who else receives a gradient, and who is left out by the cap.
ActiveList selectActive(const LayerSpec& layer, const LayerTrace& trace, std::size_t step,
                        double& margin) {
  std::vector<std::uint32_t> spikes, candidates;
  for (std::uint32_t i = 0; i < layer.size; ++i) {
    const double u = trace.u[step * layer.size + i];
    const double theta = threshold(layer, trace, step, i);
    const double gradientTheta = theta + (layer.gradientTheta - layer.theta);
    margin = std::min({margin, std::abs(u - theta), std::abs(u - gradientTheta)});
    if (u > theta) {
      spikes.push_back(i);
    } else if (u > gradientTheta) {
      candidates.push_back(i);
    }
  }
  ActiveList list;
  const std::size_t cap = layer.maxActive == 0 ? layer.size : layer.maxActive;
  appendUpTo(cap, spikes, list.ids);
  list.numSpikes = list.ids.size();
  list.dropped.assign(spikes.begin() + static_cast<std::ptrdiff_t>(list.numSpikes), spikes.end());
  // Where all learn, the cap limits what is sent and nothing else.
  if (layer.allLearn()) {
    list.ids.insert(list.ids.end(), list.dropped.begin(), list.dropped.end());
    list.ids.insert(list.ids.end(), candidates.begin(), candidates.end());
  } else {
    appendUpTo(cap, candidates, list.ids);
  }
  return list;
}

void stepLayer(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample,
               std::size_t l, std::size_t step, SampleTrace& trace) {
  const LayerSpec& layer = network.layers[l];
  const std::string prefix = "layer" + std::to_string(l) + "/";
  ActiveList arriving;
  if (l == 0) {
    arriving.ids = inputIds(sample, step);
    arriving.numSpikes = arriving.ids.size();
  } else if (step > 0) {
    arriving = trace.layers[l - 1].active[step - 1];
  }
  std::vector<double> input =
      synapticInput(parameters, prefix, layer.size, arriving.ids, arriving.numSpikes);
  if (layer.recurrent && step > 0) {
    const ActiveList& own = trace.layers[l].active[step - 1];
    addRows(*find(parameters, prefix + "recurrent"), own.ids, own.numSpikes, input);
  }
  updateState(layer, trace.layers[l], step, input);
  trace.layers[l].active[step] = selectActive(layer, trace.layers[l], step, trace.thresholdMargin);
}

void stepReadout(const NetworkSpec& network, const DenseSet& parameters, std::size_t step,
                 SampleTrace& trace) {
  const ReadoutSpec& readout = network.readout;
  const ActiveList none;
  const ActiveList& last = step == 0 ? none : trace.layers.back().active[step - 1];
  const std::vector<double> input =
      synapticInput(parameters, "readout/", readout.numOutputs, last.ids, last.numSpikes);
  for (std::size_t k = 0; k < readout.numOutputs; ++k) {
    const std::size_t now = step * readout.numOutputs + k;
    const double before = step == 0 ? 0.0 : trace.readout[now - readout.numOutputs];
    trace.readout[now] = readout.alpha * before + readout.gain() * input[k];
  }
}

} // namespace

std::vector<double> reduceReadout(const ReadoutSpec& readout, const std::vector<double>& v) {
  const std::size_t numOutputs = readout.numOutputs, numSteps = v.size() / numOutputs;
  if (readout.reduction == ReadoutReduction::PerStep) {
    return v;
  }
  std::vector<double> logits(v.end() - static_cast<std::ptrdiff_t>(numOutputs), v.end()); // Last
  for (std::size_t k = 0; k < numOutputs && readout.reduction != ReadoutReduction::Last; ++k) {
    double sum = 0.0, largest = v[k];
    for (std::size_t t = 0; t < numSteps; ++t) {
      sum += v[t * numOutputs + k];
      largest = std::max(largest, v[t * numOutputs + k]);
    }
    logits[k] =
        readout.reduction == ReadoutReduction::Mean ? sum / static_cast<double>(numSteps) : largest;
  }
  return logits;
}

std::vector<double> spikeCounts(const LayerTrace& trace, std::size_t size) {
  std::vector<double> counts(size);
  for (const ActiveList& list : trace.active) {
    for (std::size_t k = 0; k < list.numSpikes; ++k) {
      counts[list.ids[k]] += 1.0;
    }
    for (const std::uint32_t id : list.dropped) {
      counts[id] += 1.0;
    }
  }
  return counts;
}

std::vector<std::uint32_t> inputIds(BatchSample sample, std::size_t step) {
  const EventBatch& batch = sample.batch;
  const std::size_t row = step * batch.numSamples + sample.index;
  const auto begin = batch.ids.begin() + static_cast<std::ptrdiff_t>(row * batch.maxEvents);
  return {begin, begin + batch.counts[row]};
}

double threshold(const LayerSpec& layer, const LayerTrace& trace, std::size_t step, std::size_t i) {
  return layer.neuron == NeuronKind::Alif
             ? layer.theta + layer.beta * trace.adaptation[step * layer.size + i]
             : layer.theta;
}

SampleTrace forward(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample) {
  const EventBatch& batch = sample.batch;
  const bool integrates = network.readout.kind == ReadoutKind::LeakyIntegrator;
  SampleTrace trace;
  trace.layers.resize(network.layers.size());
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const LayerSpec& layer = network.layers[l];
    const std::size_t total = std::size_t{batch.numSteps} * layer.size;
    trace.layers[l].u.resize(total);
    trace.layers[l].adaptation.resize(layer.neuron == NeuronKind::Alif ? total : 0);
    trace.layers[l].active.resize(batch.numSteps);
  }
  trace.readout.resize(integrates ? std::size_t{batch.numSteps} * network.readout.numOutputs : 0);

  for (std::size_t t = 0; t < batch.numSteps; ++t) {
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      stepLayer(network, parameters, sample, l, t, trace);
    }
    if (integrates) {
      stepReadout(network, parameters, t, trace);
    }
  }
  trace.logits = integrates ? reduceReadout(network.readout, trace.readout)
                            : spikeCounts(trace.layers.back(), network.readout.numOutputs);
  return trace;
}

} // namespace spillway::reference
