#include "network/Parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace spillway {
namespace {

using testing::ElementsAre;

NetworkSpec twoLayers() {
  NetworkSpec network;
  network.numInputs = 12;
  network.layers.resize(2);
  network.layers[0].size = 7;
  network.layers[0].recurrent = true;
  network.layers[1].size = 5;
  network.layers[1].bias = true;
  network.readout.numOutputs = 3;
  return network;
}

TEST(Parameters, NamesAndShapesFollowTheNetwork) {
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> shapes;
  for (const ParameterTensor& tensor : parameterShapes(twoLayers())) {
    names.push_back(tensor.name);
    shapes.push_back(tensor.shape);
    EXPECT_TRUE(tensor.values.empty());
  }
  EXPECT_THAT(names, ElementsAre("layer0/weight", "layer0/recurrent", "layer1/weight",
                                 "layer1/bias", "readout/weight", "readout/bias"));
  EXPECT_THAT(shapes, ElementsAre(ElementsAre(12, 7), ElementsAre(7, 7), ElementsAre(7, 5),
                                  ElementsAre(5), ElementsAre(5, 3), ElementsAre(3)));
}

TEST(Parameters, SpikeCountReadoutHasNone) {
  NetworkSpec network = twoLayers();
  network.readout.kind = ReadoutKind::SpikeCount;
  EXPECT_EQ(parameterShapes(network).size(), 4u);
}

TEST(Parameters, WeightsFillTheirRangeAndBiasesAreZero) {
  NetworkSpec network = twoLayers();
  network.numInputs = 600;
  const ParameterSet set = initialParameters(network, 3, 2.0);
  const double bound = 2.0 * std::sqrt(6.0 / 600);
  const auto [low, high] = std::minmax_element(set[0].values.begin(), set[0].values.end());
  EXPECT_GE(*low, -bound);
  EXPECT_LE(*high, bound);
  EXPECT_LT(*low, -0.99 * bound);
  EXPECT_GT(*high, 0.99 * bound);
  EXPECT_THAT(set[3].values, testing::Each(0.0f));
}

TEST(Parameters, AValueDependsOnSeedAndNameAlone) {
  NetworkSpec network = twoLayers();
  const ParameterSet before = initialParameters(network, 3, 1.0);
  EXPECT_NE(before[0].values, initialParameters(network, 4, 1.0)[0].values);
  network.layers[0].bias = true;
  const ParameterSet after = initialParameters(network, 3, 1.0);
  EXPECT_EQ(after[2].name, "layer0/bias");
  EXPECT_EQ(before[2].values, after[3].values); // layer1/weight
}

} // namespace
} // namespace spillway
