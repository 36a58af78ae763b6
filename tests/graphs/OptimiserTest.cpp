// Updates on the device against the equations of docs/numerics.md in double precision.
#include "SessionFixture.hpp"
#include "train/Codelets.hpp"

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>

#include <cmath>

namespace spillway::testing {
namespace {

constexpr double kRate = 0.02;
constexpr int kUpdates = 4;

double normOf(const ParameterSet& gradients) {
  double squares = 0.0;
  for (const ParameterTensor& tensor : gradients) {
    for (const float value : tensor.values) {
      squares += double{value} * value;
    }
  }
  return std::sqrt(squares);
}

// One parameter's value after the gradients of one update after another.
double expected(const OptimiserSpec& spec, double p, const std::vector<double>& gradients) {
  double m = 0.0, v = 0.0;
  for (std::size_t n = 0; n < gradients.size(); ++n) {
    double g = gradients[n];
    if (spec.kind != OptimiserKind::AdamW) {
      g += spec.weightDecay * p;
    }
    if (spec.kind == OptimiserKind::Sgd) {
      v = spec.momentum * v + g;
      p -= kRate * v;
      continue;
    }
    m = spec.beta1 * m + (1.0 - spec.beta1) * g;
    v = spec.beta2 * v + (1.0 - spec.beta2) * g * g;
    const double count = static_cast<double>(n) + 1.0;
    const double mean = m / (1.0 - std::pow(spec.beta1, count));
    const double variance = v / (1.0 - std::pow(spec.beta2, count));
    if (spec.kind == OptimiserKind::AdamW) {
      p -= kRate * spec.weightDecay * p;
    }
    p -= kRate * mean / (std::sqrt(variance) + spec.epsilon);
  }
  return p;
}

void expectFollowsItsEquations(const OptimiserSpec& spec) {
  Trial trial;
  trial.optimiser = spec;
  const auto session = makeGraphSession(trial.request(plan::base(trial.numSteps)));
  const ParameterSet before = trial.parameters();
  session->setParameters(before);
  const EventBatch batch = trial.batch();
  std::vector<ParameterSet> gradients; // clipped
  for (int n = 0; n < kUpdates; ++n) {
    session->train(batch, kRate);
    gradients.push_back(session->gradients());
    const double norm = normOf(gradients.back());
    ASSERT_GT(norm, 0.0);
    for (ParameterTensor& tensor : gradients.back()) {
      for (float& value : tensor.values) {
        value *= static_cast<float>(spec.clipNorm > 0.0 ? std::min(1.0, spec.clipNorm / norm) : 1);
      }
    }
  }
  const ParameterSet after = session->parameters();
  double moved = 0.0;
  for (std::size_t t = 0; t < before.size(); ++t) {
    for (std::size_t i = 0; i < before[t].values.size(); ++i) {
      std::vector<double> own;
      for (const ParameterSet& set : gradients) {
        own.push_back(set[t].values[i]);
      }
      const double p = before[t].values[i], wanted = expected(spec, p, own);
      moved = std::max(moved, std::abs(wanted - p));
      EXPECT_NEAR(after[t].values[i], wanted, 2e-5 * (1.0 + std::abs(p)))
          << before[t].name << ", element " << i;
    }
  }
  EXPECT_GT(moved, 1e-3) << "nothing was updated";
}

TEST(DeviceOptimiser, FollowsItsEquations) {
  for (const OptimiserKind kind : {OptimiserKind::Sgd, OptimiserKind::Adam, OptimiserKind::AdamW}) {
    for (const double momentum : {0.0, 0.9}) {
      for (const double decay : {0.0, 0.1}) {
        for (const double clip : {0.0, 0.05}) {
          OptimiserSpec spec;
          spec.kind = kind;
          spec.momentum = kind == OptimiserKind::Sgd ? momentum : 0.0;
          spec.beta1 = momentum == 0.0 ? 0.9 : 0.7;
          spec.beta2 = momentum == 0.0 ? 0.999 : 0.95;
          spec.epsilon = 1e-4; // a gradient near 0 must not let rounding decide
          spec.weightDecay = decay;
          spec.clipNorm = clip;
          SCOPED_TRACE(::testing::Message() << static_cast<int>(kind) << " momentum " << momentum
                                            << " decay " << decay << " clip " << clip);
          expectFollowsItsEquations(spec);
        }
      }
    }
  }
}

float sumOfSquaresOnDevice(const std::vector<float>& gradient) {
  const poplar::Device device = poplar::Device::createCPUDevice();
  poplar::Graph graph(device.getTarget());
  graph.addCodelets(codeletsPath("spillway_codelets_cpu"));
  const poplar::Tensor values =
      graph.addConstant(poplar::FLOAT, {gradient.size()}, gradient.data());
  const poplar::Tensor sums = graph.addVariable(poplar::FLOAT, {1});
  poplar::ComputeSet squares = graph.addComputeSet("squares");
  const auto vertex =
      graph.addVertex(squares, "SumOfSquares", {{"gradient", values}, {"sums", sums}});
  for (const poplar::Tensor& tensor : {values, sums}) {
    graph.setTileMapping(tensor, 0);
  }
  graph.setTileMapping(vertex, 0);
  graph.createHostRead("sums", sums);
  poplar::Engine engine(graph, poplar::program::Execute(squares));
  engine.load(device);
  engine.run(0);
  float sum = 0.0f;
  engine.readTensor("sums", &sum, &sum + 1);
  return sum;
}

// A float at 1 does not change when 1e-8 is added to it.
TEST(DeviceOptimiser, CountsManySmallSquaresBesideALargeOne) {
  std::vector<float> gradient(1 << 20, 1e-4f);
  gradient.front() = 1.0f;
  EXPECT_NEAR(sumOfSquaresOnDevice(gradient), 1.0 + ((1 << 20) - 1) * 1e-8, 6e-6);
}

} // namespace
} // namespace spillway::testing
