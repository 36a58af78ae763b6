#include "continuous/Adjoint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace spillway::continuous {
namespace {

Model randomModel(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Model model;
  model.numUnits = 4;
  model.numInputs = 3;
  for (std::size_t x = 0; x < kNumGates; ++x) {
    for (std::size_t i = 0; i < 16; ++i) {
      model.recurrent[x].push_back(0.8 * normal(random));
    }
    for (std::size_t i = 0; i < 12; ++i) {
      model.input[x].push_back(normal(random) + (x == kCandidate ? 1.0 : 0.0));
    }
    for (std::size_t i = 0; i < 4; ++i) {
      model.bias[x].push_back(0.3 * normal(random) + (x == kReset ? 0.0 : 1.0));
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    model.threshold.push_back(0.3 + 0.1 * std::abs(normal(random)));
  }
  return model;
}

Task randomTask(unsigned seed, std::size_t numInputEvents, double duration) {
  std::mt19937 random(seed + 100);
  std::uniform_real_distribution<double> time(0.05, duration - 0.05), value(0.5, 1.5);
  Task task;
  task.duration = duration;
  for (std::size_t k = 0; k < numInputEvents; ++k) {
    task.inputs.push_back({time(random), k % 3, value(random)});
  }
  std::sort(task.inputs.begin(), task.inputs.end(),
            [](const InputEvent& a, const InputEvent& b) { return a.time < b.time; });
  task.outputTimes = {0.4 * duration, 0.7 * duration, duration};
  return task;
}

double loss(const Trajectory& trajectory) {
  double sum = 0.0;
  for (const Vector& c : trajectory.outputs) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      sum += (0.5 + static_cast<double>(i)) * c[i] * c[i];
    }
  }
  return sum;
}

std::vector<Vector> lossGradient(const Trajectory& trajectory) {
  std::vector<Vector> gradient = trajectory.outputs;
  for (Vector& c : gradient) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      c[i] *= 2.0 * (0.5 + static_cast<double>(i));
    }
  }
  return gradient;
}

Gradients gradientsOf(const Model& model, const Task& task, const JumpTerms& terms = {}) {
  const Trajectory trajectory = simulate(model, task, {});
  return differentiate(model, task, {}, trajectory, lossGradient(trajectory), terms);
}

struct Compared {
  double largestError = 0.0, largest = 0.0;
  std::size_t numSkipped = 0, numCompared = 0;
  double relative() const { return largestError / largest; }
};

// Central differences of the whole simulation; probes that change the number of events are left
// out.
void compare(Model& model, const Task& task, Vector& parameter, const Vector& gradient,
             Compared& result) {
  const std::size_t numEvents = simulate(model, task, {}).numEvents;
  const double eps = 1e-5;
  for (std::size_t k = 0; k < parameter.size(); ++k) {
    const double at = parameter[k];
    parameter[k] = at + eps;
    const Trajectory up = simulate(model, task, {});
    parameter[k] = at - eps;
    const Trajectory down = simulate(model, task, {});
    parameter[k] = at;
    if (up.numEvents != numEvents || down.numEvents != numEvents) {
      ++result.numSkipped;
      continue;
    }
    const double difference = (loss(up) - loss(down)) / (2.0 * eps);
    result.largestError = std::max(result.largestError, std::abs(difference - gradient[k]));
    result.largest = std::max(result.largest, std::abs(difference));
    ++result.numCompared;
  }
}

// Recurrent weights, input weights, biases, thresholds.
std::array<Compared, 4> compareAll(Model model, const Task& task, const Gradients& gradients) {
  std::array<Compared, 4> results;
  for (std::size_t x = 0; x < kNumGates; ++x) {
    compare(model, task, model.recurrent[x], gradients.recurrent[x], results[0]);
    compare(model, task, model.input[x], gradients.input[x], results[1]);
    compare(model, task, model.bias[x], gradients.bias[x], results[2]);
  }
  compare(model, task, model.threshold, gradients.threshold, results[3]);
  return results;
}

TEST(ContinuousAdjoint, MatchesFiniteDifferencesOfTheEventDrivenSimulation) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Model model = randomModel(seed);
    const Task task = randomTask(seed, 8, 6.0);
    ASSERT_GT(simulate(model, task, {}).numEvents, 8u);
    for (const Compared& part : compareAll(model, task, gradientsOf(model, task))) {
      EXPECT_LT(part.relative(), 1e-5) << "seed " << seed;
      EXPECT_GT(part.numCompared, part.numSkipped);
      EXPECT_GT(part.largest, 1e-3);
    }
  }
}

TEST(ContinuousAdjoint, MissesEveryJumpTermThatIsLeftOut) {
  const Model model = randomModel(1);
  const Task task = randomTask(1, 8, 6.0);
  const Gradients whole = gradientsOf(model, task);
  for (bool JumpTerms::*term : {&JumpTerms::slopes, &JumpTerms::reset, &JumpTerms::activations,
                                &JumpTerms::gateRate, &JumpTerms::gate}) {
    JumpTerms terms;
    terms.*term = false;
    const Gradients part = gradientsOf(model, task, terms);
    double error = 0.0, size = 0.0;
    for (std::size_t x = 0; x < kNumGates; ++x) {
      for (std::size_t k = 0; k < whole.recurrent[x].size(); ++k) {
        error = std::max(error, std::abs(part.recurrent[x][k] - whole.recurrent[x][k]));
        size = std::max(size, std::abs(whole.recurrent[x][k]));
      }
    }
    EXPECT_GT(error, 0.01 * size);
  }
}

// Corollary 1: the sum of outer products grows with the events alone, the integration of the
// adjoint with the duration.
TEST(ContinuousAdjoint, WorkOfTheWeightUpdateIsLinearInTheEvents) {
  std::size_t least = SIZE_MAX, most = 0;
  std::uint64_t fewestSteps = UINT64_MAX, mostSteps = 0;
  for (const double scale : {0.4, 0.7, 1.0}) {
    Model model = randomModel(2);
    for (double& threshold : model.threshold) {
      threshold *= scale;
    }
    const Task task = randomTask(2, 8, 6.0);
    const std::size_t numEvents = simulate(model, task, {}).numEvents;
    const Gradients gradients = gradientsOf(model, task);
    EXPECT_EQ(gradients.weightUpdates, 3u * (model.numUnits - 1) * numEvents);
    least = std::min(least, numEvents);
    most = std::max(most, numEvents);
    fewestSteps = std::min(fewestSteps, gradients.odeSteps);
    mostSteps = std::max(mostSteps, gradients.odeSteps);
  }
  EXPECT_GT(most, least + least / 2) << "the tasks should differ in events";
  EXPECT_LT(mostSteps, fewestSteps + fewestSteps / 10);
}

// A unit alone, driven by one input: both crossings are known by symmetry.
Model twins() {
  Model model;
  model.numUnits = 2;
  model.numInputs = 1;
  for (std::size_t x = 0; x < kNumGates; ++x) {
    model.recurrent[x].assign(4, 0.0);
    model.input[x].assign(2, x == kCandidate ? 2.0 : 0.0);
    model.bias[x].assign(2, 0.5);
  }
  model.threshold.assign(2, 0.3);
  return model;
}

TEST(ContinuousSimulation, RefusesTies) {
  const Task task{3.0, {{0.1, 0, 1.0}}, {3.0}};
  EXPECT_THROW(simulate(twins(), task, {}), EventError);
  Model apart = twins();
  apart.threshold[1] = 0.31;
  EXPECT_GT(simulate(apart, task, {}).numEvents, 0u);
}

TEST(ContinuousSimulation, RefusesTangentialCrossings) {
  Model model = twins();
  model.threshold[1] = 10.0;
  const Task task{3.0, {{0.1, 0, 1.0}}, {3.0}};
  Integration strict;
  strict.least = 10.0; // no crossing is that steep
  EXPECT_THROW(simulate(model, task, strict), EventError);
}

TEST(ContinuousSimulation, RefusesMoreEventsThanAllowed) {
  const Model model = randomModel(1);
  const Task task = randomTask(1, 8, 6.0);
  Integration integration;
  integration.maxEvents = simulate(model, task, {}).numEvents - 1;
  EXPECT_THROW(simulate(model, task, integration), EventError);
}

// With a constant drive c follows an exponential, so the event time has a closed form.
TEST(ContinuousSimulation, FindsEventTimesExactly) {
  Model model = twins();
  model.numUnits = 1;
  for (std::size_t x = 0; x < kNumGates; ++x) {
    model.recurrent[x] = {0.0};
    model.input[x] = {0.0};
    model.bias[x] = {x == kCandidate ? 1.2 : 0.4};
  }
  model.threshold = {0.3};
  // a starts at 0 and relaxes to the bias; from a long time on u and z are constant.
  const Task task{60.0, {}, {60.0}};
  const Trajectory trajectory = simulate(model, task, {});
  std::vector<double> times;
  for (const Breakpoint& at : trajectory.breakpoints) {
    if (at.kind == Breakpoint::Kind::Event) {
      times.push_back(at.time);
    }
  }
  ASSERT_GT(times.size(), 10u);
  const double u = sigmoid(0.4), z = std::tanh(1.2);
  const double period = -std::log(1.0 - 0.3 / z) / u;
  EXPECT_NEAR(times.back() - times[times.size() - 2], period, 1e-9);
}

} // namespace
} // namespace spillway::continuous
