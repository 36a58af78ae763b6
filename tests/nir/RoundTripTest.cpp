#include "config/Config.hpp"
#include "data/TempFolder.hpp"
#include "network/UserError.hpp"
#include "nir/Export.hpp"
#include "nir/Import.hpp"
#include "nir/NirFile.hpp"
#include "support/RandomNetworks.hpp"

#include <gmock/gmock.h>

#include <bit>

namespace spillway::nir {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Through a file, as a user does it.
Imported throughFile(const NetworkSpec& network, const ParameterSet& parameters,
                     const ExportOptions& options) {
  const test::TempFolder folder;
  const std::vector<char> bytes = toFile(exportNetwork(network, parameters, options).graph);
  return importNetwork(readFile(folder.write("a.nir", test::Bytes(bytes.begin(), bytes.end()))),
                       {});
}

std::string asText(const NetworkSpec& network) {
  Settings settings;
  settings.network = network;
  return formatConfig(settings);
}

void expectSameBits(const ParameterSet& actual, const ParameterSet& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t p = 0; p < expected.size(); ++p) {
    EXPECT_EQ(actual[p].name, expected[p].name);
    EXPECT_EQ(actual[p].shape, expected[p].shape);
    ASSERT_EQ(actual[p].values.size(), expected[p].values.size());
    for (std::size_t i = 0; i < expected[p].values.size(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(actual[p].values[i]),
                std::bit_cast<std::uint32_t>(expected[p].values[i]))
          << expected[p].name << " " << i;
    }
  }
}

NetworkSpec recurrentNetwork() {
  NetworkSpec network = test::smallNetwork();
  network.layers[0].recurrent = true;
  network.layers[1].recurrent = true;
  network.layers[1].bias = true;
  network.layers[0].surrogate.width = 0.3;
  network.layers[0].alpha = 0.9512294245007140; // no FLOAT
  network.layers[1].maxActive = 3;
  network.readout.reduction = ReadoutReduction::Max;
  return network;
}

TEST(NirRoundTrip, KeepsEveryWeightAndSetting) {
  for (const Integration integration : {Integration::Euler, Integration::Exact}) {
    for (const Delays delays : {Delays::Absent, Delays::Nodes}) {
      for (const ReadoutNode readout : {ReadoutNode::Li, ReadoutNode::Lif}) {
        const NetworkSpec network = recurrentNetwork();
        const ParameterSet parameters = test::randomParameters(network, 7);
        const Imported back = throughFile(
            network, parameters,
            {.dt = 2.5e-4, .integration = integration, .readout = readout, .delays = delays});
        expectSameBits(back.parameters, parameters);
        EXPECT_EQ(asText(back.network), asText(network));
        EXPECT_THAT(back.notes, IsEmpty());
      }
    }
  }
}

TEST(NirRoundTrip, KeepsANetworkWhoseSpikesAreCounted) {
  NetworkSpec network = test::smallNetwork();
  network.readout = {};
  network.readout.kind = ReadoutKind::SpikeCount;
  network.readout.numOutputs = network.layers.back().size;
  const ParameterSet parameters = test::randomParameters(network, 3);
  const Imported back = throughFile(network, parameters, {});
  expectSameBits(back.parameters, parameters);
  EXPECT_EQ(asText(back.network), asText(network));
}

TEST(NirRoundTrip, KeepsLayersWithoutMemory) {
  NetworkSpec network = test::smallNetwork();
  network.layers[0].alpha = 0.0;
  const ParameterSet parameters = test::randomParameters(network, 4);
  EXPECT_EQ(throughFile(network, parameters, {}).network.layers[0].alpha, 0.0);
  EXPECT_THROW(exportNetwork(network, parameters, {.integration = Integration::Exact}), UserError);
}

TEST(NirRoundTrip, MovesTheGainWhereItIsAskedFor) {
  const NetworkSpec network = test::smallNetwork();
  const ParameterSet parameters = test::randomParameters(network, 5);
  const LayerSpec& layer = network.layers[0];
  const Imported weights = throughFile(network, parameters, {.gain = Gain::Weights});
  EXPECT_EQ(weights.network.layers[0].kappa, 1.0);
  EXPECT_FLOAT_EQ(weights.parameters[0].values[0],
                  static_cast<float>(layer.kappa) * parameters[0].values[0]);
  const Imported step = throughFile(network, parameters, {.gain = Gain::Step});
  EXPECT_DOUBLE_EQ(step.network.layers[0].gain(), 1.0);
  EXPECT_FLOAT_EQ(step.parameters[0].values[0],
                  static_cast<float>(layer.gain()) * parameters[0].values[0]);
}

TEST(NirExport, RefusesByNameWhatNirCannotSay) {
  NetworkSpec network = test::smallNetwork();
  network.layers[1].neuron = NeuronKind::Alif;
  const auto attempt = [&](const ExportOptions& options) {
    return test::messageOf<UserError>(
        [&] { exportNetwork(network, test::randomParameters(network, 1), options); });
  };
  EXPECT_THAT(attempt({}), HasSubstr("layer1.neuron = alif cannot be written"));
  network.layers[1].neuron = NeuronKind::Lif;
  network.layers[0].reset = ResetMode::Subtract;
  EXPECT_THAT(attempt({}), HasSubstr("layer0.reset = subtract cannot be written"));
  EXPECT_EQ(attempt({.subtract = SubtractingReset::AsZero}), "");
}

TEST(NirExport, SaysWhereOthersWillDiffer) {
  NetworkSpec network = test::smallNetwork();
  network.layers[0].maxActive = 2;
  const Exported exported = exportNetwork(network, test::randomParameters(network, 1), {});
  EXPECT_THAT(exported.notes,
              testing::UnorderedElementsAre(HasSubstr("layer0 transmits at most 2 spikes"),
                                            HasSubstr("the readout acts 2 step(s) earlier")));
}

} // namespace
} // namespace spillway::nir
