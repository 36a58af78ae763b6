#include "continuous/EventGru.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace spillway::continuous {

namespace {

// a_X relaxes towards the bias: exact.
double relaxed(const Model& model, double a, double bias, double span) {
  return bias + (a - bias) * std::exp(-span / model.tauSynapse);
}

double slopeOf(const Model& model, double update, double candidate, double c) {
  return sigmoid(update) * (std::tanh(candidate) - c) / model.tauMembrane;
}

// One Runge-Kutta step of unit i: c is the only variable without a closed form.
double stepUnit(const Model& model, const State& state, std::size_t i, double h) {
  const auto slopeAt = [&](double span, double c) {
    const double update = relaxed(model, state.a[kUpdate][i], model.bias[kUpdate][i], span);
    const double candidate =
        relaxed(model, state.a[kCandidate][i], model.bias[kCandidate][i], span);
    return slopeOf(model, update, candidate, c);
  };
  const double c = state.c[i];
  const double k1 = slopeAt(0.0, c), k2 = slopeAt(h / 2, c + h / 2 * k1);
  const double k3 = slopeAt(h / 2, c + h / 2 * k2), k4 = slopeAt(h, c + h * k3);
  return c + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

State stepAll(const Model& model, const State& state, double h) {
  State next = state;
  for (std::size_t i = 0; i < model.numUnits; ++i) {
    next.c[i] = stepUnit(model, state, i, h);
    for (std::size_t x = 0; x < kNumGates; ++x) {
      next.a[x][i] = relaxed(model, state.a[x][i], model.bias[x][i], h);
    }
  }
  return next;
}

// When unit i, below its threshold at `state` and not below it h later, meets it: bisection down to
// the last bit.
double crossing(const Model& model, const State& state, std::size_t i, double h) {
  double low = 0.0, high = h;
  for (double middle = h / 2; middle > low && middle < high; middle = low + (high - low) / 2) {
    (stepUnit(model, state, i, middle) < model.threshold[i] ? low : high) = middle;
  }
  return high;
}

struct Crossing {
  std::size_t unit;
  double span;
};

// The first unit to reach its threshold within a step.
std::optional<Crossing> firstCrossing(const Model& model, const State& state, const State& next,
                                      double h, const Integration& integration) {
  std::optional<Crossing> first;
  double second = INFINITY;
  for (std::size_t i = 0; i < model.numUnits; ++i) {
    if (next.c[i] < model.threshold[i]) {
      continue;
    }
    const double span = crossing(model, state, i, h);
    if (!first || span < first->span) {
      second = first ? first->span : INFINITY;
      first = {i, span};
    } else {
      second = std::min(second, span);
    }
  }
  if (first && second - first->span < integration.tie) {
    throw EventError("two units reach their thresholds within " + std::to_string(integration.tie));
  }
  return first;
}

class Simulation {
public:
  Simulation(const Model& model, const Task& task, const Integration& integration)
      : model_(model), task_(task), integration_(integration) {
    state_.c.assign(model.numUnits, 0.0);
    state_.a.fill(Vector(model.numUnits));
    result_.start = state_;
  }

  Trajectory run() {
    std::size_t input = 0, output = 0;
    while (time_ < task_.duration) {
      const double nextInput =
          input < task_.inputs.size() ? task_.inputs[input].time : task_.duration;
      const double nextOutput =
          output < task_.outputTimes.size() ? task_.outputTimes[output] : task_.duration;
      runUntil(std::min({nextInput, nextOutput, task_.duration}));
      if (input < task_.inputs.size() && time_ == nextInput) {
        receive(input++);
      }
      if (output < task_.outputTimes.size() && time_ == nextOutput) {
        result_.outputs.push_back(state_.c);
        add(Breakpoint::Kind::Output, output++, state_);
      }
    }
    add(Breakpoint::Kind::End, 0, state_);
    return std::move(result_);
  }

private:
  // Equal steps up to the time, begun anew after every event.
  void runUntil(double end) {
    while (time_ < end) {
      const double span = end - time_;
      const double steps = std::ceil(span / integration_.step);
      const double h = span / steps;
      double begin = time_;
      bool fired = false;
      for (double k = 0; k < steps && !fired; ++k) {
        const State next = stepAll(model_, state_, h);
        if (const auto found = firstCrossing(model_, state_, next, h, integration_)) {
          time_ = begin + k * h + found->span;
          state_ = stepAll(model_, state_, found->span);
          fire(found->unit);
          fired = true;
        } else {
          state_ = next;
        }
      }
      if (!fired) {
        time_ = end;
      }
    }
  }

  void fire(std::size_t n) {
    if (slope(model_, state_)[n] < integration_.least) {
      throw EventError("unit " + std::to_string(n) + " only touches its threshold");
    }
    if (++result_.numEvents > integration_.maxEvents) {
      throw EventError("more than " + std::to_string(integration_.maxEvents) + " events");
    }
    State after = state_;
    const double value = model_.threshold[n];
    const double gate = sigmoid(state_.a[kReset][n]);
    for (std::size_t x = 0; x < kNumGates; ++x) {
      for (std::size_t m = 0; m < model_.numUnits; ++m) {
        if (m != n) {
          after.a[x][m] +=
              model_.recurrent[x][m * model_.numUnits + n] * (x == kCandidate ? gate : 1.0) * value;
        }
      }
    }
    after.c[n] = 0.0;
    add(Breakpoint::Kind::Event, n, after);
  }

  void receive(std::size_t index) {
    const InputEvent& event = task_.inputs[index];
    State after = state_;
    for (std::size_t x = 0; x < kNumGates; ++x) {
      for (std::size_t m = 0; m < model_.numUnits; ++m) {
        after.a[x][m] += model_.input[x][m * model_.numInputs + event.input] * event.value;
      }
    }
    add(Breakpoint::Kind::Input, index, after);
  }

  void add(Breakpoint::Kind kind, std::size_t index, State after) {
    result_.breakpoints.push_back({kind, time_, index, state_, after});
    state_ = std::move(after);
  }

  const Model& model_;
  const Task& task_;
  const Integration& integration_;
  double time_ = 0.0;
  State state_;
  Trajectory result_;
};

} // namespace

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

Vector slope(const Model& model, const State& state) {
  Vector f(model.numUnits);
  for (std::size_t i = 0; i < f.size(); ++i) {
    f[i] = slopeOf(model, state.a[kUpdate][i], state.a[kCandidate][i], state.c[i]);
  }
  return f;
}

State advance(const Model& model, const State& state, double span, double step) {
  const double steps = std::max(1.0, std::ceil(span / step));
  State next = state;
  for (double k = 0; k < steps; ++k) {
    next = stepAll(model, next, span / steps);
  }
  return next;
}

Trajectory simulate(const Model& model, const Task& task, const Integration& integration) {
  return Simulation(model, task, integration).run();
}

} // namespace spillway::continuous
