#include "config/Config.hpp"
#include "config/Describe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace spillway {
namespace {

TEST(ConfigurationPage, IsWhatTheKeysSay) {
  std::ifstream in(SPILLWAY_SOURCE_DIR "/docs/configuration.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(page, configurationPage())
      << "regenerate it: build/release/bin/spillway config --markdown > docs/configuration.md";
}

TEST(ConfigurationFiles, OfTheTreeAreLegal) {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(SPILLWAY_SOURCE_DIR "/configs")) {
    const bool isOfAScript = entry.path().parent_path().filename() == "sweeps" ||
                             entry.path().filename().string().starts_with("figure");
    if (entry.path().extension() == ".cfg" && !isOfAScript) {
      EXPECT_NO_THROW(loadConfig(entry.path(), {})) << entry.path();
      ++count;
    }
  }
  EXPECT_GT(count, 20u);
}

TEST(DescribeKeys, ShowsOneSectionWithDefaultsAndUnits) {
  const std::string text = describeKeys("train");
  EXPECT_THAT(text, testing::HasSubstr("epochs = 10\n"));
  EXPECT_THAT(text, testing::HasSubstr("samples"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("[machine]")));
}

} // namespace
} // namespace spillway
