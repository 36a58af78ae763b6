#include "NaiveGated.hpp"

#include "Tape.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace spillway::reference::test {

namespace {

using Scalars = std::vector<Scalar>;

Scalar sigmoid(Scalar x) {
  return reciprocal(1.0 + exp(-1.0 * x));
}

Scalar tanh(Scalar x) {
  return -1.0 + 2.0 * sigmoid(2.0 * x);
}

// The event function of v = c - theta, a triangle its derivative.
Scalar event(Scalar v, const GatedSpec& spec, EventFunction function) {
  const double w = spec.pseudoWidth, x = v.value(), inside = std::clamp(x, -w, w);
  const double slope = spec.dampening * std::max(0.0, 1.0 - std::abs(x) / w);
  const double integral =
      spec.dampening * (inside - (inside < 0.0 ? -1.0 : 1.0) * inside * inside / (2.0 * w));
  const double value = function == EventFunction::Soft ? 0.5 + integral : (x > 0.0 ? 1.0 : 0.0);
  return v.tape->add(value, {{v.index, slope}});
}

class Network {
public:
  Network(const NetworkSpec& network, const DenseSet& parameters, EventFunction events)
      : network_(network), events_(events) {
    for (const DenseTensor& tensor : parameters) {
      for (double value : tensor.values) {
        parameters_[tensor.name].push_back(tape_.add(value));
      }
    }
  }

  Scalar sample(const EventBatch& batch, std::size_t b) {
    std::vector<Scalars> c, y;
    for (const LayerSpec& layer : network_.layers) {
      c.push_back(constants(layer.size));
      y.push_back(constants(layer.size));
    }
    Scalars v = constants(network_.readout.numOutputs);
    Scalar loss = tape_.add(0.0);
    for (std::size_t t = 0; t < batch.numSteps; ++t) {
      Scalars x = inputs(batch, t, b);
      for (std::size_t l = 0; l < c.size(); ++l) {
        step(l, x, c[l], y[l]);
        x = y[l];
      }
      readout(x, v);
      for (std::size_t k = 0; k < v.size(); ++k) {
        const double target = 0.1 * static_cast<double>((t + 2 * k + b) % 7);
        const Scalar error = -target + v[k];
        loss = loss + error * error;
      }
    }
    return loss;
  }

  Scalar zero() { return tape_.add(0.0); }
  std::size_t numEvents() const { return numEvents_; }

  DenseSet gradients(Scalar loss, const DenseSet& like) const {
    const std::vector<double> all = tape_.gradients(loss);
    DenseSet set = like;
    for (DenseTensor& tensor : set) {
      for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        tensor.values[i] = all[parameters_.at(tensor.name)[i].index];
      }
    }
    return set;
  }

private:
  Scalars constants(std::size_t size) {
    Scalars values;
    for (std::size_t i = 0; i < size; ++i) {
      values.push_back(tape_.add(0.0));
    }
    return values;
  }

  Scalars inputs(const EventBatch& batch, std::size_t t, std::size_t b) {
    Scalars x = constants(batch.numInputs);
    const std::size_t row = t * batch.numSamples + b;
    for (std::size_t k = 0; k < batch.counts[row]; ++k) {
      const std::size_t at = row * batch.maxEvents + k;
      x[batch.ids[at]] = tape_.add(batch.values.empty() ? 1.0 : double{batch.values[at]});
    }
    return x;
  }

  const Scalars* tensor(const std::string& name) const {
    const auto it = parameters_.find(name);
    return it == parameters_.end() ? nullptr : &it->second;
  }

  // Column c of x M + bias.
  Scalar product(const Scalars& x, const std::string& matrix, const std::string& bias,
                 std::size_t columns, std::size_t c) {
    Scalar sum = tensor(bias) == nullptr ? tape_.add(0.0) : (*tensor(bias))[c];
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum = sum + x[j] * (*tensor(matrix))[j * columns + c];
    }
    return sum;
  }

  void step(std::size_t l, const Scalars& x, Scalars& c, Scalars& y) {
    const LayerSpec& layer = network_.layers[l];
    const std::string prefix = "layer" + std::to_string(l) + "/";
    const std::size_t n = layer.size;
    const bool paper = layer.gated.convention == GatedConvention::Paper;
    const auto a = [&](std::size_t column) {
      return product(x, prefix + "weight", prefix + "bias", 3 * n, column);
    };
    const auto q = [&](const Scalars& events, std::size_t column) {
      return product(events, prefix + "recurrent", prefix + "recurrentBias", 3 * n, column);
    };
    Scalars gate, reset, gated;
    for (std::size_t i = 0; i < n; ++i) {
      gate.push_back(sigmoid(a(i) + q(y, i)));
      reset.push_back(sigmoid(a(n + i) + q(y, n + i)));
      gated.push_back(reset[i] * y[i]);
    }
    Scalars nextC, nextY;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t column = 2 * n + i;
      const Scalar candidate =
          tanh(a(column) + (paper ? q(gated, column) : reset[i] * q(y, column)));
      if (layer.kind == LayerKind::Gru) {
        nextC.push_back(gate[i] * c[i] + (1.0 + -1.0 * gate[i]) * candidate);
        nextY.push_back(nextC[i]);
        ++numEvents_;
        continue;
      }
      const Scalar theta = (*tensor(prefix + "threshold"))[i];
      // Code: c here is what the reset left of the state before.
      nextC.push_back(paper ? gate[i] * candidate + (1.0 + -1.0 * gate[i]) * c[i] - y[i]
                            : gate[i] * c[i] + (1.0 + -1.0 * gate[i]) * candidate);
      const Scalar fired = event(nextC[i] - theta, layer.gated, events_);
      numEvents_ += nextC[i].value() > theta.value() ? 1 : 0;
      nextY.push_back(fired * nextC[i]);
      if (!paper) {
        nextC[i] = nextC[i] - fired * theta;
      }
    }
    c = nextC;
    y = nextY;
  }

  void readout(const Scalars& y, Scalars& v) {
    const ReadoutSpec& readout = network_.readout;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const Scalar input = product(y, "readout/weight", "readout/bias", v.size(), k);
      v[k] = readout.alpha * v[k] + readout.gain() * input;
    }
  }

  const NetworkSpec& network_;
  EventFunction events_;
  Tape tape_;
  std::map<std::string, Scalars> parameters_;
  std::size_t numEvents_ = 0;
};

} // namespace

NaiveGatedResult runNaiveGated(const NetworkSpec& network, const DenseSet& parameters,
                               const EventBatch& batch, EventFunction events) {
  Network naive(network, parameters, events);
  Scalar loss = naive.zero();
  for (std::size_t b = 0; b < batch.numSamples; ++b) {
    loss = loss + naive.sample(batch, b);
  }
  return {loss.value(), naive.gradients(loss, parameters), naive.numEvents()};
}

} // namespace spillway::reference::test
