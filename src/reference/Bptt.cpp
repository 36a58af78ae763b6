#include "reference/Bptt.hpp"

#include "reference/Surrogate.hpp"

#include <stdexcept>

namespace spillway::reference {

namespace {

// Adjoints of a layer's state at one step: dL/du and dL/da.
struct StateAdjoint {
  std::vector<double> u, a;
};

// sum over i of weight[j][i] * delta[i]
double rowTimes(const DenseTensor& weight, std::size_t j, const std::vector<double>& delta) {
  double sum = 0.0;
  for (std::size_t i = 0; i < delta.size(); ++i) {
    sum += weight.values[j * delta.size() + i] * delta[i];
  }
  return sum;
}

// weight[j][i] += gain * delta[i] for the spikes j
void addOuter(DenseTensor& gradient, const std::vector<std::uint32_t>& ids, std::size_t numSpikes,
              double gain, const std::vector<double>& delta) {
  for (std::size_t k = 0; k < numSpikes; ++k) {
    for (std::size_t i = 0; i < delta.size(); ++i) {
      gradient.values[ids[k] * delta.size() + i] += gain * delta[i];
    }
  }
}

void addBias(DenseSet& gradients, const std::string& name, double gain,
             const std::vector<double>& delta) {
  if (DenseTensor* bias = find(gradients, name)) {
    for (std::size_t i = 0; i < delta.size(); ++i) {
      bias->values[i] += gain * delta[i];
    }
  }
}

// Whether output k is largest at this step and was not so before.
bool isFirstMaximum(const SampleTrace& trace, std::size_t numOutputs, std::size_t k,
                    std::size_t step) {
  for (std::size_t t = 0; t < step; ++t) {
    if (trace.readout[t * numOutputs + k] == trace.logits[k]) {
      return false;
    }
  }
  return trace.readout[step * numOutputs + k] == trace.logits[k];
}

class SampleBackward {
public:
  SampleBackward(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample,
                 const SampleTrace& trace, const LossGradient& loss)
      : network_(network),
        parameters_(parameters),
        sample_(sample),
        trace_(trace),
        loss_(loss),
        integrates_(network.readout.kind == ReadoutKind::LeakyIntegrator),
        readout_(integrates_ ? network.readout.numOutputs : 0) {
    for (const LayerSpec& layer : network.layers) {
      next_.push_back({std::vector<double>(layer.size), std::vector<double>(layer.size)});
    }
  }

  void run(DenseSet& gradients) {
    for (std::size_t t = sample_.batch.numSteps; t-- > 0;) {
      std::vector<StateAdjoint> now;
      for (std::size_t l = 0; l < network_.layers.size(); ++l) {
        now.push_back(stateAdjoint(l, t));
        addLayerGradients(l, t, now.back().u, gradients);
      }
      if (integrates_) {
        stepReadout(t, gradients);
      }
      next_ = std::move(now);
    }
  }

private:
  // What reaches z[t] of neuron j from everything it is sent to, and from the loss.
  double spikeAdjoint(std::size_t l, std::uint32_t j) const {
    const LayerSpec& layer = network_.layers[l];
    const std::string prefix = "layer" + std::to_string(l) + "/";
    double sum = loss_.spikes[l][j];
    if (layer.recurrent) {
      sum += layer.gain() * rowTimes(*find(parameters_, prefix + "recurrent"), j, next_[l].u);
    }
    if (l + 1 < network_.layers.size()) {
      const DenseTensor& weight = *find(parameters_, "layer" + std::to_string(l + 1) + "/weight");
      sum += network_.layers[l + 1].gain() * rowTimes(weight, j, next_[l + 1].u);
    } else if (integrates_) {
      sum += network_.readout.gain() * rowTimes(*find(parameters_, "readout/weight"), j, readout_);
    } else {
      sum += loss_.logits[j];
    }
    if (layer.neuron == NeuronKind::Alif) {
      sum += (1.0 - layer.rho) * next_[l].a[j];
    }
    return sum;
  }

  StateAdjoint stateAdjoint(std::size_t l, std::size_t t) const {
    const LayerSpec& layer = network_.layers[l];
    const LayerTrace& trace = trace_.layers[l];
    StateAdjoint now = next_[l];
    for (std::size_t i = 0; i < layer.size; ++i) {
      const bool fired = trace.u[t * layer.size + i] > threshold(layer, trace, t, i);
      const bool blocked = fired && layer.resetGradient == ResetGradient::Gate;
      now.u[i] *= blocked ? 0.0 : layer.alpha;
      now.a[i] *= layer.rho;
    }
    for (std::uint32_t i : trace.active[t].ids) {
      const double x = trace.u[t * layer.size + i] - threshold(layer, trace, t, i);
      const double throughSpike = surrogateDerivative(layer.surrogate, x) * spikeAdjoint(l, i);
      now.u[i] += throughSpike;
      if (layer.neuron == NeuronKind::Alif) {
        now.a[i] -= layer.beta * throughSpike;
      }
    }
    return now;
  }

  void addLayerGradients(std::size_t l, std::size_t t, const std::vector<double>& du,
                         DenseSet& gradients) const {
    const LayerSpec& layer = network_.layers[l];
    const std::string prefix = "layer" + std::to_string(l) + "/";
    DenseTensor& weight = *find(gradients, prefix + "weight");
    if (l == 0) {
      const std::vector<std::uint32_t> ids = inputIds(sample_, t);
      addOuter(weight, ids, ids.size(), layer.gain(), du);
    } else if (t > 0) {
      const ActiveList& below = trace_.layers[l - 1].active[t - 1];
      addOuter(weight, below.ids, below.numSpikes, layer.gain(), du);
    }
    if (layer.recurrent && t > 0) {
      const ActiveList& own = trace_.layers[l].active[t - 1];
      addOuter(*find(gradients, prefix + "recurrent"), own.ids, own.numSpikes, layer.gain(), du);
    }
    addBias(gradients, prefix + "bias", layer.gain(), du);
  }

  // From dL/dv[t+1] to dL/dv[t], and what the readout's parameters get from step t.
  void stepReadout(std::size_t t, DenseSet& gradients) {
    const ReadoutSpec& readout = network_.readout;
    for (std::size_t k = 0; k < readout.numOutputs; ++k) {
      readout_[k] =
          readout.alpha * readout_[k] + directReadoutGradient(readout, trace_, loss_.logits, t, k);
    }
    if (t > 0) {
      const ActiveList& last = trace_.layers.back().active[t - 1];
      addOuter(*find(gradients, "readout/weight"), last.ids, last.numSpikes, readout.gain(),
               readout_);
    }
    addBias(gradients, "readout/bias", readout.gain(), readout_);
  }

  const NetworkSpec& network_;
  const DenseSet& parameters_;
  BatchSample sample_;
  const SampleTrace& trace_;
  const LossGradient& loss_;
  bool integrates_;
  std::vector<StateAdjoint> next_; // of step t+1, per layer
  std::vector<double> readout_;    // dL/dv of step t+1
};

} // namespace

double directReadoutGradient(const ReadoutSpec& readout, const SampleTrace& trace,
                             const std::vector<double>& logitGradient, std::size_t step,
                             std::size_t k) {
  const std::size_t numOutputs = readout.numOutputs;
  const std::size_t numSteps = trace.readout.size() / numOutputs;
  switch (readout.reduction) {
  case ReadoutReduction::Mean:
    return logitGradient[k] / static_cast<double>(numSteps);
  case ReadoutReduction::Last:
    return step + 1 == numSteps ? logitGradient[k] : 0.0;
  case ReadoutReduction::PerStep:
    return logitGradient[step * numOutputs + k];
  case ReadoutReduction::Max:
    return isFirstMaximum(trace, numOutputs, k, step) ? logitGradient[k] : 0.0;
  }
  throw std::logic_error("unknown readout reduction");
}

void backward(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample,
              const SampleTrace& trace, const LossGradient& loss, DenseSet& gradients) {
  SampleBackward(network, parameters, sample, trace, loss).run(gradients);
}

} // namespace spillway::reference
