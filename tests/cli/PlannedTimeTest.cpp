// The planner's time of a network over several IPUs against the IPU Model's account of a run of it.
#include "RunSpillway.hpp"
#include "support/TemporaryFolder.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <fstream>

namespace spillway {
namespace {

const std::string kRun = R"([readout]
reduction = mean
[data]
set = poisson
steps = 48
inputs = 64
classes = 20
samplesPerClass = 24
activity = 0.5
[optimiser]
kind = sgd
[machine]
device = model
neuronsPerTile = 4
[train]
epochs = 1
batchSize = 16
)";

// Caps that are reached at every step, so that the plan's activity is the run's.
const std::string kFeedForward = R"([network]
layers = 2x128
maxInputEvents = 16
[layer]
alpha = 0.95
gradientTheta = 0.9
maxActive = 16
)" + kRun + "weightScale = 8\n";

// Gated units have no caps: how many fire is the run's own, but not what the links carry; of a GRU
// all do.
const std::string kGated = R"([network]
layers = 2x64
maxInputEvents = 16
[layer]
kind = egru
)" + kRun;

class PlannedTime : public testing::Test {
protected:
  nlohmann::json json(const std::string& command) const {
    const Result result = shell(command);
    EXPECT_EQ(result.code, 0) << command << "\n" << result.output;
    return nlohmann::json::parse(result.output);
  }

  struct Cycles {
    double planned = 0.0, ran = 0.0;
  };
  Cycles cycles(const std::string& config, const std::string& network, const std::string& strategy,
                unsigned numTiles, unsigned numIpus, const std::string& options = "") const {
    std::string settings = " " + folder_.write("network.cfg", config).string() + network +
                           " --set machine.tiles=" + std::to_string(numTiles / numIpus) +
                           " --set machine.numIpus=" + std::to_string(numIpus) +
                           " --set checkpoint.strategy=" + strategy;
    if (strategy == "double") {
      settings += " --set checkpoint.chunk=8 --set checkpoint.remoteChunk=16";
    }
    const auto plan =
        json(SPILLWAY_EXECUTABLE " plan --json --only " + strategy + settings + options);
    const std::string folder = (folder_.path() / "profile").string();
    const Result profiled = spillway("profile --folder " + folder + settings);
    EXPECT_EQ(profiled.code, 0) << profiled.output;
    std::ifstream profile(folder + "/profile.json");
    Cycles result;
    const auto account = nlohmann::json::parse(profile);
    for (const auto& [kind, count] : account["execution"]["cycles"].items()) {
      result.ran += kind == "stream" ? 0.0 : count.get<double>(); // the host's
    }
    result.planned = plan["strategies"][0]["timeCycles"]["total"];
    return result;
  }

  enum class Total { Planned, OfUnknownActivity };

  // In total within 5 % on any number of IPUs, and what links and global syncs add within 10 %.
  void expectAgree(const std::string& config, const std::string& network, unsigned numTiles,
                   Total total = Total::Planned) const {
    for (const std::string strategy : {"base", "double"}) {
      const auto expectTotal = [&](const Cycles& found, unsigned numIpus) {
        if (total == Total::Planned) {
          EXPECT_NEAR(found.planned / found.ran, 1.0, 0.05) << strategy << ", " << numIpus;
        }
      };
      const Cycles one = cycles(config, network, strategy, numTiles, 1);
      expectTotal(one, 1);
      for (const unsigned numIpus : {2u, 4u}) {
        const Cycles several = cycles(config, network, strategy, numTiles, numIpus);
        expectTotal(several, numIpus);
        EXPECT_NEAR((several.planned - one.planned) / (several.ran - one.ran), 1.0, 0.1)
            << strategy << ", " << numIpus << " IPUs: planned " << several.planned - one.planned
            << " cycles more than on one, ran " << several.ran - one.ran;
      }
    }
  }

  TemporaryFolder folder_;
};

TEST_F(PlannedTime, OverSeveralIpusIsThatOfTheAccount) {
  expectAgree(kFeedForward, "", 80);
}

TEST_F(PlannedTime, OfRecurrentNetworksOverSeveralIpusIsThatOfTheAccount) {
  expectAgree(kFeedForward,
              " --set network.layers=2x96 --set layer.recurrent=true --set layer.neuron=alif"
              " --set train.batchSize=24",
              64);
}

// Layers run a block after one another, and the last block of a range is not full.
TEST_F(PlannedTime, OfBlocksOfStepsIsThatOfTheAccount) {
  expectAgree(kFeedForward, " --set machine.timeBlock=8 --set data.steps=44", 80);
}

// How many units of an event-based layer fire is not known beforehand: between a twentieth and all.
TEST_F(PlannedTime, OfGatedLayersIsThatOfTheAccount) {
  for (const std::string strategy : {"base", "double"}) {
    for (const std::string network :
         {" --set network.layers=2x64", " --set network.layers=96,48 --set train.batchSize=24"}) {
      const Cycles gru = cycles(kGated, network + " --set layer.kind=gru", strategy, 80, 1);
      EXPECT_NEAR(gru.planned / gru.ran, 1.0, 0.05) << strategy << network;
      for (const std::string convention : {"code", "paper"}) {
        const std::string egru = network + " --set layer.convention=" + convention;
        const Cycles few = cycles(kGated, egru, strategy, 80, 1, " --activity 0.05");
        EXPECT_LT(few.planned, few.ran) << strategy << egru;
        EXPECT_GT(cycles(kGated, egru, strategy, 80, 1, " --activity 1").planned, few.ran);
      }
    }
  }
}

TEST_F(PlannedTime, OfLinksBetweenGatedLayersIsThatOfTheAccount) {
  // With short lists of inputs the links to four IPUs are planned half as much again as they take.
  expectAgree(kGated, " --set network.maxInputEvents=0", 80, Total::OfUnknownActivity);
}

} // namespace
} // namespace spillway
