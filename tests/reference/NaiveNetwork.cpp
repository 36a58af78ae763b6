#include "NaiveNetwork.hpp"

#include "Tape.hpp"

#include <cmath>
#include <map>
#include <numbers>

namespace spillway::reference::test {

namespace {

using Vector = std::vector<Scalar>;

double derivative(const Surrogate& s, double x) {
  switch (s.kind) {
  case SurrogateKind::Superspike:
    return s.scale * std::pow(1.0 + std::fabs(x) / s.width, -2.0);
  case SurrogateKind::Triangle:
    return std::fabs(x) < s.width ? s.scale * (1.0 - std::fabs(x) / s.width) : 0.0;
  case SurrogateKind::Box:
    return std::fabs(x) < s.width ? s.scale : 0.0;
  case SurrogateKind::Arctan:
    return s.scale / (1.0 + std::pow(std::numbers::pi * x / (2.0 * s.width), 2.0));
  }
  return NAN;
}

struct Builder {
  const NetworkSpec& network;
  const EventBatch& batch;
  SpikeFunction kind;
  Tape tape;
  std::map<std::string, Vector> parameters;
  NaiveResult result;

  Scalar constant(double x) { return tape.add(x); }

  Scalar spike(const LayerSpec& layer, Scalar x) {
    const double derivativeAtX = derivative(layer.surrogate, x.value());
    const double value = kind == SpikeFunction::Hard
                             ? (x.value() > 0.0 ? 1.0 : 0.0)
                             : layer.surrogate.scale * x.value() /
                                   (1.0 + std::fabs(x.value()) / layer.surrogate.width);
    return tape.add(value, {{x.index, derivativeAtX}});
  }

  // input * W (+ bias)
  Vector project(const std::string& prefix, const Vector& input, std::size_t size) {
    Vector sum;
    const Vector& weight = parameters.at(prefix + "weight");
    for (std::size_t i = 0; i < size; ++i) {
      Scalar total = constant(0.0);
      for (std::size_t j = 0; j < input.size(); ++j) {
        total = total + weight[j * size + i] * input[j];
      }
      if (parameters.count(prefix + "bias") != 0) {
        total = total + parameters.at(prefix + "bias")[i];
      }
      sum.push_back(total);
    }
    return sum;
  }

  struct State {
    Vector u, a, fired, sent;
  };

  Scalar resetOf(const LayerSpec& layer, Scalar u, Scalar z, Scalar theta) {
    const double after = layer.reset == ResetMode::ToZero ? u.value() * (1.0 - z.value())
                                                          : u.value() - theta.value() * z.value();
    if (layer.resetGradient == ResetGradient::Pass) {
      return u - tape.detach(u.value() - after);
    }
    return tape.detach(1.0 - z.value()) * u + tape.detach(after - (1.0 - z.value()) * u.value());
  }

  Scalar thetaOf(const LayerSpec& layer, const State& state, std::size_t i) {
    return layer.neuron == NeuronKind::Alif ? layer.theta + layer.beta * state.a[i]
                                            : constant(layer.theta);
  }

  State step(std::size_t l, const State& before, const Vector& input) {
    const LayerSpec& layer = network.layers[l];
    const std::string prefix = "layer" + std::to_string(l) + "/";
    Vector syn = project(prefix, input, layer.size);
    State now;
    for (std::size_t i = 0; i < layer.size; ++i) {
      Scalar drive = syn[i];
      for (std::size_t j = 0; layer.recurrent && j < layer.size; ++j) {
        drive = drive + parameters.at(prefix + "recurrent")[j * layer.size + i] * before.sent[j];
      }
      const Scalar kept = resetOf(layer, before.u[i], before.fired[i], thetaOf(layer, before, i));
      now.u.push_back(layer.alpha * kept + (layer.kappa * (1.0 - layer.alpha)) * drive);
      now.a.push_back(layer.neuron == NeuronKind::Alif
                          ? layer.rho * before.a[i] + (1.0 - layer.rho) * before.fired[i]
                          : constant(0.0));
    }
    fire(layer, now);
    return now;
  }

  // First who crosses the threshold, then who is near it, as long as there is room.
  void fire(const LayerSpec& layer, State& now) {
    std::size_t room = layer.maxActive == 0 ? layer.size : layer.maxActive;
    const bool all = kind == SpikeFunction::Soft || std::isinf(layer.gradientTheta);
    std::vector<bool> listed(layer.size, all), sent(layer.size, kind == SpikeFunction::Soft);
    for (bool spiking : {true, false}) {
      for (std::size_t i = 0; i < layer.size; ++i) {
        const double x = now.u[i].value() - thetaOf(layer, now, i).value();
        const bool wanted = spiking ? x > 0.0 : x <= 0.0 && x > layer.gradientTheta - layer.theta;
        if (wanted && room > 0) {
          listed[i] = sent[i] = true;
          --room;
          result.numSpikes += spiking ? 1 : 0;
        } else if (wanted && spiking) {
          ++result.numDropped;
        }
      }
    }
    for (std::size_t i = 0; i < layer.size; ++i) {
      const Scalar z = spike(layer, now.u[i] - thetaOf(layer, now, i));
      now.fired.push_back(listed[i] ? z : constant(z.value()));
      // What is not sent arrives as 0, though it may take part in the gradient.
      now.sent.push_back(!listed[i] ? constant(0.0) : sent[i] ? z : z - constant(z.value()));
    }
  }

  Scalar lossOfRow(const Vector& logits, std::size_t row, double normaliser) {
    Scalar loss = constant(0.0);
    if (network.loss.kind == LossKind::MeanSquared) {
      for (std::size_t k = 0; k < logits.size(); ++k) {
        const Scalar error = -batch.targets[row * logits.size() + k] + logits[k];
        loss = loss + error * error;
      }
    } else if (batch.labels[row] != EventBatch::kNoLabel) {
      Scalar sum = constant(0.0);
      for (Scalar logit : logits) {
        sum = sum + exp(logit);
      }
      loss = log(sum) - logits[static_cast<std::size_t>(batch.labels[row])];
    }
    return (1.0 / normaliser) * loss;
  }

  Vector reduce(const std::vector<Vector>& v) {
    Vector logits = v.back();
    for (std::size_t k = 0; k < logits.size(); ++k) {
      if (network.readout.reduction == ReadoutReduction::Mean) {
        logits[k] = constant(0.0);
        for (const Vector& row : v) {
          logits[k] = logits[k] + (1.0 / static_cast<double>(v.size())) * row[k];
        }
      } else if (network.readout.reduction == ReadoutReduction::Max) {
        logits[k] = v[0][k];
        for (const Vector& row : v) {
          logits[k] = row[k].value() > logits[k].value() ? row[k] : logits[k];
        }
      }
    }
    return logits;
  }

  Scalar rateTerm(const std::vector<std::vector<State>>& states) {
    const RateRegularisation& rate = network.loss.rate;
    Scalar total = constant(0.0);
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      for (std::size_t i = 0; i < network.layers[l].size; ++i) {
        Scalar r = constant(0.0);
        for (const std::vector<State>& step : states) {
          r = r + (1.0 / batch.numSteps) * step[l].fired[i];
        }
        const Scalar low = positivePart(rate.lowerRate + -1.0 * r);
        const Scalar high = positivePart(-rate.upperRate + r);
        total = total + rate.lower * (low * low) + rate.upper * (high * high);
      }
    }
    return (1.0 / batch.numSamples) * total;
  }

  Scalar sampleLoss(std::size_t b, double normaliser) {
    std::vector<std::vector<State>> states; // [step][layer]
    std::vector<Vector> v;
    std::vector<State> before;
    for (const LayerSpec& layer : network.layers) {
      const Vector zero(layer.size, constant(0.0));
      before.push_back({zero, zero, zero, zero});
    }
    Vector readout(network.readout.numOutputs, constant(0.0)), counts = readout;
    for (std::size_t t = 0; t < batch.numSteps; ++t) {
      Vector input(network.numInputs, constant(0.0));
      const std::size_t row = t * batch.numSamples + b;
      for (std::size_t k = 0; k < batch.counts[row]; ++k) {
        input[batch.ids[row * batch.maxEvents + k]] = constant(1.0);
      }
      std::vector<State> now;
      for (std::size_t l = 0; l < network.layers.size(); ++l) {
        now.push_back(step(l, before[l], l == 0 ? input : before[l - 1].sent));
      }
      if (network.readout.kind == ReadoutKind::LeakyIntegrator) {
        const Vector drive = project("readout/", before.back().sent, readout.size());
        for (std::size_t k = 0; k < readout.size(); ++k) {
          readout[k] = network.readout.alpha * readout[k] +
                       (network.readout.kappa * (1.0 - network.readout.alpha)) * drive[k];
        }
        v.push_back(readout);
      } else {
        for (std::size_t k = 0; k < counts.size(); ++k) {
          counts[k] = counts[k] + now.back().fired[k];
        }
      }
      states.push_back(now);
      before = now;
    }
    Scalar loss = rateTerm(states);
    if (network.readout.reduction == ReadoutReduction::PerStep) {
      for (std::size_t t = 0; t < v.size(); ++t) {
        loss = loss + lossOfRow(v[t], t * batch.numSamples + b, normaliser);
      }
      return loss;
    }
    return loss + lossOfRow(v.empty() ? counts : reduce(v), b, normaliser);
  }

  double normaliser() const {
    if (network.loss.kind == LossKind::MeanSquared) {
      return static_cast<double>(batch.targets.size());
    }
    double count = 0.0;
    for (std::int32_t label : batch.labels) {
      count += label == EventBatch::kNoLabel ? 0.0 : 1.0;
    }
    return count;
  }
};

} // namespace

NaiveResult runNaive(const NetworkSpec& network, const DenseSet& parameters,
                     const EventBatch& batch, SpikeFunction spikes,
                     const std::vector<double>& replay) {
  Builder builder{.network = network,
                  .batch = batch,
                  .kind = spikes,
                  .tape = {},
                  .parameters = {},
                  .result = {}};
  if (!replay.empty()) {
    builder.tape.replay(replay);
  }
  for (const DenseTensor& tensor : parameters) {
    for (double value : tensor.values) {
      builder.parameters[tensor.name].push_back(builder.tape.add(value));
    }
  }
  Scalar loss = builder.constant(0.0);
  for (std::size_t b = 0; b < batch.numSamples; ++b) {
    loss = loss + builder.sampleLoss(b, builder.normaliser());
  }
  const std::vector<double> adjoint = builder.tape.gradients(loss);
  builder.result.loss = loss.value();
  builder.result.detached = builder.tape.detached();
  builder.result.gradients = zeros(network);
  for (DenseTensor& tensor : builder.result.gradients) {
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      tensor.values[i] = adjoint[builder.parameters[tensor.name][i].index];
    }
  }
  return builder.result;
}

} // namespace spillway::reference::test
