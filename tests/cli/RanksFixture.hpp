// Several processes that train one network, started by mpirun as a user does.
#pragma once

#include "RunSpillway.hpp"
#include "data/Hdf5File.hpp"
#include "support/TemporaryFolder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace spillway {

namespace fs = std::filesystem;

inline constexpr const char* kSpiking = R"([network]
layers = 24,16
[layer]
neuron = alif
recurrent = true
[loss]
rateUpper = 0.1
rateUpperTarget = 0.02
[readout]
reduction = max
[data]
set = randman
steps = 20
inputs = 20
classes = 3
samplesPerClass = 16
jitterSteps = 1
[train]
epochs = 5
batchSize = 20
microBatch = 4
weightScale = 4
snapshotEvery = 1
[optimiser]
kind = adamw
weightDecay = 0.01
clipNorm = 0.5
[machine]
threads = 1
)";

inline constexpr const char* kGated = R"([network]
layers = 12
[layer]
kind = egru
zoneout = 0.1
dropconnect = 0.1
[data]
set = randman
steps = 12
inputs = 20
classes = 3
samplesPerClass = 16
[train]
epochs = 5
batchSize = 20
microBatch = 5
snapshotEvery = 1
[machine]
threads = 1
)";

inline std::string mpirun(const std::string& ranks) {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 mpirun "
         "--oversubscribe "
         "--bind-to none " +
         ranks;
}

class OnMpi : public testing::Test {
protected:
  void SetUp() override {
    if (shell("command -v mpirun").code != 0) {
      GTEST_SKIP() << "mpirun is not installed";
    }
    if (shell(mpirun("-n 2 " SPILLWAY_EXECUTABLE " train none.cfg")).output.find("no MPI") !=
        std::string::npos) {
      GTEST_SKIP() << "this build has no MPI";
    }
  }

  std::string config(const std::string& name, const std::string& text) const {
    return folder_.write(name, text).string();
  }
  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }

  Result train(unsigned numRanks, const std::string& config, const std::string& name,
               const std::string& options = "") const {
    return shell(mpirun("-n " + std::to_string(numRanks)) + " " SPILLWAY_EXECUTABLE " train " +
                 config + " --quiet --folder " + at(name) + " " + options);
  }

  std::map<std::string, std::vector<float>> weights(const std::string& name) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_.path() / name / "snapshots")) {
      files.push_back(entry.path());
    }
    const Hdf5Reader file(*std::max_element(files.begin(), files.end()));
    std::map<std::string, std::vector<float>> all;
    for (const char* tensor : {"layer0/weight", "layer0/bias", "layer1/weight", "layer1/recurrent",
                               "readout/weight", "layer0/threshold", "layer0/recurrent"}) {
      for (const std::string prefix : {"", "optimiser/slot0/", "optimiser/slot1/"}) {
        if (file.has(prefix + tensor)) {
          all[prefix + tensor] = file.read<float>(prefix + tensor).values;
        }
      }
    }
    return all;
  }
  // Of the newest snapshot, "update-000000000123.h5".
  unsigned long lastUpdate(const std::string& name) const {
    unsigned long last = 0;
    for (const auto& entry : fs::directory_iterator(folder_.path() / name / "snapshots")) {
      last = std::max(last, std::stoul(entry.path().stem().string().substr(7)));
    }
    return last;
  }
  nlohmann::json summary(const std::string& name) const {
    std::ifstream file(folder_.path() / name / "summary.json");
    return nlohmann::json::parse(file);
  }

  TemporaryFolder folder_;
};

} // namespace spillway
