// One training step (forward, backward, update) on the host's cores.
//
//   training_benchmark --benchmark_counters_tabular=true
//
// Networks have 700 inputs, three hidden LIF layers, about 2 % of inputs
// active a step. `window` is the share of neurons that receive a gradient: all of them, or those
// near threshold.
#include "network/CounterRandom.hpp"
#include "plan/PaperStrategies.hpp"
#include "train/GraphSession.hpp"

#include <benchmark/benchmark.h>

#include <random>

namespace spillway {
namespace {

NetworkSpec network(std::uint32_t width, bool windowed) {
  NetworkSpec spec;
  spec.numInputs = 700;
  spec.maxInputEvents = 48;
  for (int l = 0; l < 3; ++l) {
    LayerSpec layer;
    layer.size = width;
    layer.reset = ResetMode::Subtract;
    layer.surrogate.width = 0.04;
    if (windowed) {
      layer.gradientTheta = 0.8;
      layer.maxActive = width / 8;
    }
    spec.layers.push_back(layer);
  }
  spec.readout.numOutputs = 10;
  return spec;
}

EventBatch randomBatch(const NetworkSpec& spec, std::uint32_t numSteps, std::uint32_t numSamples) {
  std::mt19937 random(1);
  std::bernoulli_distribution active(0.02);
  EventBatch batch;
  batch.numSteps = numSteps;
  batch.numSamples = numSamples;
  batch.numInputs = spec.numInputs;
  batch.maxEvents = spec.maxInputEvents;
  const std::size_t rows = std::size_t{numSteps} * numSamples;
  batch.ids.resize(rows * batch.maxEvents);
  batch.counts.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::uint32_t i = 0; i < spec.numInputs; ++i) {
      if (active(random) && batch.counts[row] < batch.maxEvents) {
        batch.ids[row * batch.maxEvents + batch.counts[row]++] = static_cast<std::uint16_t>(i);
      }
    }
  }
  for (std::uint32_t b = 0; b < numSamples; ++b) {
    batch.labels.push_back(static_cast<std::int32_t>(b % spec.readout.numOutputs));
  }
  return batch;
}

// Arguments: hidden width, samples, steps, chunk (0: keep every state), windowed, threads.
void trainStep(benchmark::State& state) {
  SessionRequest request;
  request.network = network(static_cast<std::uint32_t>(state.range(0)), state.range(4) != 0);
  request.numSamples = static_cast<std::uint32_t>(state.range(1));
  const auto steps = static_cast<plan::Step>(state.range(2));
  const auto chunk = static_cast<plan::Step>(state.range(3));
  request.schedule = chunk == 0 ? plan::base(steps) : plan::standard(steps, chunk);
  request.blockSteps = 16;
  request.engine.threads = static_cast<std::uint32_t>(state.range(5));
  const auto session = makeGraphSession(request);
  session->setParameters(initialParameters(request.network, 1, 2.0));
  const EventBatch batch = randomBatch(request.network, steps, request.numSamples);
  BatchResult result;
  for (auto _ : state) {
    result = session->train(batch, 0.0);
  }
  const double perLayer = static_cast<double>(state.range(0)) * request.numSamples * steps;
  state.counters["rate"] = static_cast<double>(result.layers[1].numSpikes) / perLayer;
  state.counters["window"] = static_cast<double>(result.layers[1].numGradients) / perLayer;
}

BENCHMARK(trainStep)
    ->ArgNames({"width", "samples", "steps", "chunk", "windowed", "threads"})
    ->Args({512, 32, 100, 0, 1, 2})
    ->Args({512, 32, 100, 0, 1, 1})
    ->Args({512, 32, 100, 0, 0, 2})
    ->Args({512, 32, 100, 0, 0, 1})
    ->Args({512, 32, 100, 10, 1, 2})
    ->Args({1024, 48, 300, 0, 1, 2})
    ->Args({512, 32, 1000, 0, 1, 2})
    ->Args({512, 32, 1000, 32, 1, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
} // namespace spillway
