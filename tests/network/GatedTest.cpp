#include "network/Parameters.hpp"
#include "network/UserError.hpp"
#include "network/Validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace spillway {
namespace {

NetworkSpec egru() {
  NetworkSpec network;
  network.numInputs = 3;
  network.layers.resize(2);
  for (LayerSpec& layer : network.layers) {
    layer.kind = LayerKind::Egru;
    layer.size = 400;
    layer.bias = true;
  }
  network.readout.numOutputs = 4;
  return network;
}

void expectRefused(const NetworkSpec& network, const std::string& what) {
  try {
    validate(network);
    ADD_FAILURE() << "nothing was refused, least of all " << what;
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(what));
  }
}

TEST(GatedValidate, TakesEgruAndGruInOneStack) {
  NetworkSpec network = egru();
  network.layers[1].kind = LayerKind::Gru;
  EXPECT_NO_THROW(validate(network));
}

TEST(GatedValidate, RefusesWhatGatedLayersHaveNotGot) {
  NetworkSpec network = egru();
  network.layers[1].kind = LayerKind::Spiking;
  expectRefused(network, "layer1.kind = spiking");
  network = egru();
  network.layers[0].maxActive = 5;
  expectRefused(network, "layer0.maxActive = 5");
  network = egru();
  network.readout.kind = ReadoutKind::SpikeCount;
  expectRefused(network, "readout.kind");
  network = egru();
  network.loss.rate.upper = 1.0;
  expectRefused(network, "loss.rate");
}

TEST(GatedValidate, RefusesWhatThePapersConventionHasNotGot) {
  NetworkSpec network = egru();
  network.layers[0].gated.convention = GatedConvention::Paper;
  EXPECT_NO_THROW(validate(network));
  network.layers[0].gated.zoneout = 0.1;
  expectRefused(network, "layer0.zoneout = 0.1");
  network.layers[0].gated.zoneout = 0.0;
  network.layers[0].gated.recurrentBias = true;
  expectRefused(network, "layer0.recurrentBias");
  network.layers[0].gated.recurrentBias = false;
  network.layers[0].kind = LayerKind::Gru;
  expectRefused(network, "layer0.convention");
}

TEST(GatedParameters, HaveThreeGatesSideBySide) {
  NetworkSpec network = egru();
  network.layers[0].gated.recurrentBias = true;
  network.layers[1].kind = LayerKind::Gru;
  std::vector<std::string> names;
  for (const ParameterTensor& tensor : parameterShapes(network)) {
    names.push_back(tensor.name);
  }
  EXPECT_THAT(names, testing::ElementsAre("layer0/weight", "layer0/recurrent", "layer0/bias",
                                          "layer0/recurrentBias", "layer0/threshold",
                                          "layer1/weight", "layer1/recurrent", "layer1/bias",
                                          "readout/weight", "readout/bias"));
  EXPECT_THAT(parameterShapes(network)[0].shape, testing::ElementsAre(3, 1200));
  EXPECT_THAT(parameterShapes(network)[5].shape, testing::ElementsAre(400, 1200));
}

TEST(GatedParameters, DrawThresholdsAroundTheirMean) {
  for (const double mean : {0.05, 0.3, 0.7}) {
    NetworkSpec network = egru();
    network.layers[0].gated.thresholdMean = mean;
    const ParameterSet set = initialParameters(network, 3, 1.0);
    const std::vector<float>& thresholds = set[3].values;
    ASSERT_EQ(set[3].name, "layer0/threshold");
    const double sum = std::accumulate(thresholds.begin(), thresholds.end(), 0.0);
    EXPECT_NEAR(sum / static_cast<double>(thresholds.size()), mean, 0.05);
    for (const float threshold : thresholds) {
      EXPECT_GT(threshold, 0.0f);
      EXPECT_LT(threshold, 1.0f);
    }
  }
}

TEST(GatedParameters, KeepBiasOpensTheGateThatKeepsTheState) {
  NetworkSpec network = egru();
  network.layers[0].gated.keepBias = network.layers[1].gated.keepBias = 3.0;
  network.layers[1].gated.convention = GatedConvention::Paper; // whose gate replaces the state
  for (const ParameterTensor& tensor : initialParameters(network, 1, 1.0)) {
    const float sign = tensor.name == "layer0/bias"   ? 1.0f
                       : tensor.name == "layer1/bias" ? -1.0f
                                                      : 0;
    if (sign != 0.0f) {
      EXPECT_EQ(tensor.values[0], sign * 3.0f);
      EXPECT_EQ(tensor.values[399], sign * 3.0f);
      EXPECT_EQ(tensor.values[400], 0.0f);
    }
  }
  network.layers[0].bias = false;
  expectRefused(network, "layer0.keepBias = 3");
}

} // namespace
} // namespace spillway
