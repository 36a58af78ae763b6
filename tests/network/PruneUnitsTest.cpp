#include "network/PruneUnits.hpp"

#include "support/LanguageModels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spillway {
namespace {

using testing::ElementsAre;

TEST(PruneUnits, KeepsTheMostActiveInTheirOrder) {
  EXPECT_THAT(mostActive({5, 0, 9, 5, 1}, 0.4), ElementsAre(0, 2, 3));
  EXPECT_THAT(mostActive({0, 0}, 0.9), ElementsAre(0));
}

TEST(PruneUnits, LeavesTheShapesOfTheSmallerNetwork) {
  for (const NetworkSpec& network :
       {test::languageModel(LayerKind::Egru), test::gatedNetwork(LayerKind::Gru)}) {
    std::vector<std::vector<std::uint32_t>> kept;
    for (const LayerSpec& layer : network.layers) {
      kept.push_back(mostActive(std::vector<std::uint64_t>(layer.size), 0.3));
    }
    const PrunedNetwork pruned = pruneUnits(network, initialParameters(network, 1, 1.0), kept);
    const ParameterSet expected = parameterShapes(pruned.network);
    ASSERT_EQ(pruned.parameters.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(pruned.parameters[i].name, expected[i].name);
      EXPECT_EQ(pruned.parameters[i].shape, expected[i].shape) << expected[i].name;
    }
  }
}

TEST(PruneUnits, TakesRowsAndColumnsOfAllGates) {
  const NetworkSpec network = test::gatedNetwork(LayerKind::Egru); // 5 inputs, layers of 7 and 6
  ParameterSet parameters = initialParameters(network, 1, 1.0);
  const PrunedNetwork pruned = pruneUnits(network, parameters, {{1, 6}, {0, 2, 5}});
  const auto find = [](const ParameterSet& set, const std::string& name) {
    return *std::find_if(set.begin(), set.end(), [&](const auto& t) { return t.name == name; });
  };
  const ParameterTensor whole = find(parameters, "layer1/weight");
  const ParameterTensor left = find(pruned.parameters, "layer1/weight");
  ASSERT_EQ(left.shape, (std::vector<std::size_t>{2, 9}));
  EXPECT_EQ(left.values[0], whole.values[1 * 18 + 0]);             // gate 0 of unit 0, from unit 1
  EXPECT_EQ(left.values[9 + 3 + 1], whole.values[6 * 18 + 6 + 2]); // gate 1 of unit 2, from unit 6
  EXPECT_EQ(find(pruned.parameters, "layer1/threshold").values[2],
            find(parameters, "layer1/threshold").values[5]);
}

} // namespace
} // namespace spillway
