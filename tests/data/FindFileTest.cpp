#include "data/FindFile.hpp"

#include "TempFolder.hpp"
#include "network/UserError.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace spillway {
namespace {

using test::messageOf;
using test::TempFolder;
using testing::HasSubstr;

TEST(DataFolder, IsThePathOrElseTheNameBelowTheRoot) {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "nmnist");
  const char* before = std::getenv("SPILLWAY_DATA");
  const std::string saved = before == nullptr ? "" : before;
  setenv("SPILLWAY_DATA", folder.path().c_str(), 1);
  DataSettings settings;
  settings.set = "nmnist";
  EXPECT_EQ(dataFolder(settings), folder / "nmnist");
  settings.path = (folder / "none").string();
  EXPECT_THAT(messageOf<UserError>([&] { dataFolder(settings); }),
              HasSubstr("none: no such folder; scripts/get-data nmnist"));
  settings.path = folder.path().string();
  EXPECT_EQ(dataFolder(settings), folder.path());
  if (before == nullptr) {
    unsetenv("SPILLWAY_DATA");
  } else {
    setenv("SPILLWAY_DATA", saved.c_str(), 1);
  }
}

TEST(FindFile, PrefersTheFirstEndingAndWantsOneFile) {
  const TempFolder folder;
  folder.write("train-images-idx3-ubyte.gz", std::string());
  const std::vector<std::string> endings = {"ubyte", "ubyte.gz"};
  EXPECT_EQ(findFile(folder.path(), "train", "images", endings).extension(), ".gz");
  folder.write("train-images-idx3-ubyte", std::string());
  EXPECT_EQ(findFile(folder.path(), "train", "images", endings).filename(),
            "train-images-idx3-ubyte");
  folder.write("train-images.idx3-ubyte", std::string());
  EXPECT_THAT(messageOf<UserError>([&] { findFile(folder.path(), "train", "images", endings); }),
              HasSubstr("could be meant"));
  EXPECT_THAT(messageOf<UserError>([&] { findFile(folder.path(), "t10k", "images", endings); }),
              HasSubstr("holds no file t10k*images*ubyte"));
}

} // namespace
} // namespace spillway
