#include "reference/Gated.hpp"
#include "reference/GatedLayer.hpp"

namespace spillway::reference {

namespace {

// result[j] += sum over c of matrix[j][c] * delta[c]
void addTransposed(const Vector& matrix, const Vector& delta, Vector& result) {
  for (std::size_t j = 0; j < result.size(); ++j) {
    for (std::size_t c = 0; c < delta.size(); ++c) {
      result[j] += matrix[j * delta.size() + c] * delta[c];
    }
  }
}

void addOuter(const Vector& x, const Vector& delta, double factor, DenseTensor& gradient) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (std::size_t c = 0; c < delta.size(); ++c) {
      gradient.values[j * delta.size() + c] += factor * x[j] * delta[c];
    }
  }
}

void addTo(DenseTensor* gradient, const Vector& delta, double factor = 1.0) {
  for (std::size_t c = 0; gradient != nullptr && c < delta.size(); ++c) {
    gradient->values[c] += factor * delta[c];
  }
}

// One step of one layer: what the recurrence hands back to the step before, and what goes below.
class LayerStep {
public:
  LayerStep(const GatedLayer& layer, const SampleTrace& trace, std::size_t step)
      : layer_(layer),
        n_(layer.size),
        c_(layer.state(trace, static_cast<std::ptrdiff_t>(step))),
        before_(layer.state(trace, static_cast<std::ptrdiff_t>(step) - 1)),
        start_(layer.afterReset(before_)),
        yBefore_(layer.outputs(before_)),
        gates_(trace.layers[layer.index].gates.begin() + static_cast<std::ptrdiff_t>(step * 4 * n_),
               trace.layers[layer.index].gates.begin() +
                   static_cast<std::ptrdiff_t>((step + 1) * 4 * n_)) {}

  // dy: dL/dy[t]. carry: dL/d what the leak of t+1 started from; becomes that of step t.
  // dyBefore: becomes dL/dy[t-1] through the recurrence; dx: dL/dx[t].
  void run(BatchSample sample, std::size_t step, const Vector& x, const Vector& dy, Vector& carry,
           Vector& dyBefore, Vector& dx, DenseSet& gradients) {
    const Vector dc = stateAdjoint(dy, carry, eventCost(layer_.spec, sample.batch), gradients);
    Vector dp(kNumGates * n_), dq(kNumGates * n_);
    dyBefore.assign(n_, 0.0);
    layer_.isPaper() ? throughPaper(dc, carry, dp, dq, dyBefore)
                     : throughCode(dc, sample, step, carry, dp, dq);
    addTransposed(layer_.recurrent, dq, dyBefore);
    if (layer_.isPaper()) {
      throughResetGate(dp, dyBefore, gradients);
    }
    addOuter(x, dp, 1.0, gradient(gradients, "weight"));
    addTransposed(layer_.weight.values, dp, dx);
    addRecurrent(yBefore_, dq, gradients);
    addTo(find(gradients, name("bias")), dp);
    addTo(find(gradients, name("recurrentBias")), dq);
  }

private:
  std::string name(const char* tensor) const {
    return "layer" + std::to_string(layer_.index) + "/" + tensor;
  }
  DenseTensor& gradient(DenseSet& gradients, const char* tensor) const {
    return *find(gradients, name(tensor));
  }

  void addRecurrent(const Vector& y, const Vector& delta, DenseSet& gradients) const {
    DenseTensor& recurrent = gradient(gradients, "recurrent");
    for (std::size_t j = 0; j < n_; ++j) {
      for (std::size_t c = 0; c < delta.size(); ++c) {
        const std::size_t at = j * delta.size() + c;
        recurrent.values[at] += layer_.recurrentScale[at] * y[j] * delta[c];
      }
    }
  }

  // dL/dc[t], through event, reset and leak; the thresholds' share too.
  Vector stateAdjoint(const Vector& dy, const Vector& carry, double eventCost,
                      DenseSet& gradients) const {
    DenseTensor* threshold = find(gradients, name("threshold"));
    Vector dc(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      const bool fired = layer_.fires(c_[i], i);
      const bool resets = layer_.spec.kind == LayerKind::Egru && !layer_.isPaper();
      const double throughReset = resets ? layer_.threshold[i] * carry[i] : 0.0;
      const double throughEvent =
          layer_.pseudoDerivative(c_[i], i) * (c_[i] * dy[i] - throughReset + eventCost);
      dc[i] = (fired ? dy[i] : 0.0) + throughEvent + carry[i];
      if (threshold != nullptr) {
        threshold->values[i] -= throughEvent + (fired && resets ? carry[i] : 0.0);
      }
    }
    return dc;
  }

  void throughCode(const Vector& dc, BatchSample sample, std::size_t step, Vector& carry,
                   Vector& dp, Vector& dq) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const bool moves = layer_.spec.gated.zoneout == 0.0 || layer_.moves(sample, step, i);
      const double d = moves ? dc[i] : 0.0;
      const double k = gates_[i], r = gates_[n_ + i], g = gates_[2 * n_ + i];
      const double q = gates_[3 * n_ + i];
      carry[i] = moves ? k * dc[i] : dc[i];
      const double throughCandidate = (1.0 - g * g) * (1.0 - k) * d;
      dp[i] = dq[i] = k * (1.0 - k) * (start_[i] - g) * d;
      dp[n_ + i] = dq[n_ + i] = r * (1.0 - r) * q * throughCandidate;
      dp[2 * n_ + i] = throughCandidate;
      dq[2 * n_ + i] = r * throughCandidate;
    }
  }

  // Without the reset gate, which needs what goes back through the candidate's product first.
  void throughPaper(const Vector& dc, Vector& carry, Vector& dp, Vector& dq,
                    Vector& dyBefore) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const double u = gates_[i], z = gates_[2 * n_ + i];
      carry[i] = (1.0 - u) * dc[i];
      dyBefore[i] -= dc[i];
      dp[i] = dq[i] = u * (1.0 - u) * (z - before_[i]) * dc[i];
      dp[2 * n_ + i] = (1.0 - z * z) * u * dc[i];
    }
  }

  void throughResetGate(Vector& dp, Vector& dyBefore, DenseSet& gradients) const {
    Vector candidate(kNumGates * n_), gated(n_), reset(kNumGates * n_), y(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      candidate[2 * n_ + i] = dp[2 * n_ + i];
      y[i] = gates_[n_ + i] * yBefore_[i];
    }
    addTransposed(layer_.recurrent, candidate, gated);
    addRecurrent(y, candidate, gradients);
    for (std::size_t j = 0; j < n_; ++j) {
      const double r = gates_[n_ + j];
      dyBefore[j] += r * gated[j];
      reset[n_ + j] = dp[n_ + j] = r * (1.0 - r) * yBefore_[j] * gated[j];
    }
    addTransposed(layer_.recurrent, reset, dyBefore);
    addRecurrent(yBefore_, reset, gradients);
  }

  const GatedLayer& layer_;
  std::size_t n_;
  Vector c_, before_, start_, yBefore_, gates_;
};

} // namespace

namespace {

// dL/dy[t] of the last layer through the leaky readout; dv is dL/dv[t+1] and becomes that of t.
Vector throughReadout(const NetworkSpec& network, const DenseSet& parameters, const Vector& y,
                      const SampleTrace& trace, const LossGradient& loss, std::size_t step,
                      Vector& dv, DenseSet& gradients) {
  const ReadoutSpec& readout = network.readout;
  for (std::size_t k = 0; k < dv.size(); ++k) {
    dv[k] = readout.alpha * dv[k] + directReadoutGradient(readout, trace, loss.logits, step, k);
  }
  addOuter(y, dv, readout.gain(), *find(gradients, "readout/weight"));
  addTo(find(gradients, "readout/bias"), dv, readout.gain());
  Vector dy(y.size()), scaled = dv;
  for (double& value : scaled) {
    value *= readout.gain();
  }
  addTransposed(find(parameters, "readout/weight")->values, scaled, dy);
  return dy;
}

Vector logitsGradient(const LossGradient& loss, std::size_t step, std::size_t numOutputs) {
  const auto begin = loss.logits.begin() + static_cast<std::ptrdiff_t>(step * numOutputs);
  return {begin, begin + static_cast<std::ptrdiff_t>(numOutputs)};
}

} // namespace

void gatedBackward(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample,
                   const SampleTrace& trace, const LossGradient& loss, DenseSet& gradients) {
  const std::vector<GatedLayer> layers = gatedLayers(network, parameters, sample.batch, true);
  const std::optional<WordMatrix> words = wordMatrix(network, parameters, true);
  const GatedLayer& top = layers.back();
  std::vector<Vector> carry, dyNext, inputs;
  for (const GatedLayer& layer : layers) {
    carry.emplace_back(layer.size);
    dyNext.emplace_back(layer.size);
  }
  if (words) {
    inputs = softmaxInputs(*words, top, sample, trace);
  }
  Vector dv(network.readout.numOutputs);
  for (std::size_t t = sample.batch.numSteps; t-- > 0;) {
    Vector fromAbove =
        words ? words->backward(sample, inputs, t,
                                logitsGradient(loss, t, network.readout.numOutputs), gradients)
              : throughReadout(network, parameters,
                               top.outputs(top.state(trace, static_cast<std::ptrdiff_t>(t))), trace,
                               loss, t, dv, gradients);
    for (std::size_t l = layers.size(); l-- > 0;) {
      Vector dy = dyNext[l];
      for (std::size_t i = 0; i < dy.size(); ++i) {
        dy[i] += fromAbove[i];
      }
      const Vector x = received(layers, l, sample, trace, t, words ? &*words : nullptr);
      fromAbove.assign(x.size(), 0.0);
      LayerStep(layers[l], trace, t)
          .run(sample, t, x, dy, carry[l], dyNext[l], fromAbove, gradients);
      for (std::size_t j = 0; j < fromAbove.size(); ++j) {
        fromAbove[j] *= layers[l].inputScale(sample, j);
      }
    }
    if (words) {
      words->addEmbedded(sample, t, fromAbove, gradients);
    }
  }
}

} // namespace spillway::reference
