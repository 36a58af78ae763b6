#include "nir/Import.hpp"

#include "data/TempFolder.hpp"
#include "network/UserError.hpp"
#include "nir/Export.hpp"
#include "nir/Flatten.hpp"
#include "support/RandomNetworks.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace spillway::nir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What another tool might write: 2 inputs, 3 neurons, no metadata.
class NirImport : public testing::Test {
protected:
  NirImport() {
    graph_.nodes["in"] = {"Input", {{"shape", {{1}, {2}}}}, {}, {}};
    graph_.nodes["fc"] = {"Linear", {{"weight", {{3, 2}, {1, 2, 3, 4, 5, 6}}}}, {}, {}};
    graph_.nodes["lif"] = {"LIF",
                           {{"tau", {{3}, {2e-3, 2e-3, 2e-3}}},
                            {"r", {{3}, {4, 4, 4}}},
                            {"v_leak", {{3}, {0, 0, 0}}},
                            {"v_threshold", {{3}, {0.5, 0.5, 0.5}}}},
                           {},
                           {}};
    graph_.nodes["out"] = {"Output", {{"shape", {{1}, {3}}}}, {}, {}};
    graph_.edges = {{"in", "fc"}, {"fc", "lif"}, {"lif", "out"}};
  }

  Imported run(const ImportOptions& options = {}) const { return importNetwork(graph_, options); }
  std::string refusal(const ImportOptions& options = {}) const {
    return test::messageOf<UserError>([&] { run(options); });
  }
  void addRecurrence() {
    graph_.nodes["rec"] = {
        "Affine",
        {{"weight", {{3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}}, {"bias", {{3}, {0.5, 0.25, 0.125}}}},
        {},
        {}};
    graph_.edges.insert(graph_.edges.end(), {{"lif", "rec"}, {"rec", "lif"}});
  }

  Graph graph_;
};

TEST_F(NirImport, TakesDynamicsFromTimeConstants) {
  const Imported euler = run();
  const LayerSpec& layer = euler.network.layers.at(0);
  EXPECT_DOUBLE_EQ(layer.alpha, 0.95); // 1 - 1e-4 / 2e-3
  EXPECT_EQ(layer.kappa, 4.0);
  EXPECT_EQ(layer.theta, 0.5);
  EXPECT_EQ(euler.network.numInputs, 2u);
  EXPECT_EQ(euler.network.readout.kind, ReadoutKind::SpikeCount);
  EXPECT_THAT(euler.parameters.at(0).values, ElementsAre(1, 3, 5, 2, 4, 6));
  const Imported exact = run({.dt = 1e-3, .integration = Integration::Exact});
  EXPECT_DOUBLE_EQ(exact.network.layers[0].alpha, std::exp(-0.5));
}

TEST_F(NirImport, TakesACycleAsRecurrence) {
  addRecurrence();
  const Imported imported = run();
  EXPECT_TRUE(imported.network.layers[0].recurrent);
  EXPECT_TRUE(imported.network.layers[0].bias);
  EXPECT_EQ(imported.parameters.at(1).name, "layer0/recurrent");
  EXPECT_THAT(imported.parameters[1].values, ElementsAre(1, 4, 7, 2, 5, 8, 3, 6, 9));
  EXPECT_THAT(imported.parameters.at(2).values, ElementsAre(0.5f, 0.25f, 0.125f));
}

TEST_F(NirImport, TakesALayerWithinAGraphOfItsOwn) {
  addRecurrence();
  const Imported flat = run();
  auto inner = std::make_shared<Graph>();
  inner->nodes["input"] = {"Input", {{"shape", {{1}, {3}}}}, {}, {}};
  inner->nodes["output"] = {"Output", {{"shape", {{1}, {3}}}}, {}, {}};
  inner->nodes["lif"] = graph_.nodes.at("lif");
  inner->nodes["w_rec"] = graph_.nodes.at("rec");
  inner->edges = {{"input", "lif"}, {"lif", "w_rec"}, {"w_rec", "lif"}, {"lif", "output"}};
  graph_.nodes.erase("lif");
  graph_.nodes.erase("rec");
  graph_.nodes["block"] = {"NIRGraph", {}, {}, inner};
  graph_.edges = {{"in", "fc"}, {"fc", "block"}, {"block", "out"}};
  const Imported nested = run();
  ASSERT_EQ(nested.parameters.size(), flat.parameters.size());
  EXPECT_EQ(nested.parameters[1].values, flat.parameters[1].values);
}

TEST_F(NirImport, TakesOneValueForAllNeurons) {
  graph_.nodes["lif"].numbers["tau"] = {{}, {2e-3}};
  EXPECT_DOUBLE_EQ(run().network.layers[0].alpha, 0.95);
}

TEST_F(NirImport, RefusesNodesWithoutCounterpartByName) {
  graph_.nodes["lif"].type = "CubaLIF";
  EXPECT_THAT(refusal(), HasSubstr("node lif (CubaLIF): has no counterpart here"));
}

TEST_F(NirImport, RefusesParametersWithoutCounterpartByName) {
  Node& lif = graph_.nodes["lif"];
  const auto with = [&](const std::string& field, double value) {
    const auto before = lif.numbers;
    lif.numbers[field] = {{3}, {value, value, value}};
    const std::string message = refusal();
    lif.numbers = before;
    return message;
  };
  EXPECT_THAT(with("v_leak", 0.1), HasSubstr("v_leak is not 0"));
  EXPECT_THAT(with("v_reset", 0.1), HasSubstr("v_reset is not 0"));
  EXPECT_THAT(with("tau", 5e-5), HasSubstr("shorter than a step of 0.0001 s"));
  EXPECT_THAT(with("tau", std::numeric_limits<double>::quiet_NaN()), HasSubstr("tau holds nan"));
  lif.numbers["tau"].values[1] = 3e-3;
  EXPECT_THAT(refusal(), HasSubstr("tau differs between its neurons (0.002 to 0.003)"));
  lif.numbers.erase("tau");
  EXPECT_THAT(refusal(), HasSubstr("tau is missing"));
}

TEST_F(NirImport, RefusesWeightsThatAreNotFinite) {
  graph_.nodes["fc"].numbers["weight"].values[4] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(refusal(), HasSubstr("node fc (Linear): weight holds inf"));
}

TEST_F(NirImport, RefusesSizesThatDoNotFit) {
  graph_.nodes["lif"].numbers["tau"] = {{4}, {2e-3, 2e-3, 2e-3, 2e-3}};
  EXPECT_THAT(refusal(), HasSubstr("node lif (LIF): has 4 neurons; fc feeds 3"));
}

TEST_F(NirImport, RefusesOtherShapesOfGraphByName) {
  const Graph plain = graph_;
  graph_.edges.emplace_back("in", "out");
  EXPECT_THAT(refusal(), HasSubstr("node in (Input): leads to 2 nodes"));
  graph_ = plain;
  graph_.nodes["alone"] = graph_.nodes["lif"];
  EXPECT_THAT(refusal(), HasSubstr("node alone (LIF): is not on the way"));
  graph_ = plain;
  graph_.nodes.erase("out");
  graph_.edges.pop_back();
  EXPECT_THAT(refusal(), HasSubstr("0 nodes of type Output"));
  graph_ = plain;
  graph_.nodes["delay"] = {"Delay", {{"delay", {{3}, {1, 1, 1}}}}, {}, {}};
  graph_.edges = {{"in", "fc"}, {"fc", "delay"}, {"delay", "lif"}, {"lif", "out"}};
  EXPECT_THAT(refusal(), HasSubstr("node delay (Delay): delays by 1 s"));
  graph_ = plain;
  graph_.nodes["fc2"] = {"Linear", {{"weight", {{3, 3}, std::vector<double>(9, 1.0)}}}, {}, {}};
  graph_.edges = {{"in", "fc"}, {"fc", "fc2"}, {"fc2", "lif"}, {"lif", "out"}};
  EXPECT_THAT(refusal(), HasSubstr("node fc2 (Linear): follows fc without neurons"));
}

TEST_F(NirImport, SaysWhenAnotherToolChangedAnExportedNetwork) {
  const NetworkSpec network = test::smallNetwork();
  Graph graph = exportNetwork(network, test::randomParameters(network, 2), {}).graph;
  graph.nodes["layer1"].numbers["v_threshold"].values.assign(5, 2.0);
  const Imported imported = importNetwork(graph, {});
  EXPECT_EQ(imported.network.layers[1].theta, 2.0);
  EXPECT_EQ(imported.network.layers[0].theta, network.layers[0].theta);
  EXPECT_THAT(imported.notes, ElementsAre(HasSubstr("node layer1: v_threshold was changed")));
}

TEST_F(NirImport, SaysWhenWeightsAreRounded) {
  graph_.nodes["fc"].numbers["weight"].values[0] = 0.1;
  EXPECT_THAT(run().notes, ElementsAre(HasSubstr("1 weights were rounded to FLOAT")));
}

} // namespace
} // namespace spillway::nir
