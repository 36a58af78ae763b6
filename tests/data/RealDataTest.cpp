// Readers on the real files, where SPILLWAY_DATA names the folder that holds them, one folder each.
#include "data/OpenDataSet.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>

namespace spillway {
namespace {

struct Expected {
  std::string set;
  std::vector<std::string> folders; // the first that exists is read
  std::uint32_t numTrain, numTest, numInputs, numOutputs;
};

class RealData : public testing::TestWithParam<Expected> {};

TEST_P(RealData, HasItsSizesAndEveryTestSampleReads) {
  const char* root = std::getenv("SPILLWAY_DATA");
  if (root == nullptr) {
    GTEST_SKIP() << "SPILLWAY_DATA is not set";
  }
  DataSettings settings;
  settings.set = GetParam().set;
  for (const std::string& folder : GetParam().folders) {
    if (settings.path.empty() &&
        std::filesystem::is_directory(std::filesystem::path(root) / folder)) {
      settings.path = (std::filesystem::path(root) / folder).string();
    }
  }
  if (settings.path.empty()) {
    GTEST_SKIP() << root << " holds no folder " << GetParam().folders.front();
  }
  const auto set = openDataSet(settings);
  EXPECT_EQ(set->numSamples(Split::Train), GetParam().numTrain);
  EXPECT_EQ(set->numSamples(Split::Test), GetParam().numTest);
  EXPECT_EQ(set->info().numInputs, GetParam().numInputs);
  EXPECT_EQ(set->info().numOutputs, GetParam().numOutputs);
  std::uint64_t numEvents = 0;
  const std::uint32_t numRead = std::min(100u, set->numSamples(Split::Test));
  for (std::uint32_t i = 0; i < numRead; ++i) {
    const EventBatch batch = set->batch(Split::Test, std::vector<std::uint32_t>{i}, 0, 0);
    numEvents += std::accumulate(batch.counts.begin(), batch.counts.end(), std::uint64_t{0});
    for (std::int32_t label : batch.labels) {
      EXPECT_LT(label, static_cast<std::int32_t>(GetParam().numOutputs));
    }
  }
  EXPECT_GT(numEvents, numRead); // some activity
}

INSTANTIATE_TEST_SUITE_P(
    Files, RealData,
    testing::Values(Expected{"mnist", {"mnist"}, 60000, 10000, 784, 10},
                    Expected{"fashion-mnist", {"fashion-mnist"}, 60000, 10000, 784, 10},
                    Expected{"nmnist", {"nmnist-small"}, 1000, 100, 2312, 10},
                    Expected{"shd", {"fsdd-spikes"}, 2700, 300, 700, 10},
                    Expected{"qtdb", {"qtdb", "qtdb-ecg"}, 618, 141, 8, 6},
                    Expected{"text", {"ptb"}, 9295, 824, 10000, 10000}),
    [](const testing::TestParamInfo<Expected>& test) {
      std::string name = test.param.set;
      std::erase(name, '-');
      return name;
    });

} // namespace
} // namespace spillway
