#include "continuous/Adjoint.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::continuous {

namespace {

// Adjoints of one unit, and the integrals that make its biases' gradients.
struct UnitAdjoint {
  double c = 0.0;
  std::array<double, kNumGates> a{}, bias{};

  UnitAdjoint plus(double factor, const UnitAdjoint& rate) const {
    UnitAdjoint sum = *this;
    sum.c += factor * rate.c;
    for (std::size_t x = 0; x < kNumGates; ++x) {
      sum.a[x] += factor * rate.a[x];
      sum.bias[x] += factor * rate.bias[x];
    }
    return sum;
  }
};

// Rates against time, which runs backward.
UnitAdjoint rate(const Model& model, const State& state, std::size_t i, const UnitAdjoint& now) {
  const double u = sigmoid(state.a[kUpdate][i]), z = std::tanh(state.a[kCandidate][i]);
  UnitAdjoint rates;
  rates.c = -now.c * u / model.tauMembrane;
  for (std::size_t x = 0; x < kNumGates; ++x) {
    rates.a[x] = -now.a[x] / model.tauSynapse;
    rates.bias[x] = now.a[x] / model.tauSynapse;
  }
  rates.a[kUpdate] += now.c * u * (1.0 - u) * (z - state.c[i]) / model.tauMembrane;
  rates.a[kCandidate] += now.c * u * (1.0 - z * z) / model.tauMembrane;
  return rates;
}

class Backward {
public:
  Backward(const Model& model, const Task& task, const Integration& integration,
           const std::vector<Vector>& outputGradients, const JumpTerms& terms)
      : model_(model),
        task_(task),
        integration_(integration),
        outputGradients_(outputGradients),
        terms_(terms),
        adjoint_(model.numUnits) {
    for (std::size_t x = 0; x < kNumGates; ++x) {
      result_.recurrent[x].resize(model.numUnits * model.numUnits);
      result_.input[x].resize(model.numUnits * model.numInputs);
      result_.bias[x].resize(model.numUnits);
    }
    result_.threshold.resize(model.numUnits);
  }

  Gradients run(const Trajectory& trajectory) {
    for (std::size_t k = trajectory.breakpoints.size(); k-- > 0;) {
      const Breakpoint& at = trajectory.breakpoints[k];
      jump(at);
      const State& begin = k == 0 ? trajectory.start : trajectory.breakpoints[k - 1].after;
      const double since = k == 0 ? 0.0 : trajectory.breakpoints[k - 1].time;
      integrate(begin, at.time - since);
    }
    for (std::size_t i = 0; i < model_.numUnits; ++i) {
      for (std::size_t x = 0; x < kNumGates; ++x) {
        result_.bias[x][i] = adjoint_[i].bias[x];
      }
    }
    return std::move(result_);
  }

private:
  // Back over a smooth piece, whose states are recomputed from its begin at every half step.
  void integrate(const State& begin, double span) {
    if (span <= 0.0) {
      return;
    }
    const auto steps = static_cast<std::size_t>(std::ceil(span / integration_.step));
    const double h = span / static_cast<double>(steps);
    std::vector<State> states{begin};
    for (std::size_t k = 0; k < 2 * steps; ++k) {
      states.push_back(advance(model_, states.back(), h / 2, h / 2));
    }
    for (std::size_t k = steps; k-- > 0;) {
      for (std::size_t i = 0; i < model_.numUnits; ++i) {
        stepUnit(&states[2 * k], i, h);
      }
    }
    result_.odeSteps += steps * model_.numUnits;
  }

  // states: at the step's begin, middle and end.
  void stepUnit(const State* states, std::size_t i, double h) {
    const UnitAdjoint& now = adjoint_[i];
    const UnitAdjoint k1 = rate(model_, states[2], i, now);
    const UnitAdjoint k2 = rate(model_, states[1], i, now.plus(h / 2, k1));
    const UnitAdjoint k3 = rate(model_, states[1], i, now.plus(h / 2, k2));
    const UnitAdjoint k4 = rate(model_, states[0], i, now.plus(h, k3));
    adjoint_[i] = now.plus(h / 6, k1).plus(h / 3, k2).plus(h / 3, k3).plus(h / 6, k4);
  }

  void jump(const Breakpoint& at) {
    switch (at.kind) {
    case Breakpoint::Kind::Event:
      jumpAtEvent(at);
      break;
    case Breakpoint::Kind::Input:
      takeInput(task_.inputs[at.index]);
      break;
    case Breakpoint::Kind::Output:
      for (std::size_t i = 0; i < model_.numUnits; ++i) {
        adjoint_[i].c += outputGradients_[at.index][i];
      }
      break;
    case Breakpoint::Kind::End:
      break;
    }
  }

  // Input times are given: only the weights see the event.
  void takeInput(const InputEvent& event) {
    for (std::size_t x = 0; x < kNumGates; ++x) {
      for (std::size_t m = 0; m < model_.numUnits; ++m) {
        result_.input[x][m * model_.numInputs + event.input] += adjoint_[m].a[x] * event.value;
      }
    }
  }

  void jumpAtEvent(const Breakpoint& at) {
    const std::size_t n = at.index, N = model_.numUnits;
    const Vector before = slope(model_, at.before), after = slope(model_, at.after);
    const double theta = model_.threshold[n], r = sigmoid(at.before.a[kReset][n]);
    const double reset = at.before.a[kReset][n];
    const double gateRate = r * (1.0 - r) * (model_.bias[kReset][n] - reset) / model_.tauSynapse;
    double shift = terms_.reset ? -adjoint_[n].c * after[n] : 0.0; // dL / d (event time), negated
    double perThreshold = 0.0, intoGate = 0.0;
    for (std::size_t m = 0; m < N; ++m) {
      if (m == n) {
        continue;
      }
      shift += terms_.slopes ? adjoint_[m].c * (before[m] - after[m]) : 0.0;
      for (std::size_t x = 0; x < kNumGates; ++x) {
        const double gate = x == kCandidate ? r : 1.0;
        const double moving = x == kCandidate && terms_.gateRate ? gateRate : 0.0;
        const double arriving = adjoint_[m].a[x] * model_.recurrent[x][m * N + n];
        shift += terms_.activations ? arriving * theta * (gate / model_.tauSynapse + moving) : 0.0;
        perThreshold += arriving * gate;
        intoGate += x == kCandidate ? arriving * theta * r * (1.0 - r) : 0.0;
        result_.recurrent[x][m * N + n] += adjoint_[m].a[x] * gate * theta;
        ++result_.weightUpdates;
      }
    }
    adjoint_[n].c = -shift / before[n];
    adjoint_[n].a[kReset] += terms_.gate ? intoGate : 0.0;
    result_.threshold[n] += perThreshold - adjoint_[n].c;
  }

  const Model& model_;
  const Task& task_;
  const Integration& integration_;
  const std::vector<Vector>& outputGradients_;
  JumpTerms terms_;
  std::vector<UnitAdjoint> adjoint_;
  Gradients result_;
};

} // namespace

Gradients differentiate(const Model& model, const Task& task, const Integration& integration,
                        const Trajectory& trajectory, const std::vector<Vector>& outputGradients,
                        const JumpTerms& terms) {
  return Backward(model, task, integration, outputGradients, terms).run(trajectory);
}

} // namespace spillway::continuous
