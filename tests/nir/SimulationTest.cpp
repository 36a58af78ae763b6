// That an exported network does elsewhere what it does here.
#include "NirSimulator.hpp"
#include "data/TempFolder.hpp"
#include "nir/Export.hpp"
#include "nir/NirFile.hpp"
#include "reference/Forward.hpp"
#include "support/RandomNetworks.hpp"

namespace spillway::nir {
namespace {

constexpr std::uint32_t kSteps = 40;
constexpr double kDt = 1e-3;

struct Case {
  NetworkSpec network = test::smallNetwork();
  ParameterSet parameters;
  std::vector<Signal> inputs; // of the first sample
  reference::SampleTrace trace;

  explicit Case(bool recurrent) {
    network.layers[0].recurrent = recurrent;
    network.layers[0].bias = true;
    network.layers[1].bias = recurrent;
    parameters = test::randomParameters(network, 21);
    const EventBatch batch = test::randomBatch(network, kSteps, 1, 0.4, 5);
    trace = reference::forward(network, reference::toDense(network, parameters), {batch, 0});
    for (std::uint32_t t = 0; t < kSteps; ++t) {
      Signal input(network.numInputs, 0.0);
      for (const std::uint32_t id : reference::inputIds({batch, 0}, t)) {
        input[id] = 1.0;
      }
      inputs.push_back(input);
    }
  }

  Signal spikes(std::size_t layer, std::size_t step) const {
    Signal z(network.layers[layer].size, 0.0);
    const reference::ActiveList& active = trace.layers[layer].active[step];
    for (std::size_t k = 0; k < active.numSpikes; ++k) {
      z[active.ids[k]] = 1.0;
    }
    return z;
  }

  // As read back from a file, so that time constants are FLOATs.
  std::vector<std::map<std::string, Signal>> elsewhere(ExportOptions options) const {
    options.dt = kDt;
    const std::vector<char> bytes = toFile(exportNetwork(network, parameters, options).graph);
    const test::TempFolder folder;
    return simulate(readFile(folder.write("a.nir", test::Bytes(bytes.begin(), bytes.end()))),
                    inputs, kDt);
  }
};

std::size_t numSpikes(const Case& task) {
  std::size_t count = 0;
  for (std::size_t t = 0; t < kSteps; ++t) {
    for (const double z : task.spikes(1, t)) {
      count += z > 0.0 ? 1 : 0;
    }
  }
  return count;
}

TEST(NirSimulation, SpikesAsHereWithDelayNodes) {
  for (const bool recurrent : {false, true}) {
    for (const Gain gain : {Gain::Resistance, Gain::Weights, Gain::Step}) {
      const Case task(recurrent);
      ASSERT_GT(task.trace.thresholdMargin, 1e-5); // no tie that rounding could turn
      ASSERT_GT(numSpikes(task), 20u);
      const auto steps = task.elsewhere({.gain = gain, .delays = Delays::Nodes});
      for (std::size_t t = 0; t < kSteps; ++t) {
        EXPECT_EQ(steps[t].at("layer0"), task.spikes(0, t)) << t;
        EXPECT_EQ(steps[t].at("layer1"), task.spikes(1, t)) << t;
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_NEAR(steps[t].at("readout")[k], task.trace.readout[t * 3 + k], 1e-5) << t;
        }
      }
    }
  }
}

// Without Delay nodes a layer acts as many steps earlier as there are layers before it. A bias
// breaks that, since it acts from step 0 in every layer: hence none in the second.
TEST(NirSimulation, SpikesEarlierWithoutThem) {
  const Case task(false);
  const auto steps = task.elsewhere({});
  for (std::size_t t = 0; t + 1 < kSteps; ++t) {
    EXPECT_EQ(steps[t].at("layer0"), task.spikes(0, t)) << t;
    EXPECT_EQ(steps[t].at("layer1"), task.spikes(1, t + 1)) << t;
  }
}

} // namespace
} // namespace spillway::nir
